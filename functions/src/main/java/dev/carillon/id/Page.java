package dev.carillon.id;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing, in the order of the items' keys.
 *
 * @param next the start of the next page; null if this is the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {

  /**
   * Checks the page token that a caller gives.
   *
   * @throws IllegalArgumentException if it is not a page token; the message is for the caller
   */
  public static void requireToken(@Nullable String next, String form) {
    if (next != null && !next.matches(form)) {
      throw new IllegalArgumentException(
          "next is not a page token; send the value of next from the previous page");
    }
  }
}
