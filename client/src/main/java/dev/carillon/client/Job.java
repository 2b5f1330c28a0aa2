package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job: one execution of a schedule, from its trigger to its final state.
 *
 * @param program null if its schedule was deleted before it was satisfied
 * @param scheduledFor the instant that it represents; null while its trigger is not satisfied
 * @param triggeredAt when its trigger was satisfied
 * @param launchedAt when its request was sent
 * @param transitions its history, oldest first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Job(
    String jobId,
    String namespace,
    String schedule,
    @Nullable String program,
    @Nullable String customer,
    int priority,
    long generation,
    State state,
    int attempt,
    @Nullable Instant scheduledFor,
    @Nullable Instant triggeredAt,
    @Nullable Instant launchedAt,
    @Nullable String worker,
    @Nullable JsonNode progress,
    long version,
    List<Transition> transitions) {

  /** Replaces JSON null by null. */
  public Job {
    progress = progress == null || progress.isNull() ? null : progress;
    transitions = List.copyOf(transitions);
  }

  /** The states of a job. */
  public enum State {
    PENDING_TRIGGER,
    PENDING_CONSTRAINT,
    PENDING_LAUNCH,
    READY,
    ENQUEUED,
    CLAIMED,
    RUNNING,
    RETRY_WAIT,
    LAUNCHED,
    SUCCEEDED,
    FAILED,
    SKIPPED,
    TIMED_OUT,
    CANCELLED
  }

  /**
   * A transition of a job.
   *
   * @param reason the reason as text
   * @param reasonCode the code of the reason. New versions of the service may add codes
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Transition(
      Instant at, State state, @Nullable String reason, @Nullable String reasonCode) {}
}
