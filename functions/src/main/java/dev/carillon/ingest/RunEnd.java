package dev.carillon.ingest;

import dev.carillon.event.Event;
import dev.carillon.event.EventIdHash;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run of a program, as an event reports it.
 *
 * @param program the gate of the program
 * @param state the final state of the run
 * @param hash hash of the event's id
 */
record RunEnd(GateKey program, JobState state, Event event, long hash) {

  private static final String PREFIX = "program:";

  /**
   * The run ends that an event reports: one for each of its keys that names a program and a final
   * state.
   */
  static List<RunEnd> in(Event event) {
    return event.weights().keySet().stream().flatMap(key -> end(key, event).stream()).toList();
  }

  private static Optional<RunEnd> end(String key, Event event) {
    int colon = key.lastIndexOf(':');
    if (!key.startsWith(PREFIX) || colon < PREFIX.length()) {
      return Optional.empty();
    }
    String program = key.substring(PREFIX.length(), colon);
    return state(key.substring(colon + 1))
        .map(
            state ->
                new RunEnd(
                    GateKey.ofProgram(event.namespace(), program),
                    state,
                    event,
                    EventIdHash.of(event.id())));
  }

  private static Optional<JobState> state(String status) {
    return switch (status) {
      case "SUCCEEDED" -> Optional.of(JobState.SUCCEEDED);
      case "FAILED" -> Optional.of(JobState.FAILED);
      case "CANCELLED" -> Optional.of(JobState.CANCELLED);
      default -> Optional.empty();
    };
  }

  /** The job that the event names as the run; empty if it names none. */
  String runId() {
    return event.payload().path("runId").asText("");
  }

  /** The job that the event names, if it can be a job of the program; otherwise empty. */
  Optional<JobId> job() {
    try {
      return Optional.of(JobId.parse(runId()))
          .filter(id -> id.schedule().namespace().equals(program.namespace()));
    } catch (IllegalArgumentException noJobId) {
      return Optional.empty();
    }
  }

  /**
   * The job with its end.
   *
   * @param endedBy the hash of the event if it does not name the job
   */
  Job ending(Job job, Instant now, @Nullable Long endedBy) {
    Reason reason = Reason.of(ReasonCode.RUN_ENDED, event.id(), state);
    return job.reported(state, now, reason, endedBy);
  }
}
