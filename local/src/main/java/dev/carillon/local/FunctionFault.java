package dev.carillon.local;

/** Thrown when a function in a separate process threw, timed out or ended. */
public final class FunctionFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  FunctionFault(String message) {
    super(message);
  }
}
