package dev.carillon.imports;

/** An item that no document can stand for; the message says why, and what can be done. */
public final class NotCarried extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public NotCarried(String reason) {
    super(reason);
  }
}
