package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.BackfillRow;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Past;
import dev.carillon.campaign.judge.Judge.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges the launches that backfills asked for: each fire of the range once, none after the
 * backfill was cancelled or the schedule changed, all of them in the end.
 */
final class BackfillJudge {

  /** What further jobs take that come one after another. */
  private static final long IN_TURN = 120_000;

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
    Set<String> told = new TreeSet<>();
    List<Operation> unknown = new ArrayList<>();
    for (Operation call : schedule.operations()) {
      if (call.kind() == Kind.BACKFILL && call.done()) {
        told.add(id(call));
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
    Map<String, Set<Long>> untold = new TreeMap<>(fires);
    untold.keySet().removeAll(told);
    if (untold.size() > unknown.size()) {
      find(Finding.Kind.UNASKED, "backfills that nobody was told of: " + untold.keySet());
    }
    untold.forEach(
        (id, launched) -> {
          if (unknown.stream().noneMatch(call -> mayLaunch(call, launched))) {
            find(Finding.Kind.UNASKED, "nobody asked for all these fires of backfill " + id);
          }
        });
  }

  private static String id(Operation call) {
    return String.valueOf(call.answer()).split(" ", -1)[0];
  }

  /**
   * The fires of a range.
   *
   * @param possible those that the calendar does not exclude for certain, whenever they are taken
   * @param certain those that it cannot exclude
   * @param least how many there must be when the backfill is asked for
   * @param most how many there can be then
   */
  private record Range(
      NavigableSet<Long> possible, NavigableSet<Long> certain, int least, int most) {}

  /** By each document that may have been there. */
  private List<Range> candidates(Operation call) {
    Past past = Objects.requireNonNull(call.past());
    long told = call.isUnknown() ? history.end() : call.returned();
    Exclusions excluded = history.exclusions();
    List<Range> candidates = new ArrayList<>();
    for (Wish wish : wishes(call)) {
      NavigableSet<Long> fires = FireCalendar.fires(wish, past.from() + 1, past.to());
      candidates.add(
          new Range(
              excluded.possible(wish, fires, history.end()),
              excluded.certain(wish, fires, history.end()),
              excluded.certain(wish, fires, told).size(),
              excluded.possible(wish, fires, told).size()));
    }
    return candidates;
  }

  private List<Wish> wishes(Operation call) {
    List<Wish> wishes = new ArrayList<>();
    for (Span span : schedule.documents()) {
      Wish wish = span.wish();
      boolean mayBe = span.beginsFrom() <= call.returned() && span.endsBy() >= call.called();
      if (mayBe && wish.isPlain() && wish.hasTimes() && !wishes.contains(wish)) {
        wishes.add(wish);
      }
    }
    return wishes;
  }

  private boolean mayLaunch(Operation call, Set<Long> launched) {
    return candidates(call).stream().anyMatch(range -> range.possible().containsAll(launched));
  }

  private void judgeDone(Operation call, Set<Long> launched) {
    long told = Long.parseLong(String.valueOf(call.answer()).split(" ", -1)[1]);
    List<Range> candidates =
        candidates(call).stream().filter(it -> it.possible().containsAll(launched)).toList();
    if (candidates.isEmpty()) {
      find(Finding.Kind.UNASKED, "fires of backfill " + id(call) + " that are not in its range");
    } else if (candidates.stream().noneMatch(it -> told >= it.least() && told <= it.most())) {
      find(Finding.Kind.MISCOUNTED, "backfill " + id(call) + " is said to have " + told + " fires");
    }
    boolean lacks = candidates.stream().noneMatch(it -> launched.containsAll(it.certain()));
    boolean mayBeCancelled =
        schedule.deletesItself()
            || !schedule.cancellations(id(call)).isEmpty()
            || schedule.cancelling().stream().anyMatch(o -> o.returned() >= call.called());
    if (mayBeCancelled) {
      judgeChanged(call);
    } else if (lacks && mustBeThrough(call)) {
      find(
          Finding.Kind.LOST,
          launched.size() + " of " + told + " fires of backfill " + id(call) + " were launched");
    }
    for (BackfillRow row : history.backfills()) {
      if (row.schedule().equals(schedule.name()) && row.id().equals(id(call))) {
        judgeRow(call, row, lacks, mayBeCancelled);
      }
    }
  }

  /** Whether nothing has held it back that may not be over for long. */
  private boolean mustBeThrough(Operation call) {
    long longest =
        wishes(call).stream()
            .mapToLong(wish -> history.bound(call.returned(), wish))
            .max()
            .orElse(History.NEVER);
    long bound = longest == History.NEVER ? longest : longest + IN_TURN;
    return bound <= history.end() && !schedule.mayHold(call.called() - Judge.SKEW, history.end());
  }

  private void judgeRow(Operation call, BackfillRow row, boolean lacks, boolean mayBeCancelled) {
    switch (row.state()) {
      case "COMPLETED" -> {
        if (lacks) {
          find(Finding.Kind.LOST, "backfill " + row.id() + " is complete, but not all arrived");
        }
      }
      case "CANCELLED" -> {
        if (!mayBeCancelled) {
          find(Finding.Kind.LOST, "backfill " + row.id() + " was cancelled, but by nobody");
        }
      }
      default -> {
        if (!mayBeCancelled && mustBeThrough(call)) {
          find(Finding.Kind.STUCK, "backfill " + row.id() + " is still " + row.state());
        }
      }
    }
  }

  /** It is refused only where there may be no such fires. */
  private void judgeRefused(Operation call) {
    boolean certain =
        schedule.documents().stream()
            .filter(span -> span.beginsBy() < call.called() && span.endsFrom() > call.returned())
            .anyMatch(span -> span.wish().isPlain() && span.wish().hasTimes());
    boolean hasFires = candidates(call).stream().noneMatch(range -> range.least() == 0);
    if (certain && hasFires && !schedule.deletesItself()) {
      find(Finding.Kind.LOST, "a backfill was refused");
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
            launch.arrival().jobId() + " of a backfill that was over before");
      }
    }
  }

  private void find(Finding.Kind kind, String what) {
    findings.add(new Finding(kind, schedule.name(), null, what));
  }
}
