package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredBackfill;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges the launches of backfills: each fire of the range launches once, none launches after the
 * backfill was cancelled or the schedule changed, and in the end all have launched.
 */
final class BackfillJudge {

  /** How many milliseconds the remaining jobs may take, because they launch one after another. */
  private static final long SEQUENTIAL = 120_000;

  private final History history;
  private final Schedule schedule;
  private final List<Finding> findings;
  private final Map<String, Set<Long>> fires = new TreeMap<>();
  private final Map<String, Set<String>> jobs = new TreeMap<>();

  BackfillJudge(History history, Schedule schedule, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.findings = findings;
    for (Launch launch : schedule.launches()) {
      String id = launch.backfill();
      if (!id.isEmpty()) {
        fires.computeIfAbsent(id, any -> new TreeSet<>()).add(launch.scheduledFor());
        jobs.computeIfAbsent(id, any -> new TreeSet<>()).add(launch.arrival().jobId());
      }
    }
  }

  void judge() {
    Set<String> answered = new TreeSet<>();
    List<Operation> unknown = new ArrayList<>();
    for (Operation call : schedule.operations()) {
      if (call.kind() == Kind.BACKFILL && call.done()) {
        answered.add(id(call));
        judgeDone(call, fires.getOrDefault(id(call), Set.of()));
      } else if (call.kind() == Kind.BACKFILL && call.isUnknown()) {
        unknown.add(call);
      } else if (call.kind() == Kind.BACKFILL) {
        judgeRefused(call);
      } else if (call.kind() == Kind.CANCEL && call.done()) {
        judgeInFlight(call, String.valueOf(call.answer()));
      }
    }
    fires.forEach(
        (id, launched) -> {
          if (launched.size() < jobs.getOrDefault(id, Set.of()).size()) {
            find(Finding.Kind.DOUBLED, "a second job of backfill " + id + " for one fire");
          }
        });
    Map<String, Set<Long>> unanswered = new TreeMap<>(fires);
    unanswered.keySet().removeAll(answered);
    if (unanswered.size() > unknown.size()) {
      find(Finding.Kind.UNASKED, "backfills that the api never answered: " + unanswered.keySet());
    }
    unanswered.forEach(
        (id, launched) -> {
          if (unknown.stream().noneMatch(call -> mayLaunch(call, launched))) {
            find(Finding.Kind.UNASKED, "no request covers all launched fires of backfill " + id);
          }
        });
  }

  private static String id(Operation call) {
    return String.valueOf(call.answer()).split(" ", -1)[0];
  }

  /**
   * What is certain about the fires of a range, although the calendar changes.
   *
   * @param possible fires that the calendar does not certainly exclude
   * @param certain fires that the calendar cannot exclude
   * @param least the least number of fires when the backfill is requested
   * @param most the greatest number of fires when the backfill is requested
   */
  private record Range(
      NavigableSet<Long> possible, NavigableSet<Long> certain, int least, int most) {}

  /** One range for each document that may have been stored at the time of the call. */
  private List<Range> candidates(Operation call) {
    BackfillRange backfillRange = Objects.requireNonNull(call.backfillRange());
    long reported = call.isUnknown() ? history.end() : call.returned();
    Exclusions excluded = history.exclusions();
    List<Range> candidates = new ArrayList<>();
    for (ScheduleSpec spec : specs(call)) {
      NavigableSet<Long> fires =
          FireCalendar.fires(spec, backfillRange.from() + 1, backfillRange.to());
      candidates.add(
          new Range(
              excluded.possible(spec, fires, history.end()),
              excluded.certain(spec, fires, history.end()),
              excluded.certain(spec, fires, reported).size(),
              excluded.possible(spec, fires, reported).size()));
    }
    return candidates;
  }

  private List<ScheduleSpec> specs(Operation call) {
    List<ScheduleSpec> specs = new ArrayList<>();
    for (Span span : schedule.documents()) {
      ScheduleSpec spec = span.spec();
      boolean mayBe = span.beginsFrom() <= call.returned() && span.endsBy() >= call.called();
      if (mayBe && spec.isPlain() && spec.hasTimes() && !specs.contains(spec)) {
        specs.add(spec);
      }
    }
    return specs;
  }

  private boolean mayLaunch(Operation call, Set<Long> launched) {
    return candidates(call).stream().anyMatch(range -> range.possible().containsAll(launched));
  }

