package dev.carillon.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a misspelt word probably meant. */
final class Nearest {

  private Nearest() {}

  /**
   * The nearest known word; empty if each differs by more than two letters and more than a third of
   * them.
   */
  static Optional<String> to(String given, Collection<String> known) {
    int limit = given.length() < 4 ? 1 : Math.max(2, given.length() / 3);
    String lower = given.toLowerCase(Locale.ROOT);
    return known.stream()
        .map(word -> new Candidate(word, distance(lower, word.toLowerCase(Locale.ROOT))))
        .filter(candidate -> candidate.distance() <= limit)
        .min(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::word))
        .map(Candidate::word);
  }

  private record Candidate(String word, int distance) {}

  /** The number of letters to add, remove or replace (Levenshtein distance). */
  private static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      above[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] current = new int[to.length() + 1];
      current[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        int shorter = Math.min(above[column], current[column - 1]) + 1;
        current[column] = Math.min(above[column - 1] + replaced, shorter);
      }
      above = current;
    }
    return above[to.length()];
  }
}
