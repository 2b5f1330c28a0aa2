package dev.carillon.runtime;

/**
 * An {@link OptimisticUpdate} lost too many races in a row. Nothing is wrong with the update; the
 * caller may repeat it.
 */
public final class ContentionException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  ContentionException(Object what) {
    super("others change " + what + " all the time; try again");
  }
}
