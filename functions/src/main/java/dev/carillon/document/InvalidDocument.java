package dev.carillon.document;

import java.util.List;
import java.util.stream.Collectors;

/** A document that a user sent is not valid; it holds everything that is wrong with it. */
public final class InvalidDocument extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Fault> faults;

  public InvalidDocument(List<Fault> faults) {
    super(
        faults.stream()
            .map(fault -> fault.pointer() + ": " + fault.detail())
            .collect(Collectors.joining("; ")));
    this.faults = List.copyOf(faults);
  }

  /** At least one. */
  public List<Fault> faults() {
    return faults;
  }
}
