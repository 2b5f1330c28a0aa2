package dev.carillon.campaign.engine;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The faults of one episode, and when each is injected. No fault is injected after {@code end}. */
public final class FaultPlan {

  /**
   * The faults of damaged items. They delay only the work that needs the item, which the judge
   * takes into account.
   */
  private static final Set<FaultKind> DAMAGE =
      EnumSet.range(FaultKind.UNREADABLE_HEAD, FaultKind.UNREADABLE_REPLACED);

  /** Faults with random numbers of their own. */
  private static final Set<FaultKind> DRAWN_ELSEWHERE =
      EnumSet.of(
          FaultKind.OUTAGE,
          FaultKind.INDEX_STEPPED_BACK,
          FaultKind.READ_STEPPED_BACK,
          FaultKind.UNKNOWN_CHECK);

  /** Faults of workers, which the system must withstand at any time. */
  private static final Set<FaultKind> OF_WORKERS =
      EnumSet.range(FaultKind.WORKER_DIED, FaultKind.WORKER_MISTAKEN);

  private final SeededRandom random;
  private final Simulator simulator;
  private final long end;
  private final @Nullable Outage outage;
  private final Map<FaultKind, Integer> rates;
  private final Set<FaultKind> disabled;
  private final Map<FaultKind, Long> injected = new EnumMap<>(FaultKind.class);
  private final @Nullable InjectedFault single;
  private long firstAt = Long.MAX_VALUE;
  private long lastAt = Long.MIN_VALUE;
  private int calls;
  private int written;
  private final BitSet firstWrites = new BitSet();

  private FaultPlan(
      SeededRandom random,
      Simulator simulator,
      long end,
      @Nullable Outage outage,
      Map<FaultKind, Integer> rates,
      Set<FaultKind> disabled,
      @Nullable InjectedFault single) {
    this.random = random;
    this.simulator = simulator;
    this.end = end;
    this.outage = outage;
    this.rates = rates;
    this.disabled = disabled;
    this.single = single;
  }

  /**
   * The plan of a profile.
   *
   * <p>A disabled kind of random fault still draws its random numbers. So the other kinds are
   * injected at the same draws, as long as the functions behave the same.
   *
   * @param outage the planned outage; null for none
   */
  public static FaultPlan of(
      FaultProfile profile,
      SeededRandom random,
      Simulator simulator,
      long end,
      @Nullable Outage outage) {
    Set<FaultKind> disabled = profile.disabled();
    if (disabled == null) {
      return new FaultPlan(random, simulator, end, outage, Map.of(), Set.of(), profile.single());
    }
    Outage happens = disabled.contains(FaultKind.OUTAGE) ? null : outage;
    return new FaultPlan(
        random, simulator, end, happens, rates(random), disabled, profile.single());
  }

  private static Map<FaultKind, Integer> rates(SeededRandom random) {
    Map<FaultKind, Integer> rates = new EnumMap<>(FaultKind.class);
    int mildness = random.of(0, 1, 1, 2, 3);
    for (FaultKind kind : FaultKind.values()) {
      if (DRAWN_ELSEWHERE.contains(kind) || DAMAGE.contains(kind) || OF_WORKERS.contains(kind)) {
        continue;
      }
      int rate = random.below(4) < mildness ? 0 : kind.maxRate / random.of(1, 2, 4);
      rates.put(kind, rate);
    }
    return rates;
  }

  /** Counts the planned outage when it begins. It counts as a fault until it ends. */
  public void begin() {
    if (outage != null) {
      simulator.at(outage.from(), () -> count(FaultKind.OUTAGE));
      simulator.at(outage.to(), () -> lastAt = Math.max(lastAt, outage.to()));
    }
  }

  /** The outage; null if there is none. */
  public @Nullable Outage outage() {
    return outage;
  }

  public boolean isMasterRunning() {
    return outage == null || !outage.contains(simulator.now());
  }

  /** The instant from which check messages are delivered: now, or when the checker runs again. */
  public long checksFrom() {
    long now = simulator.now();
    return outage != null && outage.ofChecker() && outage.contains(now) ? outage.to() : now;
  }

  long end() {
    return end;
  }

  /** Whether no further fault is injected. */
  public boolean hasEnded() {
    return simulator.now() >= end;
  }

