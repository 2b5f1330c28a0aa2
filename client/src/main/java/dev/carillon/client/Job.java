package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One occurrence of a schedule.
 *
 * @param program null if its schedule was deleted before it was satisfied
 * @param scheduledFor the instant that it stands for; null while its trigger is not satisfied
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

  /** Of what is JSON null nothing. */
  public Job {
    progress = progress == null || progress.isNull() ? null : progress;
    transitions = List.copyOf(transitions);
  }

  /** Where a job is on its way. */
  public enum State {
    PENDING_TRIGGER,
    PENDING_CONSTRAINT,
    PENDING_LAUNCH,
    READY,
    ENQUEUED,
    CLAIMED,
    RUNNING,
    RETRY_WAIT,
    SUCCEEDED,
    FAILED,
    SKIPPED,
    TIMED_OUT,
    CANCELLED
  }

  /**
   * A step of it.
   *
   * @param reason for people
   * @param reasonCode for programs: the name of a code. New versions of the service may have
   *     further ones
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Transition(
      Instant at, State state, @Nullable String reason, @Nullable String reasonCode) {}
}
