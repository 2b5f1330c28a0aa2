package dev.carillon.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The episodes that showed mutations last, so that the search for a mutation begins there. */
final class FirstShown {

  private static final Map<String, Integer> EPISODES = read();

  private FirstShown() {}

  private static Map<String, Integer> read() {
    try (var episodes = FirstShown.class.getResourceAsStream("first-shown.txt")) {
      return new String(episodes.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" "))
          .collect(Collectors.toMap(words -> words[0], words -> Integer.valueOf(words[1])));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static int episode(Enum<?> mutation) {
    return EPISODES.getOrDefault(mutation.name(), 1);
  }

  /** All episodes up to {@code most}, beginning with the one that showed the mutation last. */
  static IntStream episodes(Enum<?> mutation, int most) {
    int first = episode(mutation);
    return IntStream.concat(IntStream.rangeClosed(first, most), IntStream.range(1, first));
  }
}
