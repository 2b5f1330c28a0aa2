package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a job, and its state.
 *
 * @param type null for none
 * @param stateName the name of its {@link #state}
 * @param after the ids of the operations that precede it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record OperationProgress(
    @JsonProperty(required = true) String id,
    @Nullable String type,
    @JsonProperty(value = "state", required = true) String stateName,
    List<String> after) {

  /** Applies the defaults. */
  public OperationProgress {
    after = after == null ? List.of() : List.copyOf(after);
  }

  /** The state; UNRECOGNIZED if only a newer server knows it. */
  public OperationState state() {
    return Known.of(stateName, OperationState.UNRECOGNIZED);
  }
}
