package dev.carillon.template;

/** Thrown during the rendering of a request that no queue can ever accept. */
public final class UnsendableException extends RuntimeException {

  public UnsendableException(String reason) {
    super(reason);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
