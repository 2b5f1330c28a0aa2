package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.Judge.Schedule;
import dev.carillon.campaign.judge.Wish.Leaf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Judges what became of the fires that were missed in an outage of the master: what the history
 * says was skipped, and what was launched. That a fire is either, {@link FireJudge} looks at.
 *
 * <p>A row tells when it was decided, so it is judged to the millisecond. A launch does not tell
 * whether its fire was handed over in time or made up for: so only such a one is unasked as nobody
 * could have handed over in time, for all that is known of ticks and changes.
 */
final class CatchUpJudge {

  /** Who hands a fire over so much later than it was due, at least, has missed it. */
  private static final long MISSED = 180_000;

  /** Fires are handed over so far ahead at most. */
  private static final long LOOK_AHEAD = 840_000;

  /** What may pass until the end of a suspension is seen to. */
  private static final long TURN = 300_000;

  /**
   * By how much the decision and the launch of a fire can miss each other: as long as who launches
   * may stall, and what clocks differ.
   */
  private static final long CROSSING = 10_000 + 2 * Judge.SKEW;

  private final History history;
  private final Schedule schedule;
  private final List<Finding> findings;
  private final Exclusions exclusions;
  private final List<Skipped> skipped;
  private final Map<Leaf, NavigableSet<Long>> fires = new HashMap<>();

  CatchUpJudge(History history, Schedule schedule, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.findings = findings;
    this.exclusions = history.exclusions();
    this.skipped = Skipped.of(history, schedule.name());
  }

  void judge() {
    skipped.forEach(this::judgeRow);
    Stretch outage = history.outage();
    if (outage != null) {
      schedule.launches().forEach(launch -> judgeLaunch(launch, outage));
    }
  }

  // ---- what was skipped

  private void judgeRow(Skipped row) {
    Stretch outage = history.outage();
    if (outage == null || row.decidedAt() < outage.to() - Judge.SKEW) {
      find(Finding.Kind.LOST, row, "although the master has ticked");
    }
    if (!row.isConsistent()) {
      find(Finding.Kind.MISCOUNTED, row, "but counts otherwise");
    }
    if (row.last() > row.decidedAt() - MISSED) {
      find(Finding.Kind.LOST, row, "although they were not missed");
    }
    if (skipped.stream().anyMatch(other -> isCountedIn(row, other))) {
      find(Finding.Kind.MISCOUNTED, row, "of which another row counts some");
    }
    List<Wish> candidates = documents(row);
    if (candidates.isEmpty()) {
      find(Finding.Kind.LOST, row, "which nobody asked for");
    } else if (candidates.stream().noneMatch(wish -> isPermitted(row, wish))) {
      find(Finding.Kind.LOST, row, "although one of them had to be made up for");
    } else if (candidates.stream().map(wish -> tally(row, wish)).noneMatch(it -> it.fits(row))) {
      String counts = candidates.stream().map(wish -> tally(row, wish)).toList().toString();
      find(Finding.Kind.MISCOUNTED, row, "but there were " + counts);
    }
  }

  private static boolean isCountedIn(Skipped row, Skipped other) {
    return !row.equals(other) && row.leaf() == other.leaf() && other.spans(row.first());
  }

  /** Those by which they may have been skipped. */
  private List<Wish> documents(Skipped row) {
    return schedule.spans().stream()
        .filter(span -> span.mayHold(row.first(), Judge.SKEW))
        .map(Span::wish)
        .filter(wish -> !wish.catchUp().isEverything() && row.leaf() < wish.leaves().size())
        .filter(wish -> wish.catchUp().told().equals(row.policy()))
        .distinct()
        .toList();
  }

  /** Whether none of them is the latest, if that is made up for, or young enough. */
  private boolean isPermitted(Skipped row, Wish wish) {
    CatchUp catchUp = wish.catchUp();
    if (catchUp.policy() == Policy.NONE || catchUp.isOutside(row.last(), row.decidedAt())) {
      return true;
    }
    return catchUp.policy() == Policy.LATEST
        && possible(wish, row.leaf(), row.decidedAt())
            .subSet(row.last(), false, row.decidedAt() - MISSED, true)
            .stream()
            .anyMatch(later -> !catchUp.isOutside(later, row.decidedAt()));
  }

  /**
   * How many fires a row has to count, and may.
   *
   * @param possible those of which it may count each
   */
  private record Tally(long least, NavigableSet<Long> possible) {
    boolean fits(Skipped row) {
      return possible.contains(row.first())
          && possible.contains(row.last())
          && row.count() >= least
          && row.count() <= possible.size();
    }

    @Override
    public String toString() {
      return least + " to " + possible.size();
    }
  }

  /**
   * All that nothing else became of, and no more. A fire of two leaves may have been launched for
   * the other one; and one whose message was under way by who had looked just before the decision.
   */
  private Tally tally(Skipped row, Wish wish) {
    NavigableSet<Long> most =
        new TreeSet<>(
            possible(wish, row.leaf(), row.decidedAt())
                .subSet(row.first(), true, row.last(), true));
    Set<Long> launched = launched(row, wish);
    most.removeIf(fire -> launched.contains(fire) && !isCommon(wish, fire));
    long least =
        most.stream()
            .filter(fire -> isCertain(wish, fire, row.decidedAt()))
            .filter(fire -> !isCommon(wish, fire) && !hasRow(row, fire) && !maySkip(fire))
            .count();
    return new Tally(least, most);
  }

