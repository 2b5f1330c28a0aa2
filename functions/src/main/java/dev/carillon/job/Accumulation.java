package dev.carillon.job;

import dev.carillon.Json;
import dev.carillon.event.Event;
import dev.carillon.event.SeenHash;
import dev.carillon.job.Accumulator.OpenJob;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Satisfaction;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.EventLeaf;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One pass over an accumulator: applies due fires and events in order, and tells what has to be
 * stored. A job whose trigger is satisfied takes nothing more; the next fire or event opens the
 * next.
 */
public final class Accumulation {

  private final Schedule schedule;
  private final Head head;
  private final List<Trigger.Leaf> leaves;
  private final Map<Integer, FireTimes> times = new LinkedHashMap<>();
  private final Set<Long> seen;
  private final Instant now;
  private final long version;

  private long nextSequence;
  private Instant advancedTo;
  private @Nullable OpenJob open;
  private final LeafClocks clocks;
  private final @Nullable Look storedLook;
  private final List<Job> jobs = new ArrayList<>();
  private final Set<Long> newlySeen = new HashSet<>();
  private boolean changed;

  /**
   * @param before what is stored; null if nothing is. Counts of an older activation are dropped,
   *     and the job that had them is CANCELLED
   * @param now what comes now; a clock that is behind what was applied already takes that for now
   */
  public Accumulation(Jobs.@Nullable Recalled before, Compiled compiled, Head head, Instant now) {
    this.schedule = compiled.schedule();
    this.head = head;
    this.leaves = schedule.trigger().leaves();
    for (int number = 0; number < leaves.size(); number++) {
      if (leaves.get(number) instanceof TimeLeaf leaf) {
        times.put(number, compiled.fireTimes(leaf));
      }
    }
    this.seen = before == null ? Set.of() : before.seen();
    Accumulator stored = before == null ? null : before.accumulator();
    this.version = stored == null ? 0 : stored.version();
    this.nextSequence = stored == null ? 1 : stored.nextSequence();
    if (stored != null && stored.activation() >= head.cancelBelow()) {
      this.advancedTo = stored.advancedTo();
      this.open = stored.open();
      this.changed = stored.activation() != head.activation();
      this.clocks =
          changed
              ? LeafClocks.handedOn(leaves, stored, head.opensSince())
              : new LeafClocks(leaves, stored.clocks(), head.opensSince());
      this.storedLook = stored.look();
      this.now = later(now, advancedTo);
    } else {
      this.advancedTo = head.activeSince();
      this.open = null;
      this.clocks = new LeafClocks(leaves, Map.of(), head.opensSince());
      this.storedLook = null;
      this.now = later(now, advancedTo);
      cancel(stored);
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private void cancel(@Nullable Accumulator stored) {
    if (stored == null || stored.open() == null) {
      return;
    }
    changed = true;
    jobs.add(cancelled(stored.open(), stored.activation(), head.program(), now));
  }

  /** What becomes of a job that was collecting when its schedule was changed. */
  public static Job cancelled(OpenJob open, long activation, String program, Instant now) {
    return Job.stillborn(
        open.id(),
        activation,
        program,
        JobState.CANCELLED,
        open.occasion(),
        now,
        "the schedule was changed, suspended or deleted before the trigger was satisfied");
  }

  /** The first that has come and was not applied; those that may open no job are passed over. */
  private Optional<Instant> nextFire() {
    Optional<Instant> fire = fireAfter(advancedTo);
    while (fire.isPresent() && !fire.get().isAfter(now) && !mayBeTaken(fire.get())) {
      Instant end = head.closedTo(fire.get()).orElse(fire.get());
      advancedTo = end.isAfter(now) ? now : end;
      fire = fireAfter(advancedTo);
    }
    return fire.filter(next -> !next.isAfter(now));
  }

  /** Whether there is a job that takes it, or one may be opened for it. */
  private boolean mayBeTaken(Instant due) {
    return open != null || head.closedTo(due).isEmpty();
  }

  /** The first fire of a leaf that has not fired yet. */
  private Optional<Instant> fireAfter(Instant instant) {
    Optional<Instant> earliest = Optional.empty();
    for (Map.Entry<Integer, FireTimes> leaf : times.entrySet()) {
      if (!isSatisfied(leaf.getKey())) {
        Optional<Instant> fire = leaf.getValue().next(instant).map(Fire::at);
        if (fire.isPresent() && (earliest.isEmpty() || fire.get().isBefore(earliest.get()))) {
          earliest = fire;
        }
      }
    }
    return earliest;
  }

  /** When time satisfies a leaf next; not before what has been applied already. */
  private Optional<Instant> nextDue() {
    return clocks
        .due(satisfied())
        .filter(this::mayBeTaken)
        .map(due -> later(due, advancedTo))
        .filter(due -> !due.isAfter(now));
  }

  private Set<Integer> satisfied() {
    Set<Integer> satisfied = new HashSet<>();
    for (int number = 0; number < leaves.size(); number++) {
      if (isSatisfied(number)) {
        satisfied.add(number);
      }
    }
    return satisfied;
  }

  /**
   * Applies the fires, and what time satisfies, up to {@code now}, in order.
   *
   * @param isSkipped whether a user skipped the fire
   * @param launchedByHand when the schedule was last launched by hand after an instant; asked for
   *     only if something is due by the time since the last launch
   * @return false if there was no room for all: store this pass and begin another
   */
  public boolean advance(
      Predicate<Instant> isSkipped, Function<Instant, Optional<Instant>> launchedByHand) {
    if (clocks.countFromLaunches() && nextDue().isPresent()) {
      launchedByHand.apply(head.activeSince()).ifPresent(clocks::launched);
    }
    Optional<Instant> fire = nextFire();
    Optional<Instant> due = nextDue();
    while (fire.isPresent() || due.isPresent()) {
      if (isFull()) {
        return false;
      }
      if (fire.isPresent() && (due.isEmpty() || !due.get().isBefore(fire.get()))) {
        apply(fire.get(), isSkipped.test(fire.get()));
      } else {
        satisfyDue(due.orElseThrow());
      }
      fire = nextFire();
      due = nextDue();
    }
    if (now.isAfter(advancedTo)) {
      advancedTo = now;
    }
    return true;
  }

  private void satisfyDue(Instant due) {
    OpenJob job = openJob(due);
    List<Occasion.Leaf> counted = new ArrayList<>(job.occasion().leaves());
    for (Integer number : clocks.dueBy(due)) {
      if (!counted.get(number).isSatisfied()) {
        counted.set(number, new Occasion.Leaf(1, 1, due));
      }
    }
    open = new OpenJob(job.id(), job.openedAt(), withLeaves(job.occasion(), counted));
    changed = true;
    closeIfSatisfied(due);
  }

  private void apply(Instant fire, boolean skip) {
    if (!skip) {
      OpenJob job = openJob(fire);
      List<Occasion.Leaf> counted = new ArrayList<>(job.occasion().leaves());
      times.forEach(
          (number, leaf) -> {
            boolean fires =
                leaf.next(fire.minusMillis(1)).filter(next -> next.at().equals(fire)).isPresent();
            if (fires && !counted.get(number).isSatisfied()) {
              counted.set(number, new Occasion.Leaf(1, 1, fire));
            }
          });
      open = new OpenJob(job.id(), job.openedAt(), withLeaves(job.occasion(), counted));
      changed = true;
    }
    advancedTo = fire;
    closeIfSatisfied(fire);
  }

  /** What became of an event. */
  public enum Acceptance {
    COUNTED,
    /** It was counted before. */
    DUPLICATE,
    /** It concerns no leaf, or no job that is open while none may be opened. */
    UNMATCHED,
    /** There was no room: store this pass and begin another with the same event. */
    NO_ROOM
  }

  /** Counts an event, unless it was counted before or concerns no leaf. */
  public Acceptance accept(Event event) {
    long hash = SeenHash.of(event.id());
    if (seen.contains(hash) || newlySeen.contains(hash)) {
      return Acceptance.DUPLICATE;
    }
    if (open == null && !head.opensJobs()) {
      return Acceptance.UNMATCHED;
    }
    long[] weights = leaves.stream().mapToLong(leaf -> weight(leaf, event)).toArray();
    if (!clocks.concern(event) && Arrays.stream(weights).allMatch(weight -> weight == 0)) {
      return Acceptance.UNMATCHED;
    }
    if (isFull()) {
      return Acceptance.NO_ROOM;
    }
    OpenJob job = openJob(now);
    List<Occasion.Leaf> counted = new ArrayList<>(job.occasion().leaves());
    for (int number = 0; number < weights.length; number++) {
      if (weights[number] > 0) {
        Occasion.Leaf leaf = counted.get(number);
        long actual = saturated(leaf.actual(), weights[number]);
        counted.set(number, new Occasion.Leaf(leaf.expected(), actual, null));
      }
    }
    clocks.accept(event, now);
    open = new OpenJob(job.id(), job.openedAt(), withEvent(job.occasion(), counted, event));
    newlySeen.add(hash);
    changed = true;
    closeIfSatisfied(now);
    return Acceptance.COUNTED;
  }

  public boolean hasChanged() {
    return changed || !Objects.equals(look(), storedLook);
  }

  /** The look that this pass asks for and none before it did; null for none. */
  public @Nullable Look newlyAnnounced() {
    Look look = look();
    return look != null && look.isAnnounced() && !look.equals(storedLook) ? look : null;
  }

  private @Nullable Look look() {
    return Look.next(storedLook, due(), now);
  }

  /**
   * When time brings something on; of an active schedule the fires have timers, which a suspended
   * one has not.
   */
  private Optional<Instant> due() {
    Stream<Instant> passing = clocks.due(satisfied()).stream();
    Stream<Instant> fires =
        head.suspension() == null ? Stream.empty() : fireAfter(advancedTo).stream();
    return Stream.concat(passing, fires).filter(this::mayBeTaken).min(Comparator.naturalOrder());
  }

  public Accumulator result() {
    return new Accumulator(
        schedule.id(),
        version + 1,
        head.generation(),
        head.activation(),
        nextSequence,
        advancedTo,
        open,
        clocks.clocks(),
        look());
  }

  /** The jobs to be inserted with the result. */
  public List<Job> jobs() {
    return jobs;
  }

  public Set<Long> newlySeen() {
    return newlySeen;
  }

  private boolean isFull() {
    return jobs.size() >= Jobs.MOST_SATISFIED;
  }

  private static long weight(Trigger.Leaf leaf, Event event) {
    return leaf instanceof EventLeaf counting ? event.weightFor(counting) : 0;
  }

  private static long saturated(long counted, long weight) {
    return counted > Long.MAX_VALUE - weight ? Long.MAX_VALUE : counted + weight;
  }

  private boolean isSatisfied(int leaf) {
    return open != null && open.occasion().leaves().get(leaf).isSatisfied();
  }

  private OpenJob openJob(Instant at) {
    if (open == null) {
      List<Occasion.Leaf> none =
          leaves.stream()
              .map(
                  leaf ->
                      new Occasion.Leaf(
                          leaf instanceof EventLeaf counting ? counting.expected() : 1, 0, null))
              .toList();
      JobId id = JobId.ofEvents(schedule.id(), head.generation(), at, nextSequence++);
      open = new OpenJob(id, at, new Occasion(none, List.of(), 0));
    }
    return open;
  }

  private void closeIfSatisfied(Instant scheduledFor) {
    if (open == null || !Satisfaction.isSatisfied(schedule.trigger(), open.occasion().leaves())) {
      return;
    }
    jobs.add(
        Job.triggered(
            open.id(),
            head.activation(),
            schedule.program(),
            scheduledFor,
            open.openedAt(),
            now,
            open.occasion()));
    clocks.close(satisfied(), now);
    open = null;
  }

  private static Occasion withLeaves(Occasion occasion, List<Occasion.Leaf> leaves) {
    return new Occasion(List.copyOf(leaves), occasion.events(), occasion.eventsOmitted());
  }

  /** Keeps the first events and the last; a new one pushes out the oldest of the last. */
  private static Occasion withEvent(Occasion occasion, List<Occasion.Leaf> leaves, Event event) {
    List<Event> kept = new ArrayList<>(occasion.events());
    long omitted = occasion.eventsOmitted();
    kept.add(event);
    int bytes = kept.stream().mapToInt(Accumulation::bytes).sum();
    while (kept.size() > Occasion.MOST_FIRST + Occasion.MOST_LAST
        || bytes > Occasion.MOST_EVENT_BYTES) {
      int oldestOfLast = Math.min(kept.size() - 1, Occasion.MOST_FIRST);
      bytes -= bytes(kept.remove(oldestOfLast));
      omitted++;
    }
    return new Occasion(List.copyOf(leaves), List.copyOf(kept), omitted);
  }

  private static int bytes(Event event) {
    int names =
        event.id().length()
            + event.eventType().length()
            + event.weights().keySet().stream().mapToInt(String::length).sum();
    return Json.write(event.payload()).getBytes(StandardCharsets.UTF_8).length + names;
  }
}
