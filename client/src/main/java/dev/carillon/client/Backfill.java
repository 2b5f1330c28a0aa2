package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Past fires of a schedule that are launched as jobs of their own, and how far that is.
 *
 * @param backfillId the ids of its jobs end with b and this
 * @param generation of the schedule; another one cancels it
 * @param reason why it was cancelled
 * @param from exclusive
 * @param to inclusive
 * @param concurrency how many of its jobs may be unfinished at a time
 * @param fires how many there were when it was asked for
 * @param launched the fires that it has made jobs of
 * @param unfinished the jobs that were not seen to be over
 * @param ended how many jobs ended how
 * @param next the next fire that it will make a job of; null if none is left
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

  /** How far it is. */
  public enum State {
    RUNNING,
    COMPLETED,
    CANCELLED
  }
}
