package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a deployment.
 *
 * @param lastProcessedTime the instant up to which fires are handed over; null before the first
 *     tick
 * @param lagSeconds the seconds since {@code lastProcessedTime}
 * @param oldestDueAgeSeconds how long the oldest due check has waited
 * @param jobs the number of unfinished jobs, at most 10,000, by the name of their {@link Job.State}
 * @param queues the queues by name
 * @param troubles descriptions of problems; empty if there is none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Status(
    @Nullable Instant lastProcessedTime,
    @Nullable Long lagSeconds,
    long oldestDueAgeSeconds,
    Map<String, Integer> jobs,
    Map<String, Depth> queues,
    List<String> troubles) {

  /**
   * @param visible the number of waiting messages
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Depth(String url, long visible) {}
}
