package dev.carillon.gate;

import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.GaugeWithin.Side;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.id.GateKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Limits as short texts, because each write of a gate costs according to its size. */
public final class LimitTexts {

  private static final String SEPARATOR = ";";

  private LimitTexts() {}

  public static String of(List<Limit> limits) {
    return limits.stream().map(LimitTexts::of).collect(Collectors.joining(SEPARATOR));
  }

  private static String of(Limit limit) {
    String suffix = limit.group() == null ? "" : ":" + limit.group();
    if (limit instanceof Unfinished unfinished) {
      return "c" + unfinished.max() + suffix;
    }
    if (limit instanceof Launches launches) {
      return "r" + launches.max() + "/" + launches.per().toMillis() + suffix;
    }
    return limit instanceof GaugeWithin gauge
        ? of(gauge)
        : "s" + ((SinceSuccess) limit).duration().toMillis();
  }

  private static String of(GaugeWithin gauge) {
    return "g%s%s%s:%s"
        .formatted(
            gauge.side() == Side.AT_MOST ? "<" : ">",
            gauge.openIfUnknown() ? "a" : "w",
            gauge.bound().toPlainString(),
            gauge.resource());
  }

  /**
   * Reads a text of {@link #of(List)}.
   *
   * @throws RuntimeException if a limit cannot be read because a newer version stored it
   */
  public static List<Limit> parse(String text) {
    return List.of(text.split(SEPARATOR, -1)).stream().map(LimitTexts::limit).toList();
  }

  /** The distinct limits of texts, as far as they can be read. */
  static List<Limit> limits(Collection<String> texts) {
    return texts.stream().sorted().flatMap(text -> readable(text).stream()).distinct().toList();
  }

  /**
   * For each text, the limits that it sets at a gate. Texts that set no limits there are left out.
   */
  static Stream<List<Limit>> at(GateKey gate, Collection<String> texts) {
    return texts.stream()
        .map(text -> readable(text).stream().filter(limit -> isAt(gate, limit)).toList())
        .filter(limits -> !limits.isEmpty());
  }

  private static boolean isAt(GateKey gate, Limit limit) {
    return limit.gate(gate.namespace(), gate.name()).equals(gate);
  }

  /** The limits of the text that can be read. */
  static List<Limit> readable(String text) {
    return List.of(text.split(SEPARATOR, -1)).stream()
        .flatMap(one -> readableLimit(one).stream())
        .toList();
  }

  private static Optional<Limit> readableLimit(String text) {
    try {
      return Optional.of(limit(text));
    } catch (RuntimeException newer) {
      return Optional.empty();
    }
  }

  static boolean isReadable(String text) {
    return readable(text).size() == text.split(SEPARATOR, -1).length;
  }

  private static Limit limit(String text) {
    int colon = text.indexOf(':');
    String numbers = text.substring(1, colon < 0 ? text.length() : colon);
    @Nullable String name = colon < 0 ? null : text.substring(colon + 1);
    return switch (text.charAt(0)) {
      case 'c' -> new Unfinished(Integer.parseInt(numbers), name);
      case 'r' -> {
        int slash = numbers.indexOf('/');
        Duration per = Duration.ofMillis(Long.parseLong(numbers.substring(slash + 1)));
        yield new Launches(Integer.parseInt(numbers.substring(0, slash)), per, name);
      }
      case 'g' -> {
        Side side = numbers.charAt(0) == '<' ? Side.AT_MOST : Side.AT_LEAST;
        BigDecimal bound = new BigDecimal(numbers.substring(2));
        yield new GaugeWithin(String.valueOf(name), side, bound, numbers.charAt(1) == 'a');
      }
      case 's' -> new SinceSuccess(Duration.ofMillis(Long.parseLong(numbers)));
      default -> throw new IllegalArgumentException("not a limit: " + text);
    };
  }
}
