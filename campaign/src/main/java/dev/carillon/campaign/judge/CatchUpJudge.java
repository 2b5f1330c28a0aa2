package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Judges the fires that were missed in an outage of the master: which of them were recorded as
 * skipped, and which were launched. {@link FireJudge} checks that each fire was either skipped or
 * launched.
 *
 * <p>A stored job shows when the decision was made, so it is judged to the millisecond. A launch
 * does not show whether its fire was handed over in time or was launched as missed. So a launch
 * counts as unasked only if, according to all known ticks and changes, no checker or master could
 * have handed its fire over in time.
 */
final class CatchUpJudge {

  /** A fire that is handed over at least this much later than it was due counts as missed. */
  private static final long MISSED = 180_000;

  /** Fires are handed over at most this far ahead. */
  private static final long LOOK_AHEAD = 840_000;

  /** The longest time that it takes to process the end of a suspension. */
  private static final long TURN = 300_000;

  /**
   * The largest difference between the decision on a fire and its launch: the longest stall of a
   * checker plus the difference of clocks.
   */
  private static final long CROSSING = 10_000 + 2 * Judge.SKEW;

  private final History history;
  private final Schedule schedule;
  private final List<Finding> findings;
  private final Exclusions exclusions;
  private final List<SkippedFires> skipped;
  private final Map<Leaf, NavigableSet<Long>> fires = new HashMap<>();

  CatchUpJudge(History history, Schedule schedule, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.findings = findings;
    this.exclusions = history.exclusions();
    this.skipped = SkippedFires.of(history, schedule.name());
  }

  void judge() {
    skipped.forEach(this::judgeStored);
    TimeRange outage = history.outage();
    if (outage != null) {
      schedule.launches().forEach(launch -> judgeLaunch(launch, outage));
    }
  }

  // ---- skipped fires

  private void judgeStored(SkippedFires stored) {
    TimeRange outage = history.outage();
    if (outage == null || stored.decidedAt() < outage.to() - Judge.SKEW) {
      find(Finding.Kind.LOST, stored, "although the master ran");
    }
    if (!stored.isConsistent()) {
      find(Finding.Kind.MISCOUNTED, stored, "but the item's own count or range differs");
    }
    if (stored.last() > stored.decidedAt() - MISSED) {
      find(Finding.Kind.LOST, stored, "although they were not missed");
    }
    if (skipped.stream().anyMatch(other -> isCountedIn(stored, other))) {
      find(Finding.Kind.MISCOUNTED, stored, "some of which another item counts");
    }
    List<ScheduleSpec> candidates = documents(stored);
    if (candidates.isEmpty()) {
      find(Finding.Kind.LOST, stored, "although no document asks for that");
    } else if (candidates.stream().noneMatch(spec -> isPermitted(stored, spec))) {
      find(Finding.Kind.LOST, stored, "although one of them had to be launched");
    } else if (candidates.stream()
        .map(spec -> tally(stored, spec))
        .noneMatch(it -> it.fits(stored))) {
      String counts = candidates.stream().map(spec -> tally(stored, spec)).toList().toString();
      find(Finding.Kind.MISCOUNTED, stored, "but there were " + counts);
    }
  }

  private static boolean isCountedIn(SkippedFires stored, SkippedFires other) {
    return !stored.equals(other) && stored.leaf() == other.leaf() && other.spans(stored.first());
  }

  /** The documents by which the fires may have been skipped. */
  private List<ScheduleSpec> documents(SkippedFires stored) {
    return schedule.spans().stream()
        .filter(span -> span.mayHold(stored.first(), Judge.SKEW))
        .map(Span::spec)
        .filter(spec -> !spec.catchUp().isEverything() && stored.leaf() < spec.leaves().size())
        .filter(spec -> spec.catchUp().text().equals(stored.policy()))
        .distinct()
        .toList();
  }

  /** Whether the policy permits skipping all of them. */
  private boolean isPermitted(SkippedFires stored, ScheduleSpec spec) {
    CatchUp catchUp = spec.catchUp();
    if (catchUp.policy() == Policy.NONE || catchUp.isOutside(stored.last(), stored.decidedAt())) {
      return true;
    }
    return catchUp.policy() == Policy.LATEST
        && possible(spec, stored.leaf(), stored.decidedAt())
            .subSet(stored.last(), false, stored.decidedAt() - MISSED, true)
            .stream()
            .anyMatch(later -> !catchUp.isOutside(later, stored.decidedAt()));
  }

