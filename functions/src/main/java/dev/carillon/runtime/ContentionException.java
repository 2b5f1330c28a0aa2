package dev.carillon.runtime;

/**
 * An {@link OptimisticUpdate} lost too many races in a row. The update itself is valid; the caller
 * can repeat it.
 */
public final class ContentionException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  ContentionException(Object what) {
    super(what + " is changed too often by other writers; try again");
  }
}
