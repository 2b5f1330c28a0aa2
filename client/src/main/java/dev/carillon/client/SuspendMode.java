package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of a schedule's jobs while it is suspended. */
public enum SuspendMode {
  /** Existing jobs are cancelled, new ones are not made. */
  @JsonProperty("discard")
  DISCARD,
  /** Existing jobs go on, new ones are not made. */
  @JsonProperty("drain")
  DRAIN,
  /** Existing and new jobs are kept, and launch when it is resumed. */
  @JsonProperty("backlog")
  BACKLOG,
  /** Existing jobs are kept, and launch when it is resumed; new ones are not made. */
  @JsonProperty("hold")
  HOLD
}
