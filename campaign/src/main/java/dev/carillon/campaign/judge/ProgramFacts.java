package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.LimitFacts.Repeat;
import dev.carillon.campaign.judge.LimitFacts.ReportedEnd;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Observations of a program whose workers report how its runs end.
 *
 * @param schedules the names of its schedules
 * @param arrivals its requests
 * @param ends the reports
 */
record ProgramFacts(
    History history, Set<String> schedules, List<Arrival> arrivals, List<ReportedEnd> ends) {

  /** An invocation that a fault hit may still run for this long after the last fault. */
  private static final long LONGEST_CALL = 30_000;

  /** How long after a request arrived its launch may not be stored yet. */
  private static final long STORED_AFTER = 1_000;

  /** After how long an event is received again. */
  private static final long RECEIVED_AGAIN = 60_000;

  static ProgramFacts of(History history, String program) {
    Set<String> schedules =
        history.operations().stream()
            .filter(it -> it.spec() != null && it.spec().limits().program().equals(program))
            .map(Operation::schedule)
            .collect(Collectors.toSet());
    return new ProgramFacts(
        history,
        schedules,
        history.arrivals().stream().filter(it -> schedules.contains(it.schedule())).toList(),
        history.limits().ends().stream().filter(it -> it.program().equals(program)).toList());
  }

  /** For each request that a FIFO queue dropped as a repetition, the time in which it was sent. */
  Stream<TimeRange> repeats() {
    return history.limits().repeats().stream()
        .filter(it -> schedules.contains(it.schedule()))
        .map(it -> new TimeRange(it.sent(), it.at()));
  }

  /**
   * The instant by which an event has certainly had its effect. An event that names no run is
   * received again if the request of the oldest counted run is not stored as sent: because it comes
   * right after its own request, or because a fault interrupted an earlier launch.
   */
  long takenBy(ReportedEnd end) {
    long sent = end.sent();
    if (sent <= history.faultsTo() + LONGEST_CALL) {
      return history.recoveredBy(sent);
    }
    boolean isEarly =
        !end.names()
            && (arrivals.stream().anyMatch(it -> it.at() <= sent && sent <= it.at() + STORED_AFTER)
                || mayHaveUnsentLaunch(sent));
    return sent + 2 * History.ON_TIME + (isEarly ? RECEIVED_AGAIN : 0);
  }

  /** Whether a launch that a fault interrupted may still be unsent at an instant. */
  private boolean mayHaveUnsentLaunch(long at) {
    return at <= history.recoveredBy(history.faultsTo() + LONGEST_CALL)
        && history.jobs().stream()
            .filter(it -> schedules.contains(it.schedule()))
            .anyMatch(it -> it.first() <= at && at <= waitsUntil(it));
  }

  /** How long the request of a decided launch may remain unsent. */
  long inFlight(long decided) {
    return decided > history.faultsTo() + LONGEST_CALL
        ? LimitedLaunches.DECIDED_BEFORE
        : history.recoveredBy(decided) - decided;
  }

  /** Whether a report says that the run of a job has ended with a status. */
  boolean saysOf(String jobId, String status) {
    return ends.stream()
        .filter(it -> !it.names() || it.jobId().equals(jobId))
        .anyMatch(it -> it.status().equals(status));
  }

  /** Whether the reports of the program name runs. */
  static boolean names(ScheduleSpec spec) {
    return spec.limits().ends() == Ends.NAMED;
  }

  /**
   * How many ended runs may keep their slots until the end. A run does so if its request was
   * accepted, but seemed to be refused, before the program had a limit that counts runs. If the end
   * of the run names no run and comes before the request is sent again, no limit counts the run
   * yet, and the end has no effect. The repetition then takes a slot.
   */
  long keptSlots() {
    return arrivals.stream().collect(Collectors.groupingBy(Arrival::jobId)).entrySet().stream()
        .filter(it -> mayKeepSlot(it.getKey(), it.getValue()))
        .count();
  }

  private boolean mayKeepSlot(String job, List<Arrival> requests) {
    long first = requests.stream().mapToLong(Arrival::sent).min().orElse(History.NEVER);
    long last =
        Stream.concat(
                requests.stream().map(Arrival::at),
                history.limits().repeats().stream()
                    .filter(it -> it.jobId().equals(job))
                    .map(Repeat::at))
            .mapToLong(Long::longValue)
            .max()
            .orElse(first);
    return last > first
        && !isCounted(first)
        && ends.stream()
            .filter(it -> !it.names() && it.jobId().equals(job))
            .anyMatch(it -> it.sent() <= last);
  }

  /** Whether a limit that counts the runs of the program was stored before an instant. */
  private boolean isCounted(long at) {
    return history.operations().stream()
        .filter(it -> it.done() && it.returned() < at && schedules.contains(it.schedule()))
        .anyMatch(it -> it.spec() != null && it.spec().limits().countsRuns());
  }

  /**
   * The most runs, apart from the run of a job, that may be unfinished at an instant. A report that
   * names no run ends no run if none is unfinished, for example after a request that was sent
   * twice.
   */
  long possiblyUnfinished(String jobId, long at) {
    Map<String, Long> begun = new TreeMap<>();
    arrivals.stream()
        .filter(it -> !it.jobId().equals(jobId) && it.sent() <= at + inFlight(at))
        .forEach(it -> begun.merge(it.jobId(), it.at(), Math::min));
    begun.keySet().removeIf(job -> ends.stream().anyMatch(it -> hasEnded(it, job, at)));
    long ended = 0;
    for (long sent : unnamedEnds(at)) {
      long before = begun.values().stream().filter(began -> began <= sent).count();
      ended = Math.min(ended + 1, before);
    }
    return begun.size() - ended + keptSlots();
  }

  /** The sending instants of the reports that name no run and have had their effect. */
  private long[] unnamedEnds(long at) {
    return ends.stream()
        .filter(it -> !it.names() && takenBy(it) < at)
        .mapToLong(ReportedEnd::sent)
        .sorted()
        .toArray();
  }

  private boolean hasEnded(ReportedEnd end, String job, long at) {
    return end.names() && end.jobId().equals(job) && takenBy(end) < at;
  }

  /**
   * Whether a rate of the program has let no further job pass from an instant to the end of the
   * history, because the launches followed one another as closely as the rate allows.
   */
  boolean isInUse(RateLimit rate, long from) {
    List<Long> launches = arrivals.stream().map(Arrival::sent).sorted().toList();
    long window = rate.per() + 2 * History.ON_TIME;
    List<Long> starts = new ArrayList<>(launches);
    starts.add(from - 1);
    return rate.group().isEmpty()
        && starts.stream()
            .filter(start -> start >= from - 1 && start + window < history.end())
            .allMatch(
                start ->
                    launches.stream().filter(it -> it > start && it <= start + window).count()
                        >= rate.max());
  }

  /** Whether another job may have waited at an instant. */
  boolean mayWait(String jobId, long at, long tolerance) {
    return history.jobs().stream()
        .filter(it -> schedules.contains(it.schedule()) && !it.jobId().equals(jobId))
        .anyMatch(it -> it.first() <= at + tolerance && waitsUntil(it) >= at - tolerance);
  }

  private long waitsUntil(StoredJob stored) {
    return arrivals.stream()
        .filter(it -> it.jobId().equals(stored.jobId()))
        .mapToLong(Arrival::sent)
        .max()
        .orElse(stored.ended() ? stored.changed() : History.NEVER);
  }
}
