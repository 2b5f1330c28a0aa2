package dev.carillon.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the word that a user most likely meant. */
final class Nearest {

  /**
   * If the given word has at least this many letters, it can be the beginning of a longer word. At
   * most this many longer words are named.
   */
  private static final int SHORTEST = 3;

  private Nearest() {}

  /**
   * The nearest word, if it differs from the given one in at most a third of its letters; otherwise
   * the words that begin with the given one.
   */
  static Optional<String> to(String given, Collection<String> words) {
    String word = given.toLowerCase(Locale.ROOT);
    Optional<String> near =
        words.stream()
            .min(Comparator.comparingInt(each -> distance(word, each.toLowerCase(Locale.ROOT))))
            .filter(
                each ->
                    3 * distance(word, each.toLowerCase(Locale.ROOT))
                        <= Math.max(word.length(), each.length()));
    return near.or(() -> longer(word, words));
  }

  private static Optional<String> longer(String word, Collection<String> words) {
    String longer =
        words.stream()
            .filter(each -> word.length() >= SHORTEST && each.startsWith(word))
            .sorted()
            .limit(SHORTEST)
            .collect(Collectors.joining(" or "));
    return longer.isEmpty() ? Optional.empty() : Optional.of(longer);
  }

  /** How many letters must be added, removed, replaced or swapped with the next one. */
  private static int distance(String from, String to) {
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        steps[i][j] = Math.min(i, j) == 0 ? Math.max(i, j) : step(steps, from, to, i, j);
      }
    }
    return steps[from.length()][to.length()];
  }

  private static int step(int[][] steps, String from, String to, int i, int j) {
    int same = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
    int best = Math.min(steps[i - 1][j - 1] + same, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
    boolean isSwapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return isSwapped ? Math.min(best, steps[i - 2][j - 2] + 1) : best;
  }
}
