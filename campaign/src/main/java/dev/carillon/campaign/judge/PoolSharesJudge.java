package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.PoolFacts.Stay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Judges the shares of customers: while two of equal weight and priority both have jobs that wait,
 * the numbers of their chosen jobs differ by at most 1, by 2 while one is a newcomer, and by one
 * more for each invocation that failed meanwhile.
 */
final class PoolSharesJudge {

  /** A choice may have read the waiting jobs so long before it was stored. */
  private static final long READ_BEFORE = 15_000;

  /** A newcomer is served ahead of its place, so the other can have two turns in a row after it. */
  private static final int MOST_AT_FIRST = 2;

  private final PoolFacts pool;
  private final List<Finding> findings;

  /** The chosen jobs, in order. */
  private final List<Stay> chosen;

  PoolSharesJudge(PoolFacts pool, List<Finding> findings) {
    this.pool = pool;
    this.findings = findings;
    this.chosen =
        pool.stays().stream()
            .filter(it -> it.chosen() != History.NEVER)
            .sorted(Comparator.comparingInt(Stay::turn))
            .toList();
  }

  /** A customer with the priority of its jobs. */
  private record Flow(String customer, int priority) {
    boolean has(Stay stay) {
      return stay.customer().equals(customer) && stay.priority() == priority;
    }
  }

  /**
   * The time during which jobs of a customer wait without a break.
   *
   * @param last the turn of the last of them; one choice can have several turns
   */
  private record Busy(long from, long to, int last) {
    static Busy of(Stay stay) {
      boolean isChosen = stay.chosen() <= stay.waitsUntil();
      return isChosen
          ? new Busy(stay.entered(), stay.chosen(), stay.turn())
          : new Busy(stay.entered(), stay.waitsUntil(), Integer.MAX_VALUE);
    }

    Busy joined(Busy later) {
      boolean isLast = later.to > to || (later.to == to && later.last > last);
      return new Busy(from, isLast ? later.to : to, isLast ? later.last : last);
    }
  }

  void judge() {
    if (pool.versions().stream().anyMatch(it -> it.definition().isFifo())) {
      return;
    }
    List<Flow> flows =
        chosen.stream()
            .map(it -> new Flow(it.customer(), it.priority()))
            .filter(this::isUsual)
            .distinct()
            .toList();
    for (int i = 0; i < flows.size(); i++) {
      for (Flow other : flows.subList(i + 1, flows.size())) {
        if (other.priority() == flows.get(i).priority()) {
          judge(flows.get(i), other);
        }
      }
    }
  }

  /** Whether no definition has a weight or a limit of a customer. */
  private boolean isUsual(Flow flow) {
    return pool.versions().stream()
        .noneMatch(
            it ->
                it.definition().weights().containsKey(flow.customer())
                    || it.definition().limits().containsKey(flow.customer()));
  }

  private void judge(Flow one, Flow other) {
    for (Busy first : busy(one)) {
      for (Busy second : busy(other)) {
        long from = Math.max(first.from(), second.from()) + READ_BEFORE;
        long to = Math.min(first.to(), second.to());
        judge(one, other, from, to, Math.min(first.last(), second.last()));
      }
    }
  }

  /** When jobs of a customer wait that the pool knows and has not chosen. */
  private List<Busy> busy(Flow flow) {
    List<Busy> all = new ArrayList<>();
    pool.stays().stream()
        .filter(it -> flow.has(it) && it.entered() != History.NEVER)
        .sorted(Comparator.comparingLong(Stay::entered))
        .forEach(
            it -> {
              Busy last = all.isEmpty() ? null : all.get(all.size() - 1);
              if (last != null && it.entered() < last.to()) {
                all.set(all.size() - 1, last.joined(Busy.of(it)));
              } else {
                all.add(Busy.of(it));
              }
            });
    return all;
  }

  private void judge(Flow one, Flow other, long from, long to, int last) {
    List<Stay> turns =
        chosen.stream()
            .filter(it -> it.chosen() >= from && it.chosen() <= to && it.turn() <= last)
            .filter(it -> one.has(it) || other.has(it))
            .toList();
    int settled = 0;
    while (settled < turns.size() && !areSettled(turns.subList(0, settled), one, other)) {
      settled++;
    }
    judge(one, other, turns, MOST_AT_FIRST);
    judge(one, other, turns.subList(settled, turns.size()), 1);
  }

  private void judge(Flow one, Flow other, List<Stay> turns, int allowed) {
    int difference = 0;
    int least = 0;
    int most = 0;
    for (Stay turn : turns) {
      difference += one.has(turn) ? 1 : -1;
      least = Math.min(least, difference);
      most = Math.max(most, difference);
      if (most - least > allowed + disturbances(turns.get(0).chosen(), turn.chosen())) {
        String what = one.customer() + " and " + other.customer() + " do not have equal shares";
        findings.add(new Finding(Finding.Kind.EARLY, "pool", turn.jobId(), what));
        return;
      }
    }
  }

  /** Whether each had a turn that can be ahead of its place, and one in it. */
  private static boolean areSettled(List<Stay> turns, Flow one, Flow other) {
    return turns.stream().filter(one::has).count() > 1
        && turns.stream().filter(other::has).count() > 1;
  }

  private long disturbances(long from, long to) {
    return pool.disturbed().stream()
        .filter(it -> it >= from - READ_BEFORE && it <= to + READ_BEFORE)
        .count();
  }
}
