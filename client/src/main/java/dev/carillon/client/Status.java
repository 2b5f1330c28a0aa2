package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the whole is.
 *
 * @param lastProcessedTime up to where fires are handed over; null before the first tick
 * @param lagSeconds since then
 * @param oldestDueAgeSeconds how long the oldest of what is due has waited
 * @param jobs unfinished ones by state, at most 10,000
 * @param queues by their names
 * @param troubles for people; none is good
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Status(
    @Nullable Instant lastProcessedTime,
    @Nullable Long lagSeconds,
    long oldestDueAgeSeconds,
    Map<Job.State, Integer> jobs,
    Map<String, Depth> queues,
    List<String> troubles) {

  /**
   * @param visible how many messages wait
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Depth(String url, long visible) {}
}
