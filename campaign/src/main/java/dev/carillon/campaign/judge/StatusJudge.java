package dev.carillon.campaign.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.campaign.judge.Condition.Reported;
import dev.carillon.campaign.judge.History.StoredJob;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Judges the events of tracked runs by a schedule that launches one job for each event: each start
 * and each end of a run must have one such job, and there must be no others. A job whose request
 * was never sent has no run.
 */
final class StatusJudge {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STARTED = "STARTED";
  private static final Set<String> ENDS = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

  private final History history;
  private final Schedule watcher;
  private final List<Finding> findings;

  /** The time within which an event that is received again does not count again. */
  private static final long DEDUPLICATED = 600_000;

  /**
   * For each status, the jobs whose status the watching schedule has counted, with the instant of
   * the count.
   */
  private final Map<Status, Map<String, Long>> counted = new HashMap<>();

  private record Status(String job, String status) {}

  StatusJudge(History history, Schedule watcher, List<Finding> findings) {
    this.history = history;
    this.watcher = watcher;
    this.findings = findings;
    watcher.launches().forEach(this::count);
  }

  /** Whether a schedule waits for the statuses of a program whose runs are tracked. */
  static boolean watches(Schedule schedule, History history) {
    return schedule.documents().stream()
        .map(span -> span.spec().condition())
        .anyMatch(it -> it instanceof Reported reported && history.tracks(reported.program()));
  }

  private void count(Launch launch) {
    try {
      JsonNode events = JSON.readTree(launch.arrival().body()).path("trigger").path("events");
      for (JsonNode event : events) {
        JsonNode payload = event.path("payload");
        Status status = new Status(payload.path("runId").asText(), payload.path("status").asText());
        counted
            .computeIfAbsent(status, any -> new TreeMap<>())
            .put(launch.arrival().jobId(), launch.triggeredAt());
      }
    } catch (JsonProcessingException damaged) {
      throw new IllegalArgumentException("request body is not JSON", damaged);
    }
  }

  void judge(List<TrackedJob> jobs) {
    Set<String> known = new HashSet<>();
    for (TrackedJob job : jobs) {
      known.add(job.id());
      judgeStarts(job);
      ENDS.forEach(end -> judgeEnd(job, end));
    }
    counted.keySet().stream()
        .filter(status -> !known.contains(status.job()))
        .filter(status -> !hasArrived(status.job()) || !isStored(status))
        .forEach(status -> find(status.job(), "a status of a job that was never launched"));
  }

  private boolean hasArrived(String job) {
    return history.arrivals().stream().anyMatch(it -> it.jobId().equals(job));
  }

  private boolean isStored(Status status) {
    return history.jobs().stream()
        .anyMatch(it -> it.jobId().equals(status.job()) && it.state().equals(status.status()));
  }

  private int count(String job, String status) {
    return counted.getOrDefault(new Status(job, status), Map.of()).size();
  }

  /**
   * How many of the counts can be repetitions that are no fault: if an outage interrupts an
   * announcement, it is repeated after the outage, when the event id is no longer remembered.
   */
  private long repeated(String job, String status) {
    if (history.outage() == null) {
      return 0;
    }
    List<Long> counts =
        counted.getOrDefault(new Status(job, status), Map.of()).values().stream().sorted().toList();
    return IntStream.range(1, counts.size())
        .filter(i -> counts.get(i) - counts.get(i - 1) >= DEDUPLICATED - 2 * history.skew())
        .count();
  }

  private void judgeStarts(TrackedJob job) {
    long certain = 0;
    long possible = 0;
    for (int attempt = 1; attempt <= job.attempts(); attempt++) {
      List<RunCall> reports =
          job.claims(attempt).stream().flatMap(it -> it.reports().stream()).toList();
      certain += isStarted(reports) ? 1 : 0;
      possible += reports.isEmpty() ? 0 : 1;
    }
    int starts = count(job.id(), STARTED);
    if (starts < certain || starts > possible + repeated(job.id(), STARTED)) {
      find(
          job.id(),
          starts + " starts counted, of " + certain + " to " + possible + " attempts that started");
    }
  }

  /** Whether the start of an attempt must have been counted; only its first report starts it. */
  private boolean isStarted(List<RunCall> reports) {
    long by =
        reports.stream()
            .filter(RunCall::isAccepted)
            .mapToLong(RunCall::returned)
            .min()
            .orElse(History.NEVER);
    long from =
        reports.stream()
            .filter(RunCall::mayBeAccepted)
            .mapToLong(RunCall::called)
            .min()
            .orElse(History.NEVER);
    return isCounted(from, by);
  }

  private void judgeEnd(TrackedJob job, String end) {
    StoredJob stored = job.stored();
    int ends = count(job.id(), end);
    boolean isEnd = stored != null && stored.state().equals(end);
    boolean isMissing = isEnd && ends == 0 && isKnownAsSent(job);
    if (stored != null && isMissing && isCounted(stored.changed(), stored.changed())) {
      find(job.id(), "its end, " + end + ", was not counted");
    }
    long most = job.retries().count() + (isEnd ? 1 : 0);
    if (ends > most + repeated(job.id(), end)) {
      find(job.id(), "the end " + end + " was counted " + ends + " times");
    }
  }

  /**
   * Whether the functions must know that the target accepted a request, at least because a worker
   * claimed it.
   */
  private static boolean isKnownAsSent(TrackedJob job) {
    return !job.claims().isEmpty()
        || job.launches().stream().anyMatch(launch -> !launch.arrival().explained());
  }

  /**
   * Whether a status that was announced between two instants must have been counted, and the job
   * that counted it must have been launched.
   */
  private boolean isCounted(long from, long by) {
    long bound = by == History.NEVER ? History.NEVER : history.bound(by + history.skew());
    long counts = bound == History.NEVER ? History.NEVER : history.bound(bound);
    long settled = from - Judge.IN_FLIGHT - history.indexLag() - 2 * history.skew();
    return counts <= history.end()
        && watcher.launching().stream()
            .filter(span -> span.beginsBy() != History.NEVER)
            .anyMatch(span -> span.beginsBy() < settled && span.endsFrom() == History.NEVER);
  }

  private void find(@Nullable String job, String what) {
    findings.add(new Finding(Finding.Kind.MISCOUNTED, watcher.name(), job, what));
  }
}
