package dev.carillon.gate;

import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.id.GateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the schedules of one namespace ask of gates: from it follows what every launch of a program
 * has to be counted for, whether its own schedule asks for anything or not.
 */
public final class GatedPrograms {

  private final String namespace;
  private final List<GateDemands> all;
  private final Map<String, Map<GateKey, Counted>> byProgram = new HashMap<>();

  /**
   * What a gate has to know of launches.
   *
   * @param slots whether unfinished attempts are counted
   * @param launches how many of the last launches
   * @param per for how long
   */
  public record Counted(boolean slots, int launches, Duration per) {
    public static final Counted NOTHING = new Counted(false, 0, Duration.ZERO);

    /** Without the slots. */
    public Counted rate() {
      return new Counted(false, launches, per);
    }

    private Counted and(Limit limit) {
      if (!(limit instanceof Limit.Launches rate)) {
        return new Counted(true, launches, per);
      }
      Duration longer = rate.per().compareTo(per) > 0 ? rate.per() : per;
      return new Counted(slots, Math.max(launches, rate.max()), longer);
    }
  }

  /**
   * @param all one for each schedule that asks for something
   */
  public GatedPrograms(String namespace, List<GateDemands> all) {
    this.namespace = namespace;
    this.all = List.copyOf(all);
    Map<GateKey, Counted> counted = new HashMap<>();
    for (GateDemands demands : all) {
      for (Limit limit : counting(demands)) {
        GateKey gate = gate(limit, demands);
        counted.put(gate, counted.getOrDefault(gate, Counted.NOTHING).and(limit));
      }
    }
    for (GateDemands demands : all) {
      Map<GateKey, Counted> gates =
          byProgram.computeIfAbsent(demands.program(), any -> new TreeMap<>(GateKey.ORDER));
      for (Limit limit : counting(demands)) {
        GateKey gate = gate(limit, demands);
        gates.put(gate, counted.getOrDefault(gate, Counted.NOTHING));
      }
    }
    byProgram.forEach(this::addOwnGate);
  }

  private static List<Limit> counting(GateDemands demands) {
    return demands.limits().stream().filter(Limit::countsLaunches).toList();
  }

  private GateKey gate(Limit limit, GateDemands demands) {
    return limit.gate(namespace, demands.program());
  }

  /** By its slots the run is found whose end names no job. */
  private void addOwnGate(String program, Map<GateKey, Counted> gates) {
    if (gates.values().stream().anyMatch(Counted::slots)) {
      GateKey own = GateKey.ofProgram(namespace, program);
      Counted known = gates.getOrDefault(own, Counted.NOTHING);
      gates.put(own, new Counted(true, known.launches(), known.per()));
    }
  }

  /** The same with what a schedule asks for that may not be among it yet. */
  public GatedPrograms with(GateDemands demands) {
    if (demands.limits().isEmpty() || all.contains(demands)) {
      return this;
    }
    List<GateDemands> more = new ArrayList<>(all);
    more.add(demands);
    return new GatedPrograms(namespace, more);
  }

  /** Whether a gate counts launches of the program in time, and not just those under way. */
  public boolean countsLaunches(String program) {
    return gatesOf(program).values().stream().anyMatch(counted -> counted.launches() > 0);
  }

  /** The gates that count each launch of the program. */
  public Map<GateKey, Counted> gatesOf(String program) {
    return byProgram.getOrDefault(program, Map.of());
  }

  /** What the program's schedules ask for, each once. */
  public List<Limit> limitsOf(String program) {
    return all.stream()
        .filter(demands -> demands.program().equals(program))
        .flatMap(demands -> demands.limits().stream())
        .distinct()
        .toList();
  }

  /** Whether some schedule's job could go through this gate now. */
  public boolean isOpenToAny(Gate gate, Instant now) {
    return limitsAt(gate).anyMatch(limits -> gate.unmet(limits, null, now).isEmpty());
  }

  /** When the gate opens by itself to some schedule's jobs; empty if only an event opens it. */
  public Optional<Instant> opening(Gate gate, Instant now) {
    return limitsAt(gate)
        .flatMap(limits -> gate.unmet(limits, null, now).stream())
        .map(NotYet::lookAt)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder());
  }

  private Stream<List<Limit>> limitsAt(Gate gate) {
    return all.stream()
        .map(
            demands ->
                demands.limits().stream()
                    .filter(limit -> gate(limit, demands).equals(gate.key()))
                    .toList())
        .filter(limits -> !limits.isEmpty());
  }

  @Override
  public String toString() {
    return namespace + ": " + all;
  }
}
