package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a job, and its state.
 *
 * @param type null for none
 * @param stateName the name of an {@link OperationState}, or of a state that only a later version
 *     knows
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

  /** The state; empty if this version does not know it. */
  public Optional<OperationState> state() {
    return Arrays.stream(OperationState.values())
        .filter(state -> state.name().equals(stateName))
        .findFirst();
  }
}
