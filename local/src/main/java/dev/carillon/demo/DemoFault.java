package dev.carillon.demo;

/** Why the demo cannot go on, as a sentence. */
final class DemoFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DemoFault(String message) {
    super(message);
  }

  DemoFault(String message, Throwable cause) {
    super(message, cause);
  }
}
