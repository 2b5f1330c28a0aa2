package dev.carillon.runtime;

/**
 * Other writers came first each time: an {@link OptimisticUpdate} lost too many races in a row, or
 * a write met their transactions at each try. The update itself is valid; the caller can repeat it.
 */
public final class ContentionException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  ContentionException(Object what) {
    super(what + " is changed too often by other writers; try again");
  }

  /**
   * @param refusal the answer to the last try of a write
   */
  public ContentionException(RuntimeException refusal) {
    super("other writers' transactions change the same items; try again", refusal);
  }
}
