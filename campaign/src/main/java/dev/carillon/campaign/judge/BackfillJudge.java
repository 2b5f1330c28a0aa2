package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.Judge.Schedule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Judges the launches that backfills asked for. */
final class BackfillJudge {

  /** What further jobs take that come one after another. */
  private static final long IN_TURN = 120_000;

  private final History history;
  private final Schedule schedule;
  private final List<Finding> findings;

  BackfillJudge(History history, Schedule schedule, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.findings = findings;
  }

  void judge() {
    Map<String, Set<Long>> fires = new TreeMap<>();
    Map<String, Set<String>> jobs = new TreeMap<>();
    for (Launch launch : schedule.launches()) {
      if (!launch.backfill().isEmpty()) {
        fires.computeIfAbsent(launch.backfill(), any -> new TreeSet<>()).add(launch.scheduledFor());
        jobs.computeIfAbsent(launch.backfill(), any -> new TreeSet<>())
            .add(launch.arrival().jobId());
        judgeInFlight(launch);
      }
    }
    Set<String> told = new TreeSet<>();
    long unknown = 0;
    for (Operation call : schedule.operations()) {
      if (call.kind() == Kind.BACKFILL && call.done()) {
        told.add(id(call));
        judgeDone(call, fires.getOrDefault(id(call), Set.of()));
      } else if (call.kind() == Kind.BACKFILL && call.isUnknown()) {
        unknown++;
      }
    }
    fires.forEach(
        (id, launched) -> {
          if (launched.size() < jobs.getOrDefault(id, Set.of()).size()) {
            find(Finding.Kind.DOUBLED, "a second job of backfill " + id + " for one fire");
          }
        });
    fires.keySet().removeAll(told);
    if (fires.size() > unknown) {
      find(Finding.Kind.UNASKED, "backfills that nobody was told of: " + fires.keySet());
    }
  }

  private static String id(Operation call) {
    return String.valueOf(call.answer()).split(" ", -1)[0];
  }

  private void judgeDone(Operation call, Set<Long> launched) {
    long asked = Long.parseLong(String.valueOf(call.answer()).split(" ", -1)[1]);
    long bound = history.bound(call.returned()) + IN_TURN;
    boolean mayBeCancelled =
        schedule.cancelling().stream()
            .anyMatch(o -> o.returned() >= call.called() && o.called() <= bound);
    if (launched.size() > asked) {
      find(Finding.Kind.UNASKED, launched.size() + " fires of a backfill of " + asked);
    }
    if (launched.size() < asked && !mayBeCancelled && bound <= history.end()) {
      find(Finding.Kind.LOST, launched.size() + " fires of a backfill of " + asked);
    }
  }

  private void judgeInFlight(Launch launch) {
    boolean late =
        schedule.operations().stream()
            .filter(call -> call.kind() == Kind.BACKFILL && call.done())
            .filter(call -> id(call).equals(launch.backfill()))
            .anyMatch(
                call ->
                    schedule.cancelling().stream()
                        .anyMatch(
                            o ->
                                o.called() >= call.returned()
                                    && o.returned() != History.NEVER
                                    && launch.arrival().at() > o.returned() + Judge.IN_FLIGHT));
    if (late) {
      find(Finding.Kind.AFTER_DELETE, launch.arrival().jobId() + " of a backfill begun before");
    }
  }

  private void find(Finding.Kind kind, String what) {
    findings.add(new Finding(kind, schedule.name(), null, what));
  }
}
