package dev.carillon.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One step in a job's history. */
public record Transition(Instant at, JobState state, @Nullable String reason) {}
