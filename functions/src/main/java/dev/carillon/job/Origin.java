package dev.carillon.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances in which a job was opened. They never change.
 *
 * @param activation the schedule's activation under which the job was opened
 * @param program the name of the program that the job launches, without the namespace
 * @param scheduledFor the instant that the job is for
 * @param triggeredAt when its trigger was satisfied
 * @param launchNow the body of the launch-now call; null for other jobs
 */
public record Origin(
    long activation,
    String program,
    Instant scheduledFor,
    Instant triggeredAt,
    @Nullable ObjectNode launchNow) {}