  /** Draws whether a fault of this kind happens now, and counts it if it does. */
  public boolean inject(FaultKind kind) {
    boolean inject = !hasEnded() && isDrawn(kind);
    if (inject) {
      count(kind);
    }
    return inject;
  }

  private boolean isDrawn(FaultKind kind) {
    return random.perMille(rates.getOrDefault(kind, 0)) && !disabled.contains(kind);
  }

  /**
   * Draws whether a fault that the scenario has planned may happen; the fault is counted when it
   * happens.
   */
  public boolean allows(FaultKind kind) {
    return isScripted() || isDrawn(kind);
  }

  public void count(FaultKind kind) {
    injected.merge(kind, 1L, Long::sum);
    if (kind != FaultKind.LOST_RACE && !DAMAGE.contains(kind) && !OF_WORKERS.contains(kind)) {
      firstAt = Math.min(firstAt, simulator.now());
      lastAt = simulator.now();
    }
  }

  public long millis(long least, long most) {
    return random.between(least, most);
  }

  /** Draws the milliseconds that a call takes in one direction. */
  long latency() {
    if (inject(FaultKind.STALL)) {
      return random.between(500, 9_000);
    }
    return random.below(20) == 0 ? random.between(10, 150) : random.between(0, 4);
  }

  CallOutcome outcome(boolean writes, boolean conditional, boolean batch) {
    if (hasEnded()) {
      return CallOutcome.SUCCESS;
    }
    int call = calls++;
    int write = written;
    written += writes ? 1 : 0;
    if (writes && !simulator.current().hasWritten) {
      simulator.current().hasWritten = true;
      firstWrites.set(write);
    }
    if (single != null) {
      boolean isHit =
          single.isOfWrites() ? writes && write == single.call() : call == single.call();
      return isHit ? injectSingle(single.outcome()) : CallOutcome.SUCCESS;
    }
    return writes ? ofWrite(conditional, batch) : ofRead();
  }

  private CallOutcome injectSingle(CallOutcome outcome) {
    switch (outcome) {
      case KILL_BEFORE -> count(FaultKind.KILL_BEFORE);
      case KILL_AFTER -> count(FaultKind.KILL_AFTER);
      case FAIL_AFTER -> count(FaultKind.TIMEOUT_AFTER_WRITE);
      default -> count(FaultKind.THROTTLED);
    }
    return outcome;
  }

  private CallOutcome ofRead() {
    if (inject(FaultKind.KILL_BEFORE)) {
      return CallOutcome.KILL_BEFORE;
    }
    return inject(FaultKind.THROTTLED) ? CallOutcome.FAIL_BEFORE : CallOutcome.SUCCESS;
  }

  private CallOutcome ofWrite(boolean conditional, boolean batch) {
    if (inject(FaultKind.KILL_AFTER)) {
      return CallOutcome.KILL_AFTER;
    }
    if (batch && inject(FaultKind.PARTIAL_BATCH)) {
      return CallOutcome.PARTIAL;
    }
    if (inject(FaultKind.TIMEOUT_AFTER_WRITE)) {
      return CallOutcome.FAIL_AFTER;
    }
    if (conditional && inject(FaultKind.REPLY_LOST)) {
      return CallOutcome.REPLY_LOST;
    }
    if (conditional && inject(FaultKind.CONFLICT)) {
      return CallOutcome.CONFLICT;
    }
    return ofRead();
  }

  /** Whether the plan has no random faults. */
  public boolean isScripted() {
    return rates.isEmpty();
  }

  /** Whether the clocks of functions can be wrong in this episode. */
  public boolean hasWrongClocks() {
    return rates.getOrDefault(FaultKind.CLOCK_SKEWED, 0) > 0
        || rates.getOrDefault(FaultKind.CLOCK_STEPPED, 0) > 0;
  }

  /** The number of calls before the end of the faults. */
  public int calls() {
    return calls;
  }

  /** The number of calls that write, before the end of the faults. */
  public int writes() {
    return written;
  }

  /** The numbers of the writes that were the first of their task. */
  public BitSet firstWrites() {
    return firstWrites;
  }

  /** The instant of the first fault; {@link Long#MAX_VALUE} if there was none. */
  public long firstAt() {
    return firstAt;
  }

  /** The instant of the last fault; {@link Long#MIN_VALUE} if there was none. */
  public long lastAt() {
    return lastAt;
  }

  public Map<FaultKind, Long> injected() {
    return injected;
  }
}
