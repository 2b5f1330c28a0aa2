package dev.carillon.id;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing, in the order of the listed items' keys.
 *
 * @param next where the following page begins; null if this is the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {

  /**
   * Checks what a caller gives as the beginning of a page.
   *
   * @throws IllegalArgumentException if it cannot be one, in words for the caller
   */
  public static void requireToken(@Nullable String next, String form) {
    if (next != null && !next.matches(form)) {
      throw new IllegalArgumentException("next is no value that a page before this one ended with");
    }
  }
}
