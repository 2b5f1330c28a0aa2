package dev.carillon.campaign.engine;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which faults strike in one episode, and when. After {@code end} none do. */
public final class FaultPlan {

  private final Chance chance;
  private final Steps steps;
  private final long end;
  private final @Nullable Outage outage;
  private final Map<FaultKind, Integer> rates;
  private final Set<FaultKind> spared;
  private final Map<FaultKind, Long> injected = new EnumMap<>(FaultKind.class);
  private final @Nullable InjectedFault single;
  private long firstAt = Long.MAX_VALUE;
  private long lastAt = Long.MIN_VALUE;
  private int calls;

  private FaultPlan(
      Chance chance,
      Steps steps,
      long end,
      @Nullable Outage outage,
      Map<FaultKind, Integer> rates,
      Set<FaultKind> spared,
      @Nullable InjectedFault single) {
    this.chance = chance;
    this.steps = steps;
    this.end = end;
    this.outage = outage;
    this.rates = rates;
    this.spared = spared;
    this.single = single;
  }

  /**
   * The spared kinds of random faults take their random numbers all the same, so that the others
   * strike as before for as long as the functions do what they did.
   *
   * @param outage that is planned; null if none is
   */
  public static FaultPlan of(
      FaultProfile profile, Chance chance, Steps steps, long end, @Nullable Outage outage) {
    Set<FaultKind> spared = profile.spared();
    if (spared == null) {
      return new FaultPlan(chance, steps, end, outage, Map.of(), Set.of(), profile.single());
    }
    Outage happens = spared.contains(FaultKind.OUTAGE) ? null : outage;
    return new FaultPlan(chance, steps, end, happens, rates(chance), spared, profile.single());
  }

  private static Map<FaultKind, Integer> rates(Chance chance) {
    Map<FaultKind, Integer> rates = new EnumMap<>(FaultKind.class);
    int mildness = chance.of(0, 1, 1, 2, 3);
    for (FaultKind kind : EnumSet.complementOf(EnumSet.of(FaultKind.OUTAGE))) {
      int rate = chance.below(4) < mildness ? 0 : kind.highestRate / chance.of(1, 2, 4);
      rates.put(kind, rate);
    }
    return rates;
  }

  /** Has the outage that is planned counted; it is a fault until it ends. */
  public void begin() {
    if (outage != null) {
      steps.at(outage.from(), () -> count(FaultKind.OUTAGE));
      steps.at(outage.to(), () -> lastAt = Math.max(lastAt, outage.to()));
    }
  }

  /** Null if there is none. */
  public @Nullable Outage outage() {
    return outage;
  }

  public boolean letsMasterTick() {
    return outage == null || !outage.contains(steps.now());
  }

  /** From when on check messages are handed out: now, or when the checker runs again. */
  public long checksFrom() {
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
  public boolean strikes(FaultKind kind) {
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
  public boolean allows(FaultKind kind) {
    return isScripted() || hits(kind);
  }

  public void count(FaultKind kind) {
    injected.merge(kind, 1L, Long::sum);
    if (kind != FaultKind.LOST_RACE) {
      firstAt = Math.min(firstAt, steps.now());
      lastAt = steps.now();
    }
  }

  public long millis(long least, long most) {
    return chance.between(least, most);
  }

  /** How long a call takes, one way. */
  long latency() {
    if (strikes(FaultKind.STALL)) {
      return chance.between(500, 9_000);
    }
    return chance.below(20) == 0 ? chance.between(10, 150) : chance.between(0, 4);
  }

  CallOutcome outcome(boolean writes, boolean conditional, boolean batch) {
    int call = calls;
    calls += isOver() ? 0 : 1;
    if (single != null) {
      return call == single.call() && !isOver() ? struck(single.outcome()) : CallOutcome.WELL;
    }
    if (isOver()) {
      return CallOutcome.WELL;
    }
    return writes ? ofWrite(conditional, batch) : ofRead();
  }

  private CallOutcome struck(CallOutcome outcome) {
    switch (outcome) {
      case KILL_BEFORE -> count(FaultKind.KILL_BEFORE);
      case KILL_AFTER -> count(FaultKind.KILL_AFTER);
      case FAIL_AFTER -> count(FaultKind.TIMEOUT_AFTER_WRITE);
      default -> count(FaultKind.THROTTLED);
    }
    return outcome;
  }

  private CallOutcome ofRead() {
    if (strikes(FaultKind.KILL_BEFORE)) {
      return CallOutcome.KILL_BEFORE;
    }
    return strikes(FaultKind.THROTTLED) ? CallOutcome.FAIL_BEFORE : CallOutcome.WELL;
  }

  private CallOutcome ofWrite(boolean conditional, boolean batch) {
    if (strikes(FaultKind.KILL_AFTER)) {
      return CallOutcome.KILL_AFTER;
    }
    if (batch && strikes(FaultKind.PARTIAL_BATCH)) {
      return CallOutcome.PARTIAL;
    }
    if (strikes(FaultKind.TIMEOUT_AFTER_WRITE)) {
      return CallOutcome.FAIL_AFTER;
    }
    if (conditional && strikes(FaultKind.REPLY_LOST)) {
      return CallOutcome.REPLY_LOST;
    }
    if (conditional && strikes(FaultKind.CONFLICT)) {
      return CallOutcome.CONFLICT;
    }
    return ofRead();
  }

  /** Whether all that goes wrong here is written down. */
  public boolean isScripted() {
    return rates.isEmpty();
  }

  /** Whether clocks show something else than the time, by what is wrong with them. */
  public boolean hasWrongClocks() {
    return rates.getOrDefault(FaultKind.CLOCK_SKEWED, 0) > 0
        || rates.getOrDefault(FaultKind.CLOCK_STEPPED, 0) > 0;
  }

  /** How many calls there were before the end. */
  public int calls() {
    return calls;
  }

  /** When the first fault happened; the end of time if none did. */
  public long firstAt() {
    return firstAt;
  }

  /** When the last fault happened; the beginning of time if none did. */
  public long lastAt() {
    return lastAt;
  }

  public Map<FaultKind, Long> injected() {
    return injected;
  }
}
