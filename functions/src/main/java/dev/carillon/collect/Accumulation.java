package dev.carillon.collect;

import dev.carillon.event.Event;
import dev.carillon.event.SeenHash;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.job.Occasion;
import dev.carillon.job.Patience;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.WhilePending;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Satisfaction;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.EventLeaf;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a collecting job: applies due fires and events in order, and tells what has to be
 * stored. A job whose trigger is satisfied takes nothing more; the next fire or event opens the
 * next, unless the schedule wants it to go with the one that waits, or to be dropped for it.
 */
public final class Accumulation {

  private final Schedule schedule;
  private final Patience patience;
  private final Head head;
  private final List<Trigger.Leaf> leaves;
  private final Compiled compiled;
  private final LeafFires fires;
  private final Set<Long> seen;
  private final Instant now;
  private final long version;

  private long nextSequence;
  private final Instant advancedBefore;
  private Instant advancedTo;
  private @Nullable OpenJob open;
  private final LeafClocks clocks;
  private final Wakeup.@Nullable Plan storedPlan;
  private @Nullable Job waiting;
  private boolean hasGrown;
  private @Nullable OpenJob dropped;
  private @Nullable JobId latest;
  private final List<Job> jobs = new ArrayList<>();
  private final Set<Long> newlySeen = new HashSet<>();
  private boolean changed;

  /**
   * @param before what is stored; null if nothing is. Counts of an older activation that is not
   *     handed on are dropped, and the job that had them is CANCELLED
   * @param waiting the latest job, if it still waits and the schedule does not queue others; null
   *     if there is none
   * @param now what comes now; a clock that is behind what was applied already takes that for now
   */
  public Accumulation(
      Jobs.@Nullable Recalled before,
      Compiled compiled,
      Head head,
      @Nullable Job waiting,
      Instant now) {
    this.schedule = compiled.schedule();
    this.head = head;
    this.patience = new Patience(schedule, head);
    this.waiting = takesUp(schedule, waiting) ? waiting : null;
    this.leaves = schedule.trigger().leaves();
    this.compiled = compiled;
    this.fires = LeafFires.of(compiled);
    this.seen = before == null ? Set.of() : before.seen();
    CollectingJob stored = before == null ? null : before.collectingJob();
    this.version = stored == null ? 0 : stored.version();
    this.nextSequence = stored == null ? 1 : stored.nextSequence();
    this.latest = stored == null ? null : stored.latest();
    if (stored != null && head.life().isLive(stored.activation())) {
      this.advancedTo = stored.advancedTo();
      this.open = stored.open();
      this.changed = stored.activation() != head.activation();
      this.clocks =
          changed
              ? LeafClocks.handedOn(leaves, stored, head.opensSince())
              : new LeafClocks(leaves, stored.clocks(), head.opensSince());
      this.storedPlan = stored.wakeup();
      this.now = later(now, advancedTo);
    } else {
      this.advancedTo = beginning(stored, head);
      this.open = null;
      this.clocks = new LeafClocks(leaves, Map.of(), head.opensSince());
      this.storedPlan = null;
      this.now = later(now, advancedTo);
      cancel(stored);
    }
    this.advancedBefore = advancedTo;
  }

  /** What may have been sent under its id must not become something else. */
  private static boolean takesUp(Schedule schedule, @Nullable Job waiting) {
    return waiting != null
        && (schedule.whilePending() != WhilePending.MERGE || !waiting.mayHaveBeenSent());
  }

