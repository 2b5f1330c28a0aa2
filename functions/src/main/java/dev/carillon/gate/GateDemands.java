package dev.carillon.gate;

import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.GaugeWithin.Side;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The limits that one schedule sets at gates for the launch of its jobs. */
public record GateDemands(String program, List<Limit> limits) {

  /** A short text that {@link #parse} reads. */
  public String text() {
    return Stream.concat(Stream.of(program), limits.stream().map(GateDemands::text))
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
    return limit instanceof GaugeWithin gauge
        ? text(gauge)
        : "s" + ((SinceSuccess) limit).duration().toMillis();
  }

  private static String text(GaugeWithin gauge) {
    return "g%s%s%s:%s"
        .formatted(
            gauge.side() == Side.AT_MOST ? "<" : ">",
            gauge.openIfUnknown() ? "a" : "w",
            gauge.bound().toPlainString(),
            gauge.resource());
  }

  /** Reads a text of {@link #text}. */
  public static GateDemands parse(String text) {
    List<String> parts = List.of(text.split(";", -1));
    List<Limit> limits = parts.stream().skip(1).map(GateDemands::limit).toList();
    return new GateDemands(parts.get(0), limits);
  }

  /** The program of a text whose limits cannot be read. */
  public static String program(String text) {
    return text.substring(0, text.indexOf(';') < 0 ? text.length() : text.indexOf(';'));
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
