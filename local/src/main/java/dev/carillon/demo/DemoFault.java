package dev.carillon.demo;

/** Thrown when the demo cannot continue; the message is a sentence for the user. */
final class DemoFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DemoFault(String message) {
    super(message);
  }

  DemoFault(String message, Throwable cause) {
    super(message, cause);
  }
}