  private void judgeDone(Operation call, Set<Long> launched) {
    long reported = Long.parseLong(String.valueOf(call.answer()).split(" ", -1)[1]);
    List<Range> candidates =
        candidates(call).stream().filter(it -> it.possible().containsAll(launched)).toList();
    if (candidates.isEmpty()) {
      find(Finding.Kind.UNASKED, "fires of backfill " + id(call) + " outside its range");
    } else if (candidates.stream()
        .noneMatch(it -> reported >= it.least() && reported <= it.most())) {
      find(
          Finding.Kind.MISCOUNTED,
          "backfill " + id(call) + " was reported to have " + reported + " fires");
    }
    boolean lacks = candidates.stream().noneMatch(it -> launched.containsAll(it.certain()));
    boolean mayBeCancelled =
        schedule.deletesItself()
            || !schedule.cancellations(id(call)).isEmpty()
            || schedule.cancelling().stream().anyMatch(o -> o.returned() >= call.called());
    if (mayBeCancelled) {
      judgeChanged(call);
    } else if (lacks && mustHaveEnded(call)) {
      find(
          Finding.Kind.LOST,
          launched.size() + " of " + reported + " fires of backfill " + id(call) + " launched");
    }
    for (StoredBackfill stored : history.backfills()) {
      if (stored.schedule().equals(schedule.name()) && stored.id().equals(id(call))) {
        judgeStored(call, stored, lacks, mayBeCancelled);
      }
    }
  }

  /**
   * Whether the backfill must have ended, because nothing has held it back at all, or nothing has
   * held it back for a long time.
   */
  private boolean mustHaveEnded(Operation call) {
    long longest =
        specs(call).stream().mapToLong(spec -> endsBy(call, spec)).max().orElse(History.NEVER);
    long bound = longest == History.NEVER ? longest : longest + SEQUENTIAL;
    return bound <= history.end() && !schedule.mayHold(call.called() - Judge.SKEW, history.end());
  }

  /**
   * The latest instant at which the last job of a backfill is launched or, if its run is tracked,
   * ends.
   */
  private long endsBy(Operation call, ScheduleSpec spec) {
    long bound = history.bound(call.returned(), spec);
    Tracking tracking = spec.tracking();
    if (tracking == null || bound == History.NEVER) {
      return bound;
    }
    long fires = candidates(call).stream().mapToLong(Range::most).max().orElse(0);
    return bound + fires * tracking.attempts() * tracking.longest();
  }

  private void judgeStored(
      Operation call, StoredBackfill stored, boolean lacks, boolean mayBeCancelled) {
    switch (stored.state()) {
      case "COMPLETED" -> {
        if (lacks) {
          find(
              Finding.Kind.LOST,
              "backfill " + stored.id() + " is COMPLETED, but not all of its launches arrived");
        }
      }
      case "CANCELLED" -> {
        if (!mayBeCancelled) {
          find(
              Finding.Kind.LOST,
              "backfill " + stored.id() + " is CANCELLED, but no user cancelled it");
        }
      }
      default -> {
        if (!mayBeCancelled && mustHaveEnded(call)) {
          find(Finding.Kind.STUCK, "backfill " + stored.id() + " is still " + stored.state());
        }
      }
    }
  }

  /** A backfill may be refused only if its range may have no fires. */
  private void judgeRefused(Operation call) {
    boolean certain =
        schedule.documents().stream()
            .filter(span -> span.beginsBy() < call.called() && span.endsFrom() > call.returned())
            .anyMatch(span -> span.spec().isPlain() && span.spec().hasTimes());
    boolean hasFires = candidates(call).stream().noneMatch(range -> range.least() == 0);
    if (certain && hasFires && !schedule.deletesItself()) {
      find(Finding.Kind.LOST, "a valid backfill was refused");
    }
  }

  private void judgeChanged(Operation call) {
    schedule.cancelling().stream()
        .filter(o -> o.called() >= call.returned() && o.returned() != History.NEVER)
        .forEach(o -> judgeInFlight(o, id(call)));
  }

  private void judgeInFlight(Operation end, String backfill) {
    for (Launch launch : schedule.launches()) {
      if (launch.backfill().equals(backfill)
          && launch.arrival().at() > end.returned() + Judge.IN_FLIGHT) {
        find(
            Finding.Kind.AFTER_DELETE,
            launch.arrival().jobId() + " of a backfill that had ended before");
      }
    }
  }

  private void find(Finding.Kind kind, String what) {
    findings.add(new Finding(kind, schedule.name(), null, what));
  }
}
