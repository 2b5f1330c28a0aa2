package dev.carillon.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a job was opened with. It never changes.
 *
 * @param activation the number of the schedule's period under which the job was opened
 * @param program the bare name of what it launches
 * @param scheduledFor the instant that it stands for
 * @param triggeredAt when its trigger was satisfied
 * @param launchNow what the caller of launch-now gave; null for other jobs
 */
public record Origin(
    long activation,
    String program,
    Instant scheduledFor,
    Instant triggeredAt,
    @Nullable ObjectNode launchNow) {}
