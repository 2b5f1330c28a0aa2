package dev.carillon.client.schedule;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policies of a schedule. */
public final class Policies {

  private Policies() {}

  /** The requested state of a schedule. */
  public enum State {
    ACTIVE,
    SUSPENDED
  }

  /** The effect of a fire or event while the schedule has a waiting job. */
  public enum WhilePending {
    /** The fire or event creates another job. */
    @JsonProperty("queue")
    QUEUE,
    /** The fire or event is merged into the waiting job. */
    @JsonProperty("merge")
    MERGE,
    /** The fire or event is skipped. */
    @JsonProperty("skip")
    SKIP
  }

  /** The effect of a schedule's completion. */
  public enum AfterCompletion {
    /** The schedule stays, in the state COMPLETED. */
    @JsonProperty("keep")
    KEEP,
    /** The schedule is deleted. */
    @JsonProperty("delete")
    DELETE
  }

  /**
   * The time-out of a job that waits for its trigger or constraints.
   *
   * @param after the time since the job's first event, or its fire
   */
  public record Timeout(Duration after, Action action) {

    /** The effect of the time-out. */
    public enum Action {
      /** The job ends TIMED_OUT. */
      @JsonProperty("discard")
      DISCARD,
      /** The job launches with the events that it has. */
      @JsonProperty("launch")
      LAUNCH
    }
  }

  /**
   * The policy for fires that were missed because of an outage.
   *
   * @param window the age above which fires are skipped; null for no limit
   */
  public record CatchUp(Policy policy, @Nullable Duration window) {

    /** Which missed fires launch. */
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
   * The retry policy of a job.
   *
   * @param backoff the time before the second attempt
   * @param rate the factor by which the backoff grows with each further attempt
   * @param maxBackoff the upper bound of the backoff
   */
  public record Retry(int maxAttempts, Duration backoff, BigDecimal rate, Duration maxBackoff) {

    /** The default of schedules. */
    public static final Retry USUAL =
        new Retry(3, Duration.ofSeconds(10), BigDecimal.valueOf(2), Duration.ofHours(1));
  }

  /** The time limits for the steps of a tracked run. */
  public record Tracking(
      Duration enqueueTimeout,
      Duration claimTimeout,
      Duration heartbeatTimeout,
      Duration runTimeout) {

    /** The default of tracked schedules. */
    public static final Tracking USUAL =
        new Tracking(
            Duration.ofMinutes(15),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofHours(6));

    /** Applies the defaults. */
    public Tracking {
      enqueueTimeout = enqueueTimeout == null ? Duration.ofMinutes(15) : enqueueTimeout;
      claimTimeout = claimTimeout == null ? Duration.ofMinutes(1) : claimTimeout;
      heartbeatTimeout = heartbeatTimeout == null ? Duration.ofMinutes(1) : heartbeatTimeout;
      runTimeout = runTimeout == null ? Duration.ofHours(6) : runTimeout;
    }
  }

  /**
   * A part of a run. After an operation has succeeded, later attempts do not repeat it.
   *
   * @param after the ids of the operations that precede it
   */
  public record Operation(String id, String type, List<String> after) {

    /** Applies the defaults. */
    public Operation {
      after = after == null ? List.of() : List.copyOf(after);
    }
  }
}