  /**
   * The bounds on the number of fires that a stored job counts.
   *
   * @param possible the fires that the job may count
   */
  private record Tally(long least, NavigableSet<Long> possible) {
    boolean fits(SkippedFires stored) {
      return possible.contains(stored.first())
          && possible.contains(stored.last())
          && stored.count() >= least
          && stored.count() <= possible.size();
    }

    @Override
    public String toString() {
      return least + " to " + possible.size();
    }
  }

  /**
   * Counts the fires that have no other outcome. A fire of two leaves may have been launched for
   * the other leaf. A fire may also have been launched by a checker that read the timer just before
   * the decision.
   */
  private Tally tally(SkippedFires stored, ScheduleSpec spec) {
    NavigableSet<Long> most =
        new TreeSet<>(
            possible(spec, stored.leaf(), stored.decidedAt())
                .subSet(stored.first(), true, stored.last(), true));
    Set<Long> launched = launched(stored, spec);
    most.removeIf(fire -> launched.contains(fire) && !isCommon(spec, fire));
    long least =
        most.stream()
            .filter(fire -> isCertain(spec, fire, stored.decidedAt()))
            .filter(fire -> !isCommon(spec, fire) && !hasStoredJob(stored, fire) && !maySkip(fire))
            .count();
    return new Tally(least, most);
  }

  private Set<Long> launched(SkippedFires stored, ScheduleSpec spec) {
    Set<Long> launched = new TreeSet<>();
    for (Launch launch : schedule.launches()) {
      if (isFireOf(launch, spec) && !mayCross(launch, stored)) {
        launched.add(launch.scheduledFor());
      }
    }
    return launched;
  }

  private boolean mayCross(Launch launch, SkippedFires stored) {
    return history.jobs().stream()
        .filter(job -> job.jobId().equals(launch.arrival().jobId()))
        .anyMatch(job -> Math.abs(job.first() - stored.decidedAt()) <= CROSSING);
  }

  private static boolean isFireOf(Launch launch, ScheduleSpec spec) {
    return launch.version() == spec.version() && !launch.isManual() && launch.backfill().isEmpty();
  }

  private boolean isCommon(ScheduleSpec spec, long fire) {
    return spec.leaves().stream().filter(leaf -> FireCalendar.fires(leaf, fire)).count() > 1;
  }

  /** Whether another stored job may be the job of the fire. */
  private boolean hasStoredJob(SkippedFires of, long fire) {
    return history.jobs().stream()
        .filter(stored -> !stored.equals(of.stored()) && stored.schedule().equals(schedule.name()))
        .filter(stored -> stored.backfill().isEmpty())
        .anyMatch(stored -> stored.began() <= fire && stored.began() > fire - 2 * Judge.SKEW);
  }

  /** Whether a user may have skipped the fire; {@link FireJudge} judges those. */
  private boolean maySkip(long fire) {
    return schedule.operations().stream()
        .filter(it -> it.kind() == Kind.SKIP)
        .anyMatch(it -> it.isUnknown() || FireJudge.text(fire).equals(it.answer()));
  }

  /** The fires of a leaf that may have been due and are not certainly excluded. */
  private NavigableSet<Long> possible(ScheduleSpec spec, int leaf, long until) {
    NavigableSet<Long> possible = new TreeSet<>(fires(spec.leaves().get(leaf)));
    possible.removeIf(
        fire ->
            exclusions.isExcluded(spec, fire, until)
                || schedule.spans().stream()
                    .noneMatch(
                        span ->
                            span.spec().version() == spec.version()
                                && span.mayHold(fire, Judge.SKEW)));
    return possible;
  }

  /** Whether the fire was certainly due and not excluded. */
  private boolean isCertain(ScheduleSpec spec, long fire, long until) {
    return !exclusions.mayBeExcluded(spec, fire, until)
        && schedule.spans().stream()
            .filter(span -> span.spec().version() == spec.version())
            .anyMatch(
                span ->
                    span.beginsBy() != History.NEVER
                        && span.beginsBy() + Judge.SKEW < fire
                        && fire < span.endsFrom() - Judge.SKEW);
  }

