package dev.carillon.worker;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The message that asks for one attempt of a job.
 *
 * @param namespace the namespace of schedule and program
 * @param attempt the number of the attempt, from 1
 * @param priority 0 to 9; 0 is the most urgent
 * @param scheduledFor the instant that the job is for
 * @param attributes all attributes of the message, including those of the schedule
 */
public record LaunchRequest(
    String jobId,
    int attempt,
    String namespace,
    String schedule,
    String program,
    int priority,
    Instant scheduledFor,
    String body,
    Map<String, String> attributes) {

  /** Keeps a copy of the attributes. */
  public LaunchRequest {
    attributes = Map.copyOf(attributes);
  }

  /**
   * Reads a message.
   *
   * @throws IllegalArgumentException if the message is not a launch request
   */
  static LaunchRequest of(String body, Map<String, String> attributes) {
    String[] program = pair(attributes, "carillon-program");
    try {
      return new LaunchRequest(
          required(attributes, "carillon-job-id"),
          Integer.parseInt(required(attributes, "carillon-attempt")),
          program[0],
          pair(attributes, "carillon-schedule")[1],
          program[1],
          Integer.parseInt(required(attributes, "carillon-priority")),
          Instant.parse(required(attributes, "carillon-scheduled-for")),
          body,
          attributes);
    } catch (NumberFormatException | DateTimeException invalid) {
      throw new IllegalArgumentException(
          "an attribute of the message cannot be read: " + invalid.getMessage(), invalid);
    }
  }

  private static String required(Map<String, String> attributes, String name) {
    @Nullable String value = attributes.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the message has no attribute " + name);
    }
    return value;
  }

  private static String[] pair(Map<String, String> attributes, String name) {
    String[] pair = required(attributes, name).split("/", 2);
    if (pair.length < 2) {
      throw new IllegalArgumentException("the attribute " + name + " has no namespace");
    }
    return pair;
  }
}
