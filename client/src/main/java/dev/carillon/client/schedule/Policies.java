package dev.carillon.client.schedule;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a schedule that say how, rather than when and what. */
public final class Policies {

  private Policies() {}

  /** Whether a schedule launches. */
  public enum State {
    ACTIVE,
    SUSPENDED
  }

  /** What a new fire or event does while a satisfied job of the schedule still waits. */
  public enum WhilePending {
    /** It makes another job. */
    @JsonProperty("queue")
    QUEUE,
    /** It goes with the job that waits. */
    @JsonProperty("merge")
    MERGE,
    /** It is skipped. */
    @JsonProperty("skip")
    SKIP
  }

  /** What becomes of a schedule that fires no more. */
  public enum AfterCompletion {
    /** It stays, COMPLETED. */
    @JsonProperty("keep")
    KEEP,
    /** It is deleted. */
    @JsonProperty("delete")
    DELETE
  }

  /**
   * The end of waiting, for the trigger and for constraints.
   *
   * @param after since the job's first event, or its fire
   */
  public record Timeout(Duration after, Action action) {

    /** What becomes of the job. */
    public enum Action {
      /** It ends TIMED_OUT. */
      @JsonProperty("discard")
      DISCARD,
      /** It launches as it is. */
      @JsonProperty("launch")
      LAUNCH
    }
  }

  /**
   * What becomes of fires that an outage missed.
   *
   * @param window older ones are skipped; null for no bound
   */
  public record CatchUp(Policy policy, @Nullable Duration window) {

    /** Which of them launch. */
    public enum Policy {
      @JsonProperty("all")
      ALL,
      @JsonProperty("latest")
      LATEST,
      @JsonProperty("none")
      NONE
    }
  }

  /**
   * Attempts of a job.
   *
   * @param backoff before the second attempt
   * @param rate by which it grows with each further one
   * @param maxBackoff up to this
   */
  public record Retry(int maxAttempts, Duration backoff, BigDecimal rate, Duration maxBackoff) {

    /** What holds for schedules that do not say. */
    public static final Retry USUAL =
        new Retry(3, Duration.ofSeconds(10), BigDecimal.valueOf(2), Duration.ofHours(1));
  }

  /** How long each step of a tracked run may take. */
  public record Tracking(
      Duration enqueueTimeout,
      Duration claimTimeout,
      Duration heartbeatTimeout,
      Duration runTimeout) {

    /** What holds for tracked schedules that do not say. */
    public static final Tracking USUAL =
        new Tracking(
            Duration.ofMinutes(15),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofHours(6));

    /** Of what is absent the default. */
    public Tracking {
      enqueueTimeout = enqueueTimeout == null ? Duration.ofMinutes(15) : enqueueTimeout;
      claimTimeout = claimTimeout == null ? Duration.ofMinutes(1) : claimTimeout;
      heartbeatTimeout = heartbeatTimeout == null ? Duration.ofMinutes(1) : heartbeatTimeout;
      runTimeout = runTimeout == null ? Duration.ofHours(6) : runTimeout;
    }
  }

  /** The message that is sent when a job ends. */
  public record OnEnd(String queue, JsonNode template) {}

  /**
   * A part of a run that is not repeated once it has succeeded.
   *
   * @param after the ids of those that come before it
   */
  public record Operation(String id, String type, List<String> after) {

    /** Of what is absent the default. */
    public Operation {
      after = after == null ? List.of() : List.copyOf(after);
    }
  }
}
