package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The effect of a suspension on a schedule's jobs. */
public enum SuspendMode {
  /** Existing jobs are cancelled; no new jobs are created. */
  @JsonProperty("discard")
  DISCARD,
  /** Existing jobs continue; no new jobs are created. */
  @JsonProperty("drain")
  DRAIN,
  /** Existing and new jobs are kept, and launch after the suspension. */
  @JsonProperty("backlog")
  BACKLOG,
  /** Existing jobs are kept, and launch after the suspension; no new jobs are created. */
  @JsonProperty("hold")
  HOLD,
  /** A mode that only a newer server knows. */
  UNRECOGNIZED
}
