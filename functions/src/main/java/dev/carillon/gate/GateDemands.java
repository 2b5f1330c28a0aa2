package dev.carillon.gate;

import dev.carillon.constraint.Limit;
import dev.carillon.id.GateKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The limits that one schedule sets at gates for the launch of its jobs. */
public record GateDemands(String program, List<Limit> limits) {

  /** The limits as a schedule's head stores them; null if there are none. */
  public @Nullable String text() {
    return limits.isEmpty() ? null : LimitTexts.of(limits);
  }

  /** By gate, the limits that make this gate count launches. */
  Map<GateKey, List<Limit>> counting(String namespace) {
    return limits.stream()
        .filter(Limit::countsLaunches)
        .collect(
            Collectors.groupingBy(
                limit -> limit.gate(namespace, program),
                () -> new TreeMap<>(GateKey.ORDER),
                Collectors.toList()));
  }
}