  private Set<Long> launched(Skipped row, Wish wish) {
    Set<Long> launched = new TreeSet<>();
    for (Launch launch : schedule.launches()) {
      if (isFireOf(launch, wish) && !mayCross(launch, row)) {
        launched.add(launch.scheduledFor());
      }
    }
    return launched;
  }

  private boolean mayCross(Launch launch, Skipped row) {
    return history.rows().stream()
        .filter(job -> job.jobId().equals(launch.arrival().jobId()))
        .anyMatch(job -> Math.abs(job.first() - row.decidedAt()) <= CROSSING);
  }

  private static boolean isFireOf(Launch launch, Wish wish) {
    return launch.version() == wish.version() && !launch.isByHand() && launch.backfill().isEmpty();
  }

  private boolean isCommon(Wish wish, long fire) {
    return wish.leaves().stream().filter(leaf -> FireCalendar.fires(leaf, fire)).count() > 1;
  }

  /** Whether something else may have become of it. */
  private boolean hasRow(Skipped of, long fire) {
    return history.rows().stream()
        .filter(row -> !row.equals(of.row()) && row.schedule().equals(schedule.name()))
        .filter(row -> row.backfill().isEmpty())
        .anyMatch(row -> row.began() <= fire && row.began() > fire - 2 * Judge.SKEW);
  }

  /** Whether a user may have skipped it, who is judged apart. */
  private boolean maySkip(long fire) {
    return schedule.operations().stream()
        .filter(it -> it.kind() == Kind.SKIP)
        .anyMatch(it -> it.isUnknown() || FireJudge.text(fire).equals(it.answer()));
  }

  /** The fires of a leaf that may have been due and were not certainly excluded. */
  private NavigableSet<Long> possible(Wish wish, int leaf, long until) {
    NavigableSet<Long> possible = new TreeSet<>(fires(wish.leaves().get(leaf)));
    possible.removeIf(
        fire ->
            exclusions.must(wish, fire, until)
                || schedule.spans().stream()
                    .noneMatch(
                        span ->
                            span.wish().version() == wish.version()
                                && span.mayHold(fire, Judge.SKEW)));
    return possible;
  }

  /** Whether it was certainly due and not excluded. */
  private boolean isCertain(Wish wish, long fire, long until) {
    return !exclusions.may(wish, fire, until)
        && schedule.spans().stream()
            .filter(span -> span.wish().version() == wish.version())
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

  // ---- what was launched

  private void judgeLaunch(Launch launch, Stretch outage) {
    Wish wish = wish(launch);
    if (wish == null || !isFireOf(launch, wish) || wish.catchUp().isEverything()) {
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
            && wish.leaves().stream()
                .filter(leaf -> FireCalendar.fires(leaf, fire))
                .allMatch(leaf -> isForbidden(wish, leaf, fire, outage));
    if (isForbidden) {
      findings.add(
          new Finding(
              Finding.Kind.UNASKED,
              schedule.name(),
              launch.arrival().jobId(),
              "made up for, but catchUp is " + wish.catchUp().told()));
    }
  }

  private @Nullable Wish wish(Launch launch) {
    return schedule.spans().stream()
        .map(Span::wish)
        .filter(wish -> wish.version() == launch.version() && wish.isPlain())
        .findFirst()
        .orElse(null);
  }

  private boolean isForbidden(Wish wish, Leaf leaf, long fire, Stretch outage) {
    CatchUp catchUp = wish.catchUp();
    return catchUp.policy() == Policy.NONE
        || catchUp.isOutside(fire, outage.to() - Judge.SKEW)
        || (catchUp.policy() == Policy.LATEST
            && fires(leaf).subSet(fire, false, outage.to() - MISSED - Judge.SKEW, false).stream()
                .anyMatch(
                    later -> isCertain(wish, later, history.end()) && !isChanged(fire, later)));
  }

  /** Before the outage, or by who changed or resumed the schedule in it. */
  private boolean mayBeHandedOver(long fire, Stretch outage) {
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

  /** Whether timers may begin with it. */
  private static boolean begins(Operation operation) {
    return operation.kind() == Kind.LABEL || !Span.isBeside(operation.kind());
  }

  /** Whether the one may have been decided on apart from the other. */
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

  /** What a backlog keeps on purpose is not missed. */
  private boolean mayBeInBacklog(long fire) {
    return Span.of(schedule.phases(), phase -> phase.wish() != null && phase.mode() == Mode.BACKLOG)
        .stream()
        .anyMatch(span -> span.mayHold(fire, Judge.SKEW));
  }

  private void find(Finding.Kind kind, Skipped row, String what) {
    String told =
        "%d fires from %s to %s skipped, %s"
            .formatted(row.count(), FireJudge.text(row.first()), FireJudge.text(row.last()), what);
    findings.add(new Finding(kind, schedule.name(), row.row().jobId(), told));
  }
}
