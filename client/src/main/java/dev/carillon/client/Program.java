package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program: the schedules that launch it, its limits, and its running and waiting jobs.
 *
 * @param schedules the first 100 schedules that launch the program, by name
 * @param moreSchedules whether more schedules launch it
 * @param gates the gates that its launches pass
 * @param lastRuns the newest launched jobs
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Program(
    String namespace,
    String name,
    List<Launching> schedules,
    boolean moreSchedules,
    List<Limit> limits,
    List<Gate> gates,
    List<Job> lastRuns) {

  /**
   * A schedule that launches it.
   *
   * @param stateName the name of its {@link #state}
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Launching(
      String name,
      @JsonProperty(value = "state", required = true) String stateName,
      @Nullable Instant nextFire) {

    /** The state; UNRECOGNIZED if only a newer server knows it. */
    public StoredSchedule.State state() {
      return Known.of(stateName, StoredSchedule.State.UNRECOGNIZED);
    }
  }

  /**
   * The present state of a limit.
   *
   * @param type the type of the constraint
   * @param gate the program, group or resource that is limited, like {@code program etl}
   * @param duration the interval of a rate, or the pause of a {@code sinceLastRun}; otherwise null
   * @param now the value of a resource's gauge, the counted launches of a rate, or the unfinished
   *     jobs of any other limit
   * @param open whether a job can pass now
   * @param opensAt the earliest instant at which a job can pass; null if the limit is open, or if
   *     only an event opens it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Limit(
      String type,
      String gate,
      @Nullable BigDecimal bound,
      @Nullable Duration duration,
      @Nullable BigDecimal now,
      boolean open,
      @Nullable String reason,
      @Nullable Instant opensAt) {}

  /**
   * The gate of a program, a group or a resource: the state that all its launches share.
   *
   * @param holding how many unfinished jobs hold a slot
   * @param waiting how many jobs wait
   * @param nextCheckAt when the waiting jobs are checked if nothing happens before
   * @param value the value of a resource's gauge
   * @param holders the oldest 100 jobs that hold slots
   * @param firstWaiting the first 100 waiting jobs, in their order
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Gate(
      String gate,
      int holding,
      int waiting,
      @Nullable Instant nextCheckAt,
      @Nullable Instant lastSuccess,
      @Nullable BigDecimal value,
      @Nullable Instant expiresAt,
      List<Holder> holders,
      List<Waiting> firstWaiting) {}

  /**
   * An unfinished job that holds a slot.
   *
   * @param until the instant at which its attempt fails if nothing is reported before; null if no
   *     report is due
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Holder(String jobId, Instant since, @Nullable Instant until) {}

  /** A job that waits. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Waiting(String jobId, int priority, Instant since) {}
}
