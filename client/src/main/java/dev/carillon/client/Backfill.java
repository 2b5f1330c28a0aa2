package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backfill and its progress. It launches a range of past fires of a schedule, each as a separate
 * job.
 *
 * @param backfillId its id; the ids of its jobs end with {@code b} and this id
 * @param generation the generation of the schedule; a change of the generation cancels the backfill
 * @param reason why it was cancelled
 * @param from the exclusive beginning of the range
 * @param to the inclusive end of the range
 * @param concurrency the limit on its unfinished jobs
 * @param fires the number of fires when it was requested
 * @param launched the number of fires that have become jobs
 * @param unfinished the number of jobs that are not known to have ended
 * @param ended the number of ended jobs by final state
 * @param next the next fire to launch; null if none is left
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Backfill(
    String backfillId,
    String namespace,
    String schedule,
    long generation,
    State state,
    @Nullable String reason,
    Instant from,
    Instant to,
    int concurrency,
    long fires,
    long launched,
    int unfinished,
    Map<Job.State, Long> ended,
    @Nullable Instant next,
    Instant askedAt,
    String askedBy,
    @Nullable Instant endedAt) {

  public Backfill {
    ended = Map.copyOf(ended);
  }

  /** The states of a backfill. */
  public enum State {
    RUNNING,
    COMPLETED,
    CANCELLED
  }
}
