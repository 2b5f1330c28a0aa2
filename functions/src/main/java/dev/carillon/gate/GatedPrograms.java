package dev.carillon.gate;

import dev.carillon.constraint.Limit;
import dev.carillon.id.GateKey;
import dev.carillon.id.UnreadableItems;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Determines which gates count a launch of a program, even if the launching schedule itself sets no
 * limits. It reads the limits of other schedules from the gates: the program's gate shows all
 * limits of the program's schedules, and a group's gate shows the limits that are set at the group.
 */
public final class GatedPrograms {

  private final String namespace;
  private final LimitedPrograms limited;
  private final GateStates gates;
  private final GateDemands own;

  /**
   * What a gate counts.
   *
   * @param slots whether it counts unfinished attempts
   * @param launches how many of the last launches it remembers
   * @param per for how long it remembers them
   */
  public record Counted(boolean slots, int launches, Duration per) {
    public static final Counted NOTHING = new Counted(false, 0, Duration.ZERO);

    /** The same without counting slots. */
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
   * @param limited the programs that can have limits. They are read before the gates, so a limit
   *     that they do not show was set after this read
   * @param gates reads the gates when they are needed
   * @param own the limits of the job's own schedule, which can be newer than the limits that were
   *     read from gates
   */
  public GatedPrograms(
      String namespace, LimitedPrograms limited, GateStates gates, GateDemands own) {
    this.namespace = namespace;
    this.limited = limited;
    this.gates = gates;
    this.own = own;
  }

  /** Whether the program's gate has to be read to know what counts its launches. */
  public boolean canBeGated(String program) {
    return limited.canInclude(program) || !ofOwn(program).isEmpty();
  }

  /**
   * The gates that count each launch of the program.
   *
   * @throws UnreadableItems if the gates cannot be determined, because a gate or a limit of the
   *     program cannot be read
   */
  public Map<GateKey, Counted> gatesOf(String program) {
    if (!canBeGated(program)) {
      return Map.of();
    }
    Set<GateKey> named = new HashSet<>(ofOwn(program).keySet());
    ownGate(program).limits().stream()
        .filter(Limit::countsLaunches)
        .forEach(limit -> named.add(limit.gate(namespace, program)));
    Map<GateKey, Gate> found = gates.of(named);
    Map<GateKey, Counted> counted = new TreeMap<>(GateKey.ORDER);
    for (GateKey key : named) {
      counted.put(key, counted(found.getOrDefault(key, Gate.unused(key)), program));
    }
    addOwnGate(program, counted);
    return counted;
  }

  private Map<GateKey, List<Limit>> ofOwn(String program) {
    return own.program().equals(program) ? own.counting(namespace) : Map.of();
  }

  /**
   * The program's own gate. It is read together with the gates that the job's own schedule names.
   */
  private Gate ownGate(String program) {
    GateKey key = GateKey.ofProgram(namespace, program);
    Set<GateKey> first = new HashSet<>(ofOwn(program).keySet());
    first.add(key);
    Gate gate = gates.of(first).getOrDefault(key, Gate.unused(key));
    for (String text : gate.demands().keySet()) {
      if (!LimitTexts.isReadable(text)) {
        throw new UnreadableItems(Set.of(key), new IllegalArgumentException("limits " + text));
      }
    }
    return gate;
  }

  private Counted counted(Gate gate, String program) {
    Counted counted = Counted.NOTHING;
    for (Limit limit : gate.limitsHere().flatMap(List::stream).toList()) {
      counted = counted.and(limit);
    }
    for (Limit limit : ofOwn(program).getOrDefault(gate.key(), List.of())) {
      counted = counted.and(limit);
    }
    return counted;
  }

  /**
   * Adds the program's own gate. If an event reports the end of a run but names no job, the slots
   * of this gate identify the run.
   */
  private void addOwnGate(String program, Map<GateKey, Counted> counted) {
    if (counted.values().stream().anyMatch(Counted::slots)) {
      GateKey key = GateKey.ofProgram(namespace, program);
      Counted known = counted.getOrDefault(key, Counted.NOTHING);
      counted.put(key, new Counted(true, known.launches(), known.per()));
    }
  }

  @Override
  public String toString() {
    return namespace + ": " + limited + " " + own;
  }
}
