package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backfill and its progress. It launches a range of past fires of a schedule, each as a separate
 * job.
 *
 * @param backfillId its id; the ids of its jobs end with {@code b} and this id
 * @param generation the generation of the schedule; a change of the generation cancels the backfill
 * @param stateName the name of its {@link #state}
 * @param reason why it was cancelled
 * @param from the exclusive beginning of the range
 * @param to the inclusive end of the range
 * @param concurrency the limit on its unfinished jobs
 * @param fires the number of fires when it was requested
 * @param launched the number of fires that have become jobs
 * @param unfinished the number of jobs that are not known to have ended
 * @param ended the number of ended jobs by the name of their final {@link Job.State}
 * @param next the next fire to launch; null if none is left
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Backfill(
    @JsonProperty(required = true) String backfillId,
    String namespace,
    String schedule,
    long generation,
    @JsonProperty(value = "state", required = true) String stateName,
    @Nullable String reason,
    Instant from,
    Instant to,
    int concurrency,
    long fires,
    long launched,
    int unfinished,
    Map<String, Long> ended,
    @Nullable Instant next,
    Instant askedAt,
    String askedBy,
    @Nullable Instant endedAt) {

  /** Keeps the order of the final states. */
  public Backfill {
    ended = Collections.unmodifiableMap(new LinkedHashMap<>(ended));
  }

  /** The state; UNRECOGNIZED if only a newer server knows it. The backfill may then go on. */
  public State state() {
    return Known.of(stateName, State.UNRECOGNIZED);
  }

  /** The states of a backfill. */
  public enum State {
    RUNNING,
    COMPLETED,
    CANCELLED,
    /** A state that only a newer server knows. */
    UNRECOGNIZED
  }
}