  /**
   * From when on fires count under another activation: none that its generation has applied before,
   * although whoever began the activation may have had a slow clock.
   */
  private static Instant beginning(@Nullable CollectingJob stored, Head head) {
    return stored != null && stored.generation() == head.generation()
        ? later(head.life().beganAt(), stored.advancedTo())
        : head.life().beganAt();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private void cancel(@Nullable CollectingJob stored) {
    if (stored == null || stored.open() == null) {
      return;
    }
    changed = true;
    jobs.add(cancelled(stored.open(), stored.activation(), head.program(), now));
  }

  /** What becomes of a job that was collecting when its schedule was changed. */
  public static Job cancelled(OpenJob open, long activation, String program, Instant now) {
    return NewJob.endedBeforeLaunch(
        open.id(),
        activation,
        program,
        JobState.CANCELLED,
        open.occasion(),
        now,
        Reason.of(ReasonCode.TRIGGER_CANCELLED));
  }

  /** The first that has come and was not applied; those that may open no job are passed over. */
  private Optional<Instant> nextFire() {
    Optional<Instant> fire = fireAfter(advancedTo);
    while (fire.isPresent() && !fire.get().isAfter(now) && !mayBeTaken(fire.get())) {
      Instant end = head.closedTo(fire.get()).orElse(fire.get());
      advancedTo = end.isAfter(now) ? now : end;
      fire = fireAfter(advancedTo);
    }
    return upToNow(fire);
  }

  /** Whether there is a job that takes it, or one may be opened for it. */
  private boolean mayBeTaken(Instant due) {
    return open != null || head.closedTo(due).isEmpty();
  }

  /** The first fire of a leaf that has not fired yet. */
  private Optional<Instant> fireAfter(Instant instant) {
    return fires.after(instant, this::isSatisfied);
  }

  /** When time satisfies a leaf next; not before what has been applied already. */
  private Optional<Instant> nextDue() {
    Optional<Instant> due = takeable(clocks.due(satisfied()));
    return due.isEmpty() ? due : upToNow(Optional.of(later(due.get(), advancedTo)));
  }

  private Optional<Instant> takeable(Optional<Instant> due) {
    return due.isPresent() && mayBeTaken(due.get()) ? due : Optional.empty();
  }

  private Optional<Instant> upToNow(Optional<Instant> instant) {
    return instant.isPresent() && instant.get().isAfter(now) ? Optional.empty() : instant;
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
      launchedByHand.apply(head.life().beganAt()).ifPresent(clocks::launched);
    }
    Optional<Instant> first = firstDue();
    while (first.isPresent()) {
      if (isFull()) {
        return false;
      }
      happens(first.get(), isSkipped);
      first = firstDue();
    }
    if (now.isAfter(advancedTo)) {
      advancedTo = now;
    }
    return true;
  }

  /**
   * Has it remembered that a fire was passed over that calendars exclude: they know no more than
   * their last change, and would not exclude it any more when it is come upon again.
   */
  public void passOver(Instant fire) {
    changed |= fire.isAfter(advancedBefore) && !compiled.excludedBy(fire).isEmpty();
  }

