package dev.carillon.event;

import dev.carillon.document.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** The result of parsing one message of the ingest queue or one item of an HTTP request. */
public sealed interface ParsedMessage {

  /**
   * @param events in order; empty for a message without facts, like the test message that S3 sends
   *     when notifications are configured
   */
  record Events(List<Event> events) implements ParsedMessage {}

  /**
   * The message is refused as a whole.
   *
   * @param faults at least one
   */
  record Malformed(List<Fault> faults) implements ParsedMessage {

    private static final int LONGEST_REASON = 1_000;

    /** All faults in one line of at most 1,000 characters, in the form of a message attribute. */
    public String reason() {
      String reason =
          faults.stream()
              .map(fault -> (fault.pointer() + " " + fault.detail()).strip())
              .collect(Collectors.joining("; "))
              .replaceAll("[\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF]", "?");
      return reason.length() <= LONGEST_REASON
          ? reason
          : reason.substring(0, reason.offsetByCodePoints(0, LONGEST_REASON / 2)) + "…";
    }
  }
}
