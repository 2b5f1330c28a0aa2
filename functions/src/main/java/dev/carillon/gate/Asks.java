package dev.carillon.gate;

import dev.carillon.gate.Limit.Launches;
import dev.carillon.gate.Limit.SinceSuccess;
import dev.carillon.gate.Limit.Unfinished;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The limits that one schedule puts on the launches of its program. */
public record Asks(String program, List<Limit> limits) {

  /** A short text, from which {@link #parse} makes it again. */
  public String text() {
    return Stream.concat(Stream.of(program), limits.stream().map(Asks::text))
        .collect(Collectors.joining(";"));
  }

  private static String text(Limit limit) {
    String suffix = limit.group() == null ? "" : ":" + limit.group();
    if (limit instanceof Unfinished unfinished) {
      return "c" + unfinished.max() + suffix;
    }
    if (limit instanceof Launches launches) {
      return "r" + launches.max() + "/" + launches.per().toMillis() + suffix;
    }
    return "s" + ((SinceSuccess) limit).duration().toMillis();
  }

  public static Asks parse(String text) {
    List<String> parts = List.of(text.split(";", -1));
    List<Limit> limits = parts.stream().skip(1).map(Asks::limit).toList();
    return new Asks(parts.get(0), limits);
  }

  private static Limit limit(String text) {
    int colon = text.indexOf(':');
    String numbers = text.substring(1, colon < 0 ? text.length() : colon);
    @Nullable String group = colon < 0 ? null : text.substring(colon + 1);
    return switch (text.charAt(0)) {
      case 'c' -> new Unfinished(Integer.parseInt(numbers), group);
      case 'r' -> {
        int slash = numbers.indexOf('/');
        Duration per = Duration.ofMillis(Long.parseLong(numbers.substring(slash + 1)));
        yield new Launches(Integer.parseInt(numbers.substring(0, slash)), per, group);
      }
      case 's' -> new SinceSuccess(Duration.ofMillis(Long.parseLong(numbers)));
      default -> throw new IllegalArgumentException("not a limit: " + text);
    };
  }
}
