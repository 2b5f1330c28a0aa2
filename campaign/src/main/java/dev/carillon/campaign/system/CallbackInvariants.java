package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.History.ArrivedCallback;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.scenario.CallbackScenarios;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.memory.MemoryJobs;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * Checks the callbacks of the schedules that want them: each end of a job has a callback, no
 * callback comes before the end is stored, and repeated callbacks are equal.
 */
public final class CallbackInvariants {

  /** The member by which a document asks for callbacks. */
  private static final String ON_END =
      "{\"onEnd\": {\"queue\": \"ended\", \"template\": {\"how\": \"${outcome}\","
          + " \"error\": \"${error}\", \"output\": \"${output}\"}},";

  /** The reasons of jobs that only record a fire or an event. */
  private static final Set<ReasonCode> RECORDS =
      EnumSet.of(ReasonCode.TRIGGER_CANCELLED, ReasonCode.MISSED_FIRES);

  private final MemoryJobs jobs;
  private final Map<String, LaunchRequest> arrived = new LinkedHashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  public CallbackInvariants(MemoryJobs jobs) {
    this.jobs = jobs;
  }

  /** The document of a schedule, with a callback if it wants one. */
  static String document(String schedule, String document) {
    return CallbackScenarios.wants(schedule)
        ? document.replaceFirst("\\{", Matcher.quoteReplacement(ON_END))
        : document;
  }

  /** A callback has arrived. */
  public void arrived(LaunchRequest callback) {
    JobId id = callback.job();
    LaunchRequest known = arrived.putIfAbsent(callback.deduplicationId(), callback);
    if (known != null) {
      if (!known.equals(callback)) {
        find(id, "a repeated callback differs from the first");
      }
      return;
    }
    Job job = jobs.find(List.of(id)).get(id);
    String outcome = String.valueOf(callback.attributes().get("carillon-outcome"));
    boolean isEnd =
        job != null
            && job.attempt() == callback.attempt()
            && job.isEnded()
            && job.state() == JobState.valueOf(outcome);
    if (!isEnd) {
      find(id, "a callback " + outcome + " without that end");
    }
  }

  /** The callbacks that have arrived, as their attributes describe them. */
  public List<ArrivedCallback> arrived() {
    return arrived.values().stream()
        .map(
            callback ->
                new ArrivedCallback(
                    String.valueOf(callback.attributes().get("carillon-job-id")),
                    callback.job().schedule().name(),
                    Integer.parseInt(
                        String.valueOf(callback.attributes().get("carillon-attempt")))))
        .toList();
  }

  private void find(JobId job, String what) {
    violations.add(new Violation(job.toString(), what));
  }

  /**
   * All violations.
   *
   * @param settled the instant before which each end must have led to a callback
   */
  public List<Violation> violations(long settled) {
    List<Violation> all = new ArrayList<>(violations);
    for (Job job : jobs.all()) {
      boolean wants = CallbackScenarios.wants(job.id().schedule().name());
      if (wants && isEnd(job, settled) && !hasCalledBack(job)) {
        all.add(new Violation(job.id().toString(), "ended " + job.state() + " without a callback"));
      }
    }
    return all;
  }

  private static boolean isEnd(Job job, long settled) {
    boolean isRecord = job.newestReason() != null && RECORDS.contains(job.newestReason().code());
    return job.endedAt() != null && job.endedAt().toEpochMilli() < settled && !isRecord;
  }

  private boolean hasCalledBack(Job job) {
    return arrived.values().stream()
        .anyMatch(it -> it.job().equals(job.id()) && it.attempt() == job.attempt());
  }
}
