package dev.carillon.imports;

/**
 * Thrown for an item that no document can represent; the message states why, and what can be done.
 */
public final class NotCarried extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public NotCarried(String reason) {
    super(reason);
  }
}
