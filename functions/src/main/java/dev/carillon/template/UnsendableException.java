package dev.carillon.template;

/** Ends the rendering of a request that no queue could ever take. */
public final class UnsendableException extends RuntimeException {

  public UnsendableException(String reason) {
    super(reason);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
