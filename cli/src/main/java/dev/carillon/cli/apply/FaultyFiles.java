package dev.carillon.cli.apply;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if files have faults; nothing was applied. */
public final class FaultyFiles extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<LocatedFault> faults;

  public FaultyFiles(List<LocatedFault> faults) {
    super(faults.stream().map(LocatedFault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  FaultyFiles(LocatedFault fault) {
    this(List.of(fault));
  }

  public List<LocatedFault> faults() {
    return faults;
  }
}
