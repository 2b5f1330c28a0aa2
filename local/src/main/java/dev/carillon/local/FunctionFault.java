package dev.carillon.local;

/** A function in a process of its own that threw, took too long or ended. */
public final class FunctionFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  FunctionFault(String message) {
    super(message);
  }
}
