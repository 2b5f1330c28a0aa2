package dev.carillon.bench.crash;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;

import dev.carillon.bench.crash.Deployment.Created;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The faults in the launch requests that arrived. */
final class Verdict {

  private final List<Arrival> arrivals;
  private final List<Kill> kills;
  private final List<String> faults = new ArrayList<>();
  private int duplicates;
  private int lost;
  private int doubled;

  Verdict(List<Arrival> arrivals, List<Kill> kills) {
    this.arrivals = arrivals;
    this.kills = kills;
  }

  List<String> faults() {
    return List.copyOf(faults);
  }

  /** The number of requests with the job id of an earlier request. */
  int duplicates() {
    return duplicates;
  }

  /** The number of fires and accepted events without a job. */
  int lost() {
    return lost;
  }

  /** The number of second jobs or attempts for one fire or event. */
  int doubled() {
    return doubled;
  }

  /**
   * Checks that every fire until {@code end} launched one job, and that no other job was launched.
   */
  void checkFires(Created created, Instant end) {
    Set<Instant> expected = created.clockwork().fires(created.at(), end);
    Map<Instant, Set<String>> jobs = jobsByFire(created.clockwork().name(), end);
    Set<Instant> missed = new TreeSet<>(expected);
    missed.removeAll(jobs.keySet());
    Set<Instant> invented = new TreeSet<>(jobs.keySet());
    invented.removeAll(expected);
    jobs.values().removeIf(ids -> ids.size() == 1);
    String name = created.clockwork().name();
    lost += missed.size();
    doubled += jobs.size();
    report(!missed.isEmpty(), name + " lost the fires " + missed);
    report(!invented.isEmpty(), name + " launched for instants that are not fires: " + invented);
    report(!jobs.isEmpty(), name + " launched several jobs for one fire: " + jobs);
  }

  private Map<Instant, Set<String>> jobsByFire(String schedule, Instant end) {
    return arrivals.stream()
        .filter(arrival -> arrival.isOf(schedule) && !arrival.scheduledFor().isAfter(end))
        .collect(
            groupingBy(
                Arrival::scheduledFor,
                TreeMap::new,
                mapping(Arrival::jobId, toCollection(TreeSet::new))));
  }

  void checkNothingIsEarly() {
    for (Arrival arrival : arrivals) {
      report(
          arrival.sentAt().isBefore(arrival.scheduledFor()),
          arrival.jobId() + " was sent at " + arrival.sentAt() + ", which is early");
    }
  }

  /**
   * Checks that every accepted event is in exactly one job, and that each job has {@code count}
   * events. The events that are not in a job are still being collected.
   */
  void checkEvents(String schedule, int count, Set<String> accepted, long open) {
    Map<String, List<String>> eventsOfJobs = new TreeMap<>();
    arrivals.stream()
        .filter(arrival -> arrival.isOf(schedule))
        .forEach(arrival -> eventsOfJobs.put(arrival.jobId(), arrival.events()));
    List<String> counted = eventsOfJobs.values().stream().flatMap(List::stream).toList();
    Set<String> once = new HashSet<>();
    List<String> twice = counted.stream().filter(event -> !once.add(event)).toList();
    Set<String> uncounted = new TreeSet<>(accepted);
    uncounted.removeAll(once);
    Set<String> unknown = new TreeSet<>(once);
    unknown.removeAll(accepted);
    eventsOfJobs.values().removeIf(events -> events.size() == count);
    doubled += twice.size();
    lost += Math.abs(uncounted.size() - (int) open);
    report(!twice.isEmpty(), schedule + " counted twice: " + twice);
    report(!unknown.isEmpty(), schedule + " counted events that were never accepted: " + unknown);
    report(!eventsOfJobs.isEmpty(), schedule + " has jobs of another size: " + eventsOfJobs);
    report(
        uncounted.size() != accepted.size() % count || open != uncounted.size(),
        schedule + " collects " + open + " events, but these are in no job: " + uncounted);
  }

  /**
   * Checks that every repeated request has the same attempt and was in flight at a kill.
   *
   * @param hasOutrun whether a function ran longer than its time-out, which can repeat requests too
   */
  void checkDuplicates(boolean hasOutrun) {
    Map<String, List<Arrival>> byJob = arrivals.stream().collect(groupingBy(Arrival::jobId));
    for (List<Arrival> copies : byJob.values()) {
      List<Instant> sent =
          copies.stream().map(Arrival::sentAt).sorted(Comparator.naturalOrder()).toList();
      duplicates += sent.size() - 1;
      doubled += (int) copies.stream().filter(copy -> copy.attempt() != 1).count();
      report(
          copies.stream().anyMatch(copy -> copy.attempt() != 1),
          copies.get(0).jobId() + " has more attempts than one");
      for (int i = 1; i < sent.size(); i++) {
        Instant first = sent.get(i - 1);
        Instant second = sent.get(i);
        report(
            !hasOutrun && kills.stream().noneMatch(kill -> kill.explains(first, second)),
            "%s was sent at %s and again at %s, which no kill explains"
                .formatted(copies.get(0).jobId(), first, second));
      }
    }
  }

  void report(boolean isFault, String fault) {
    if (isFault) {
      faults.add(fault);
    }
  }
}
