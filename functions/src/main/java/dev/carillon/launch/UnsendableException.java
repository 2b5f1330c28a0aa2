package dev.carillon.launch;

/** Ends the rendering of a request that no queue could ever take; never leaves this package. */
final class UnsendableException extends RuntimeException {

  UnsendableException(String reason) {
    super(reason);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
