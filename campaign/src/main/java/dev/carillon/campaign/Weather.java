package dev.carillon.campaign;

import dev.carillon.campaign.Scenario.Outage;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which faults strike in one episode, and when. After {@code end} none do. */
final class Weather {

  private final Chance chance;
  private final Steps steps;
  private final long end;
  private final @Nullable Outage outage;
  private final Map<FaultKind, Integer> rates;
  private final Set<FaultKind> spared;
  private final Map<FaultKind, Long> injected = new EnumMap<>(FaultKind.class);
  private final @Nullable Blow blow;
  private long firstAt = Long.MAX_VALUE;
  private long lastAt = Long.MIN_VALUE;
  private int calls;

  /** A single fault at one call, counted from 0 over all functions. */
  record Blow(int call, Fate fate) {}

  private Weather(
      Chance chance,
      Steps steps,
      Scenario scenario,
      @Nullable Outage outage,
      Map<FaultKind, Integer> rates,
      Set<FaultKind> spared,
      @Nullable Blow blow) {
    this.chance = chance;
    this.steps = steps;
    this.end = scenario.faultsTo();
    this.outage = outage;
    this.rates = rates;
    this.spared = spared;
    this.blow = blow;
  }

  /**
   * Each kind of fault often, seldom or never.
   *
   * @param spared do not strike, but take their random numbers, so that the others strike as before
   *     for as long as the functions do what they did
   */
  static Weather random(Chance chance, Steps steps, Scenario scenario, Set<FaultKind> spared) {
    Map<FaultKind, Integer> rates = new EnumMap<>(FaultKind.class);
    int mildness = chance.of(0, 1, 1, 2, 3);
    for (FaultKind kind : EnumSet.complementOf(EnumSet.of(FaultKind.OUTAGE))) {
      int rate = chance.below(4) < mildness ? 0 : kind.highestRate / chance.of(1, 2, 4);
      rates.put(kind, rate);
    }
    Outage outage = spared.contains(FaultKind.OUTAGE) ? null : scenario.outage();
    return new Weather(chance, steps, scenario, outage, rates, spared, null);
  }

  /** Nothing but what is planned and one blow, or no blow. */
  static Weather calm(Chance chance, Steps steps, Scenario scenario, @Nullable Blow blow) {
    return new Weather(chance, steps, scenario, scenario.outage(), Map.of(), Set.of(), blow);
  }

  /** Has the outage that is planned counted; it is a fault until it ends. */
  void begin() {
    if (outage != null) {
      steps.at(outage.from(), () -> count(FaultKind.OUTAGE));
      steps.at(outage.to(), () -> lastAt = Math.max(lastAt, outage.to()));
    }
  }

  /** Null if there is none. */
  @Nullable Outage outage() {
    return outage;
  }

  boolean letsMasterTick() {
    return outage == null || !outage.contains(steps.now());
  }

  /** From when on check messages are handed out: now, or when the checker runs again. */
  long checksFrom() {
    long now = steps.now();
    return outage != null && outage.ofChecker() && outage.contains(now) ? outage.to() : now;
  }

  long end() {
    return end;
  }

  boolean isOver() {
    return steps.now() >= end;
  }

  /** Whether a fault of this kind happens now; counted. */
  boolean strikes(FaultKind kind) {
    boolean strikes = !isOver() && hits(kind);
    if (strikes) {
      count(kind);
    }
    return strikes;
  }

  private boolean hits(FaultKind kind) {
    return chance.perMille(rates.getOrDefault(kind, 0)) && !spared.contains(kind);
  }

  /** Whether what the scenario has planned may happen; it is counted when it does. */
  boolean allows(FaultKind kind) {
    return isScripted() || hits(kind);
  }

  void count(FaultKind kind) {
    injected.merge(kind, 1L, Long::sum);
    if (kind != FaultKind.LOST_RACE) {
      firstAt = Math.min(firstAt, steps.now());
      lastAt = steps.now();
    }
  }

  long millis(long least, long most) {
    return chance.between(least, most);
  }

  /** How long a call takes, one way. */
  long latency() {
    if (strikes(FaultKind.STALL)) {
      return chance.between(500, 9_000);
    }
    return chance.below(20) == 0 ? chance.between(10, 150) : chance.between(0, 4);
  }

  Fate fate(boolean writes, boolean conditional, boolean batch) {
    int call = calls;
    calls += isOver() ? 0 : 1;
    if (blow != null) {
      return call == blow.call() && !isOver() ? struck(blow.fate()) : Fate.WELL;
    }
    if (isOver()) {
      return Fate.WELL;
    }
    return writes ? ofWrite(conditional, batch) : ofRead();
  }

  private Fate struck(Fate fate) {
    switch (fate) {
      case KILL_BEFORE -> count(FaultKind.KILL_BEFORE);
      case KILL_AFTER -> count(FaultKind.KILL_AFTER);
      case FAIL_AFTER -> count(FaultKind.TIMEOUT_AFTER_WRITE);
      default -> count(FaultKind.THROTTLED);
    }
    return fate;
  }

  private Fate ofRead() {
    if (strikes(FaultKind.KILL_BEFORE)) {
      return Fate.KILL_BEFORE;
    }
    return strikes(FaultKind.THROTTLED) ? Fate.FAIL_BEFORE : Fate.WELL;
  }

  private Fate ofWrite(boolean conditional, boolean batch) {
    if (strikes(FaultKind.KILL_AFTER)) {
      return Fate.KILL_AFTER;
    }
    if (batch && strikes(FaultKind.PARTIAL_BATCH)) {
      return Fate.PARTIAL;
    }
    if (strikes(FaultKind.TIMEOUT_AFTER_WRITE)) {
      return Fate.FAIL_AFTER;
    }
    if (conditional && strikes(FaultKind.REPLY_LOST)) {
      return Fate.REPLY_LOST;
    }
    if (conditional && strikes(FaultKind.CONFLICT)) {
      return Fate.CONFLICT;
    }
    return ofRead();
  }

  /** Whether all that goes wrong here is written down. */
  boolean isScripted() {
    return rates.isEmpty();
  }

  /** Whether clocks show something else than the time, by what is wrong with them. */
  boolean hasWrongClocks() {
    return rates.getOrDefault(FaultKind.CLOCK_SKEWED, 0) > 0
        || rates.getOrDefault(FaultKind.CLOCK_STEPPED, 0) > 0;
  }

  /** How many calls there were before the end. */
  int calls() {
    return calls;
  }

  /** When the first fault happened; the end of time if none did. */
  long firstAt() {
    return firstAt;
  }

  /** When the last fault happened; the beginning of time if none did. */
  long lastAt() {
    return lastAt;
  }

  Map<FaultKind, Long> injected() {
    return injected;
  }
}
