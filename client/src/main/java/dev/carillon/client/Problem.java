package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The problem document (RFC 9457) in which the API explains why it did not carry out a request.
 *
 * @param detail the explanation for people
 * @param errors the individual faults of the request; empty if the detail says everything
 * @param type the kind of refusal, for programs, like {@link Runs#STALE_CLAIM}; {@code about:blank}
 *     if the answer has none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Problem(String title, int status, String detail, List<Fault> errors, String type) {

  /**
   * @param pointer a JSON pointer into the body; for a part of the address, {@code /path/…} or
   *     {@code /query/…}
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Fault(String pointer, String detail) {}

  /** Replaces absent members by empty ones. */
  public Problem {
    title = title == null ? "" : title;
    detail = detail == null ? title : detail;
    errors = errors == null ? List.of() : List.copyOf(errors);
    type = type == null ? "about:blank" : type;
  }

  /** The detail, and every fault. */
  String text() {
    return errors.isEmpty()
        ? detail
        : errors.stream()
            .map(fault -> fault.pointer() + ": " + fault.detail())
            .collect(Collectors.joining("; "));
  }
}