  private NavigableSet<Long> fires(Leaf leaf) {
    return fires.computeIfAbsent(
        leaf, any -> FireCalendar.fires(leaf, history.start(), history.end()));
  }

  // ---- launches

  private void judgeLaunch(Launch launch, TimeRange outage) {
    ScheduleSpec spec = spec(launch);
    if (spec == null || !isFireOf(launch, spec) || spec.catchUp().isEverything()) {
      return;
    }
    long fire = launch.scheduledFor();
    boolean isMissed =
        fire > outage.from()
            && fire < outage.to() - MISSED - Judge.SKEW
            && !mayBeHandedOver(fire, outage)
            && !mayBeInBacklog(fire);
    boolean isForbidden =
        isMissed
            && spec.leaves().stream()
                .filter(leaf -> FireCalendar.fires(leaf, fire))
                .allMatch(leaf -> isForbidden(spec, leaf, fire, outage));
    if (isForbidden) {
      findings.add(
          new Finding(
              Finding.Kind.UNASKED,
              schedule.name(),
              launch.arrival().jobId(),
              "launched late, but catchUp is " + spec.catchUp().text()));
    }
  }

  private @Nullable ScheduleSpec spec(Launch launch) {
    return schedule.spans().stream()
        .map(Span::spec)
        .filter(spec -> spec.version() == launch.version() && spec.isPlain())
        .findFirst()
        .orElse(null);
  }

  private boolean isForbidden(ScheduleSpec spec, Leaf leaf, long fire, TimeRange outage) {
    CatchUp catchUp = spec.catchUp();
    return catchUp.policy() == Policy.NONE
        || catchUp.isOutside(fire, outage.to() - Judge.SKEW)
        || (catchUp.policy() == Policy.LATEST
            && fires(leaf).subSet(fire, false, outage.to() - MISSED - Judge.SKEW, false).stream()
                .anyMatch(
                    later -> isCertain(spec, later, history.end()) && !isChanged(fire, later)));
  }

  /**
   * Whether the fire may have been handed over before the outage, or by a change or resumption of
   * the schedule during it.
   */
  private boolean mayBeHandedOver(long fire, TimeRange outage) {
    return fire <= outage.from() + LOOK_AHEAD + Judge.SKEW
        || schedule.operations().stream()
            .filter(CatchUpJudge::begins)
            .filter(it -> it.called() < fire + Judge.SKEW)
            .anyMatch(
                it ->
                    it.isUnknown()
                        || fire <= it.returned() + LOOK_AHEAD + Judge.SKEW
                        || (it.until() < fire && fire <= it.until() + LOOK_AHEAD + TURN));
  }

  /** Whether the operation can create timers. */
  private static boolean begins(Operation operation) {
    return operation.kind() == Kind.LABEL || !Span.keepsPhase(operation.kind());
  }

  /** Whether a change between two fires may have separated the decisions on them. */
  private boolean isChanged(long fire, long later) {
    return schedule.operations().stream()
        .filter(CatchUpJudge::begins)
        .anyMatch(
            it ->
                lies(it.called(), it.returned(), fire, later)
                    || lies(it.until(), it.until(), fire, later));
  }

  private static boolean lies(long called, long returned, long from, long to) {
    return called <= to + Judge.SKEW && returned >= from - Judge.SKEW;
  }

  /** Whether the fire may belong to a backlog; a backlog's fires are not missed. */
  private boolean mayBeInBacklog(long fire) {
    return Span.of(schedule.phases(), phase -> phase.spec() != null && phase.mode() == Mode.BACKLOG)
        .stream()
        .anyMatch(span -> span.mayHold(fire, Judge.SKEW));
  }

  private void find(Finding.Kind kind, SkippedFires stored, String what) {
    String text =
        "%d fires from %s to %s skipped, %s"
            .formatted(
                stored.count(),
                FireJudge.text(stored.first()),
                FireJudge.text(stored.last()),
                what);
    findings.add(new Finding(kind, schedule.name(), stored.stored().jobId(), text));
  }
}
