package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The destination and the content of a launch request, or of a callback.
 *
 * @param queue null for launches that a pool moves to its queue, or that workers pull. Otherwise
 *     the SQS queue as the user wrote it: its URL, its ARN, or its name with or without the
 *     deployment's prefix of targets
 * @param template a JSON value or a string, with variables
 * @param attributes the schedule's own message attributes, whose values can contain variables; at
 *     most 4
 * @param groupId the message group, with variables; null for the default
 */
public record Target(
    @Nullable String queue,
    JsonNode template,
    Map<String, String> attributes,
    @Nullable String groupId) {}