  /** What comes now counts before a time-out at the same instant. */
  private Optional<Instant> firstDue() {
    Optional<Instant> end = end();
    Optional<Instant> timeout = end.isPresent() && end.get().isBefore(now) ? end : Optional.empty();
    return earlier(earlier(nextFire(), nextDue()), timeout);
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    boolean isOther = one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get()));
    return isOther ? other : one;
  }

  private void happens(Instant instant, Predicate<Instant> isSkipped) {
    if (nextFire().filter(instant::equals).isPresent()) {
      apply(instant, isSkipped.test(instant));
    } else if (nextDue().filter(instant::equals).isPresent()) {
      satisfyDue(instant);
    } else {
      timeOut(instant);
    }
  }

  private void satisfyDue(Instant due) {
    OpenJob job = taker(due);
    Set<Integer> satisfied = clocks.dueBy(due);
    Occasion occasion = withFires(job.occasion(), satisfied, due);
    if (open == null) {
      clocks.close(satisfied, due);
    }
    take(new OpenJob(job.id(), job.openedAt(), occasion), due);
  }

  private void apply(Instant fire, boolean skip) {
    advancedTo = fire;
    if (!skip) {
      OpenJob job = taker(fire);
      Occasion occasion = withFires(job.occasion(), fires.at(fire), fire);
      take(new OpenJob(job.id(), job.openedAt(), occasion), fire);
    }
  }

  private Occasion withFires(Occasion occasion, Set<Integer> fired, Instant fire) {
    List<LeafCount> counted = new ArrayList<>(occasion.leaves());
    fired.forEach(number -> counted.set(number, fired(counted.get(number), fire)));
    return occasion.with(counted);
  }

  /** A job that is collected has one fire of each leaf, one that waits any number. */
  private LeafCount fired(LeafCount leaf, Instant fire) {
    return open != null && leaf.isSatisfied() ? leaf : new LeafCount(1, leaf.actual() + 1, fire);
  }

  // ---- time-outs

  /** When the job that is being collected times out. */
  private Optional<Instant> end() {
    return open == null ? Optional.empty() : patience.end(open.id());
  }

  /**
   * Ends what has waited for too long for its trigger, after what came at the same instant.
   *
   * @return false if there was no room: store this pass and begin another
   */
  public boolean expire() {
    Optional<Instant> end = upToNow(end());
    if (end.isPresent() && isFull()) {
      return false;
    }
    if (end.isPresent()) {
      timeOut(end.get());
    }
    return true;
  }

  private void timeOut(Instant end) {
    OpenJob job = open;
    if (job == null) {
      return;
    }
    changed = true;
    if (patience.launches(job.id(), now)) {
      close(job, end, patience.launchedAnyway());
      return;
    }
    jobs.add(
        NewJob.endedBeforeLaunch(
            job.id(),
            head.activation(),
            schedule.program(),
            JobState.TIMED_OUT,
            job.occasion(),
            now,
            patience.whyGivenUp()));
    clocks.close(satisfied(), now);
    open = null;
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
    long[] weights = new long[leaves.size()];
    boolean concerned = clocks.concern(event);
    for (int number = 0; number < weights.length; number++) {
      weights[number] = weight(leaves.get(number), event);
      concerned |= weights[number] != 0;
    }
    if (!concerned) {
      return Acceptance.UNMATCHED;
    }
    if (isFull()) {
      return Acceptance.NO_ROOM;
    }
    OpenJob job = taker(now);
    List<LeafCount> counted = new ArrayList<>(job.occasion().leaves());
    for (int number = 0; number < weights.length; number++) {
      if (weights[number] > 0) {
        LeafCount leaf = counted.get(number);
        long actual = saturated(leaf.actual(), weights[number]);
        counted.set(number, new LeafCount(leaf.expected(), actual, null));
      }
    }
    if (open != null) {
      clocks.accept(event, now);
    }
    newlySeen.add(hash);
    take(new OpenJob(job.id(), job.openedAt(), job.occasion().with(counted, event)), now);
    return Acceptance.COUNTED;
  }

  public boolean hasChanged() {
    return changed || !Objects.equals(wakeup(), storedPlan);
  }

  /** The wake-up that needs a message which no pass before has sent; null for none. */
  public Wakeup.@Nullable Plan newlyAnnounced() {
    Wakeup.Plan plan = wakeup();
    return plan != null && plan.isInMessage() && !plan.equals(storedPlan) ? plan : null;
  }

  private Wakeup.@Nullable Plan wakeup() {
    return Wakeup.Plan.next(storedPlan, due(), now);
  }

  /**
   * When time brings something on. Fires have timers, but for those that are collected while their
   * schedule is suspended.
   */
  private Optional<Instant> due() {
    Optional<Instant> passing = takeable(clocks.due(satisfied()));
    boolean hasTimers = head.suspension() == null || schedule.trigger().isPlainTime();
    Optional<Instant> fire = hasTimers ? Optional.empty() : takeable(fireAfter(advancedTo));
    return earlier(earlier(passing, fire), end());
  }

  public CollectingJob result() {
    return new CollectingJob(
        schedule.id(),
        version + 1,
        head.generation(),
        head.activation(),
        nextSequence,
        advancedTo,
        open,
        clocks.clocks(),
        wakeup(),
        schedule.whilePending() == WhilePending.QUEUE ? null : latest);
  }

  /** The jobs to be stored with the result. */
  public List<Job> jobs() {
    List<Job> all = new ArrayList<>(jobs);
    if (hasGrown && waiting != null) {
      all.add(waiting);
    }
    if (dropped != null && waiting != null) {
      all.add(
          NewJob.endedBeforeLaunch(
              dropped.id(),
              head.activation(),
              schedule.program(),
              JobState.SKIPPED,
              dropped.occasion(),
              now,
              whyDropped(waiting)));
    }
    return all;
  }

  public Set<Long> newlySeen() {
    return newlySeen;
  }

  private boolean isFull() {
    return jobs().size() >= Jobs.MOST_SATISFIED;
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

  // ---- what takes up fires and events

  /** The job that is being collected, or what stands for it while another waits. */
  private OpenJob taker(Instant at) {
    if (open != null) {
      return open;
    }
    if (waiting == null || schedule.whilePending() == WhilePending.QUEUE) {
      open = newJob(at);
      return open;
    }
    if (schedule.whilePending() == WhilePending.MERGE) {
      return new OpenJob(waiting.id(), at, occasionOf(waiting));
    }
    return dropped == null ? newJob(at) : dropped;
  }

  private void take(OpenJob job, Instant at) {
    changed = true;
    if (open != null) {
      open = job;
      closeIfSatisfied(at);
    } else if (waiting != null && waiting.id().equals(job.id())) {
      grow(waiting, job.occasion());
    } else {
      dropped = job;
    }
  }

  private void grow(Job job, Occasion occasion) {
    int own = jobs.indexOf(job);
    waiting = own >= 0 || hasGrown ? job.withOccasion(occasion) : job.grown(occasion);
    if (own >= 0) {
      jobs.set(own, waiting);
    } else {
      hasGrown = true;
    }
  }

  private static Reason whyDropped(Job waiting) {
    return Reason.of(ReasonCode.DROPPED_FOR_WAITING, waiting.id());
  }

  /**
   * Takes up fires of which each is a job by itself, unless another waits: as many as there is room
   * for.
   */
  public void admit(List<JobId> due) {
    for (JobId fire : due) {
      if (isFull()) {
        return;
      }
      admit(fire);
    }
  }

  private void admit(JobId fire) {
    changed = true;
    if (waiting == null) {
      waiting = NewJob.waitingFire(fire, head.activation(), schedule.program(), now);
      latest = fire;
      jobs.add(waiting);
      return;
    }
    Reason reason = whyDropped(waiting);
    if (schedule.whilePending() == WhilePending.MERGE) {
      grow(waiting, withFires(occasionOf(waiting), fires.at(fire.at()), fire.at()));
      reason = Reason.of(ReasonCode.MERGED_INTO_WAITING, waiting.id());
    }
    jobs.add(
        NewJob.endedBeforeLaunch(
            fire, head.activation(), schedule.program(), JobState.SKIPPED, null, now, reason));
  }

  private Occasion occasionOf(Job job) {
    Occasion occasion = job.occasion();
    if (occasion != null) {
      return occasion;
    }
    Instant fire = job.scheduledFor();
    return withFires(Occasion.of(leaves), LeafFires.of(compiled.asFor(fire)).at(fire), fire);
  }

  private OpenJob newJob(Instant at) {
    JobId id = JobId.ofEvents(schedule.id(), head.generation(), at, nextSequence++);
    return new OpenJob(id, at, Occasion.of(leaves));
  }

  private void closeIfSatisfied(Instant scheduledFor) {
    if (open != null && Satisfaction.isSatisfied(schedule.trigger(), open.occasion().leaves())) {
      close(open, scheduledFor, null);
    }
  }

  /**
   * The job is collected no longer.
   *
   * @param reason why, if its trigger is not satisfied
   */
  private void close(OpenJob job, Instant scheduledFor, @Nullable Reason reason) {
    Job triggered =
        NewJob.triggered(
            job.id(),
            head.activation(),
            schedule.program(),
            scheduledFor,
            job.openedAt(),
            now,
            job.occasion(),
            reason);
    jobs.add(triggered);
    if (schedule.whilePending() != WhilePending.QUEUE) {
      waiting = triggered;
      hasGrown = false;
      latest = job.id();
    }
    clocks.close(satisfied(), now);
    open = null;
  }
}
