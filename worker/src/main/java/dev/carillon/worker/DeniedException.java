package dev.carillon.worker;

/**
 * Thrown if the worker lacks a permission. The message names the permission and contains the
 * answer.
 */
final class DeniedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DeniedException(String permission, Throwable cause) {
    super(permission + "; the answer was: " + cause.getMessage(), cause);
  }
}
