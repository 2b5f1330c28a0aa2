package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;

/**
 * The fires that a backfill would launch.
 *
 * @param first the first ten of its fires
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BackfillPreview(long fires, int concurrency, List<Instant> first) {

  public BackfillPreview {
    first = List.copyOf(first);
  }
}
