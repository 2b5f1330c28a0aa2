package dev.carillon.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The episode that showed each mutation, as the page of results has it: the search for a mutation
 * begins there.
 */
final class FirstShown {

  private static final Path RESULTS = Path.of("../docs/reliability/results.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (.+?) \\| ([\\d,]+) \\| [a-z ]+ \\|$");

  private static final Map<String, Integer> EPISODES = read();

  private FirstShown() {}

  private static Map<String, Integer> read() {
    Map<String, Integer> episodes = new LinkedHashMap<>();
    Matcher row = ROW.matcher(table());
    while (row.find()) {
      Integer second = episodes.put(row.group(1), Integer.valueOf(row.group(2).replace(",", "")));
      if (second != null) {
        throw new AssertionError("the page of results has two rows for: " + row.group(1));
      }
    }
    return episodes;
  }

  private static String table() {
    try {
      String page = Files.readString(RESULTS);
      return page.substring(page.indexOf("## Mutations")).replace("`", "");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The mutations on the page, in its order. */
  static List<String> mutations() {
    return List.copyOf(EPISODES.keySet());
  }

  /** The episode of a mutation on the page; the first one if it is not there. */
  static int episode(String mutation) {
    return EPISODES.getOrDefault(mutation, 1);
  }

  /** All episodes up to {@code most}, beginning with the one that showed the mutation. */
  static IntStream episodes(String mutation, int most) {
    int first = Math.min(episode(mutation), most);
    return IntStream.concat(IntStream.rangeClosed(first, most), IntStream.range(1, first));
  }
}
