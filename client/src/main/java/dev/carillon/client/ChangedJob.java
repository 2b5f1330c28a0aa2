package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A job that a call has cancelled or retried.
 *
 * @param stateName the name of its {@link #state}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ChangedJob(
    @JsonProperty(required = true) String jobId,
    @JsonProperty(value = "state", required = true) String stateName) {

  /** The present state; UNRECOGNIZED if only a newer server knows it. */
  public Job.State state() {
    return Known.of(stateName, Job.State.UNRECOGNIZED);
  }
}
