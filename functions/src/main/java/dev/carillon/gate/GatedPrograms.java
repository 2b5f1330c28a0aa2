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
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The gate demands of all schedules of one namespace. They determine which gates count a launch of
 * a program, even if the launching schedule itself demands nothing.
 */
public final class GatedPrograms {

  private final String namespace;
  private final List<GateDemands> all;
  private final Set<String> unreadable;
  private final Map<String, Map<GateKey, Counted>> byProgram = new HashMap<>();

  /**
   * What a gate has to count.
   *
   * @param slots whether it counts unfinished attempts
   * @param launches how many of the last launches it remembers
   * @param per for how long it remembers them
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
   * @param all one for each schedule that demands something
   */
  public GatedPrograms(String namespace, List<GateDemands> all) {
    this(namespace, all, Set.of());
  }

  /**
   * @param all one for each schedule that demands something
   * @param unreadable the programs with demands that cannot be read
   */
  public GatedPrograms(String namespace, List<GateDemands> all, Set<String> unreadable) {
    this.namespace = namespace;
    this.all = List.copyOf(all);
    this.unreadable = Set.copyOf(unreadable);
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

  /**
   * Adds the program's own gate. Its slots identify the run that an event ends without naming a
   * job.
   */
  private void addOwnGate(String program, Map<GateKey, Counted> gates) {
    if (gates.values().stream().anyMatch(Counted::slots)) {
      GateKey own = GateKey.ofProgram(namespace, program);
      Counted known = gates.getOrDefault(own, Counted.NOTHING);
      gates.put(own, new Counted(true, known.launches(), known.per()));
    }
  }

  /** Adds the demands of a schedule that may not be included. */
  public GatedPrograms with(GateDemands demands) {
    if (demands.limits().isEmpty() || all.contains(demands)) {
      return this;
    }
    List<GateDemands> more = new ArrayList<>(all);
    more.add(demands);
    return new GatedPrograms(namespace, more, unreadable);
  }

  /** Whether a schedule of the program demands something that cannot be read. */
  public boolean isUnreadable(String program) {
    return unreadable.contains(program);
  }

  /** Whether a gate counts launches of the program over time, not only unfinished attempts. */
  public boolean countsLaunches(String program) {
    return gatesOf(program).values().stream().anyMatch(counted -> counted.launches() > 0);
  }

  /** The gates that count each launch of the program. */
  public Map<GateKey, Counted> gatesOf(String program) {
    return byProgram.getOrDefault(program, Map.of());
  }

  /** The distinct limits of the program's schedules. */
  public List<Limit> limitsOf(String program) {
    return all.stream()
        .filter(demands -> demands.program().equals(program))
        .flatMap(demands -> demands.limits().stream())
        .distinct()
        .toList();
  }

  /** Whether a job of any schedule could pass this gate now. */
  public boolean isOpenToAny(Gate gate, Instant now) {
    return limitsAt(gate).anyMatch(limits -> gate.unmet(limits, null, now).isEmpty());
  }

  /**
   * When the gate next opens to jobs of any schedule without an event; empty if only an event opens
   * it.
   */
  public Optional<Instant> opening(Gate gate, Instant now) {
    return limitsAt(gate)
        .flatMap(limits -> gate.unmet(limits, null, now).stream())
        .map(NotYet::checkAt)
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
