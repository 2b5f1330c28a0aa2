package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job: one execution of a schedule, from its trigger to its final state.
 *
 * @param program null if its schedule was deleted before its trigger was satisfied
 * @param priority null while its trigger is not satisfied
 * @param stateName the name of its {@link #state}
 * @param attempt the number of the attempt, from 1; null while its trigger is not satisfied
 * @param scheduledFor the instant that the job is for; null while its trigger is not satisfied
 * @param triggeredAt when its trigger was satisfied
 * @param launchedAt when its request was sent
 * @param linkId the link that it shares with other jobs; null if it has none
 * @param worker the worker that has claimed the current or last attempt of a tracked job
 * @param progress the last reported progress
 * @param output the output that the worker reported with its success
 * @param error the error of the last failed attempt
 * @param operations the operations of a tracked job; empty for none
 * @param attempts the attempts of a tracked job, as far as its history contains them
 * @param callback the callback of a job whose schedule has {@code onEnd}; null for other jobs
 * @param transitions its history, oldest first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Job(
    @JsonProperty(required = true) String jobId,
    String namespace,
    String schedule,
    @Nullable String program,
    @Nullable String customer,
    @Nullable Integer priority,
    long generation,
    @JsonProperty(value = "state", required = true) String stateName,
    @Nullable Integer attempt,
    @Nullable Instant scheduledFor,
    @Nullable Instant triggeredAt,
    @Nullable Instant launchedAt,
    @Nullable String linkId,
    @Nullable String worker,
    @Nullable JsonNode progress,
    @Nullable JsonNode output,
    @Nullable String error,
    List<OperationProgress> operations,
    List<Attempt> attempts,
    @Nullable Callback callback,
    long version,
    List<Transition> transitions) {

  /** Replaces JSON's null by Java's null, and applies the defaults. */
  public Job {
    progress = progress == null || progress.isNull() ? null : progress;
    output = output == null || output.isNull() ? null : output;
    operations = operations == null ? List.of() : List.copyOf(operations);
    attempts = attempts == null ? List.of() : List.copyOf(attempts);
    transitions = List.copyOf(transitions);
  }

  /** The state; UNRECOGNIZED if only a newer server knows it. The job may then go on. */
  public State state() {
    return Known.of(stateName, State.UNRECOGNIZED);
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
    CANCELLED,
    /** A state that only a newer server knows. */
    UNRECOGNIZED
  }

  /**
   * An attempt that was sent.
   *
   * @param attempt its number, from 1
   * @param end how it ended; null while it goes on
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Attempt(
      int attempt,
      @Nullable String worker,
      @Nullable Instant claimedAt,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String end) {}

  /**
   * The message about the end of the job.
   *
   * @param sentAt when its queue accepted it; null before that
   * @param refusals how many times the queue refused it
   * @param trouble why it was last refused, or why it can never be sent
   * @param nextTry when Carillon sends a refused callback again
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Callback(
      @Nullable Instant sentAt,
      int refusals,
      @Nullable String trouble,
      @Nullable Instant nextTry) {}

  /**
   * A transition of a job.
   *
   * @param stateName the name of its {@link #state}
   * @param reason the reason as text
   * @param reasonCode the code of the reason. New versions of the service may add codes
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Transition(
      Instant at,
      @JsonProperty(value = "state", required = true) String stateName,
      @Nullable String reason,
      @Nullable String reasonCode) {

    /** The new state; UNRECOGNIZED if only a newer server knows it. */
    public State state() {
      return Known.of(stateName, State.UNRECOGNIZED);
    }
  }
}
