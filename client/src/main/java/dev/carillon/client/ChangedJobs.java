package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a call that changes many jobs.
 *
 * @param matched how many jobs match
 * @param changed how many of them were retried or cancelled; 0 in a dry run
 * @param refused the jobs that were not changed; empty in a dry run
 * @param next where the next request continues; always null in the result of a call, because the
 *     call sends all requests itself
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ChangedJobs(
    @JsonProperty(required = true) int matched,
    @JsonAlias({"retried", "cancelled"}) int changed,
    List<Refused> refused,
    @Nullable String next) {

  static final ChangedJobs NONE = new ChangedJobs(0, 0, List.of(), null);

  public ChangedJobs {
    refused = List.copyOf(refused);
  }

  /**
   * A job that was not changed.
   *
   * @param detail the reason in words
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Refused(String jobId, String detail) {}

  ChangedJobs plus(ChangedJobs more) {
    return new ChangedJobs(
        matched + more.matched,
        changed + more.changed,
        Stream.concat(refused.stream(), more.refused.stream()).toList(),
        more.next);
  }
}
