package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program: the schedules that launch it, its limits, and its running and waiting jobs.
 *
 * @param schedules the first 100 that launch it, by name
 * @param moreSchedules whether there are others
 * @param gates those that its launches pass
 * @param lastRuns the newest jobs that were launched
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

  /** A schedule that launches it. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Launching(String name, StoredSchedule.State state, @Nullable Instant nextFire) {}

  /**
   * Where a limit stands.
   *
   * @param type of the constraint
   * @param gate of what it is, like {@code program etl}
   * @param duration of a rate per what, of {@code sinceLastRun} how long
   * @param now of a resource what its gauge shows, of a rate the launches that count, else the
   *     unfinished jobs
   * @param open whether a job could go now
   * @param opensAt when it holds at the earliest; null if it does, or only an event brings that
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
   * What launches of a program, of a group, or under a resource have in common.
   *
   * @param holding how many unfinished jobs hold a slot
   * @param waiting how many jobs wait
   * @param nextCheckAt when the waiting jobs are checked, if nothing happens before
   * @param value what the gauge of a resource shows
   * @param holders the oldest 100
   * @param firstWaiting the first 100, in their order
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
   * An unfinished job.
   *
   * @param until when it counts as failed if no end is reported
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Holder(String jobId, Instant since, Instant until) {}

  /** A job that waits. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Waiting(String jobId, int priority, Instant since) {}
}
