package dev.carillon.document;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for an invalid submitted document. Holds all its faults. */
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

  /** The faults, at least one. */
  public List<Fault> faults() {
    return faults;
  }
}
