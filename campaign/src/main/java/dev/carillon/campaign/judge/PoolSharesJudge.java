package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.PoolFacts.Stay;
import dev.carillon.campaign.judge.PoolFlows.Busy;
import dev.carillon.campaign.judge.PoolFlows.Flow;
import java.util.List;
import java.util.TreeSet;

/**
 * Judges the shares of customers without weights. While two customers of one priority both have
 * waiting jobs, the numbers of their chosen jobs differ by at most 1, by 2 while one is a newcomer,
 * and by one more for each invocation that failed meanwhile. A customer with a limit is never ahead
 * by more than that. While it is certainly below its limit, it is not behind by more either. Of two
 * customers with limits, neither is ahead by more while both are certainly below their limits.
 */
final class PoolSharesJudge {

  /**
   * The largest difference while one customer is a newcomer. The newcomer is served ahead of its
   * place, so the other customer can have two turns in a row after it.
   */
  private static final int MOST_AT_FIRST = 2;

  private final History history;
  private final PoolFacts pool;
  private final PoolFlows flows;
  private final List<Finding> findings;
  private final List<Stay> chosen;

  PoolSharesJudge(History history, List<Finding> findings) {
    this.history = history;
    this.pool = history.pool();
    this.flows = PoolFlows.of(history);
    this.findings = findings;
    this.chosen = flows.chosen();
  }

  void judge() {
    if (pool.versions().stream().anyMatch(it -> it.definition().isFifo())) {
      return;
    }
    List<Flow> all = flows.flows().stream().filter(this::hasNoWeight).toList();
    for (Flow one : all) {
      for (Flow other : all) {
        boolean isPair = one.priority() == other.priority() && !one.equals(other);
        if (isPair && (flows.isLimited(one) || !flows.isLimited(other))) {
          judge(one, other);
        }
      }
    }
  }

  private boolean hasNoWeight(Flow flow) {
    return pool.versions().stream()
        .noneMatch(it -> it.definition().weights().containsKey(flow.customer()));
  }

  /**
   * @param other has no limit if the first customer has none
   */
  private void judge(Flow one, Flow other) {
    boolean isLimited = flows.isLimited(one);
    if (isLimited == flows.isLimited(other) && one.customer().compareTo(other.customer()) > 0) {
      return;
    }
    for (Busy first : flows.busy(one)) {
      for (Busy second : flows.busy(other)) {
        long from = Math.max(first.from(), second.from()) + pool.actsFor();
        long to = Math.min(first.to(), second.to());
        int last = Math.min(first.last(), second.last());
        if (isLimited) {
          judgeLimited(one, other, from, to, last);
        } else {
          judge(one, other, from, to, last);
        }
      }
    }
  }

  private List<Stay> turns(Flow one, Flow other, long from, long to, int last) {
    return chosen.stream()
        .filter(it -> it.chosen() >= from && it.chosen() <= to && it.turn() <= last)
        .filter(it -> one.has(it) || other.has(it))
        .toList();
  }

  private void judge(Flow one, Flow other, long from, long to, int last) {
    List<Stay> turns = turns(one, other, from, to, last);
    int settled = 0;
    while (settled < turns.size() && !areSettled(turns.subList(0, settled), one, other)) {
      settled++;
    }
    judge(one, other, turns, MOST_AT_FIRST, MOST_AT_FIRST);
    judge(one, other, turns.subList(settled, turns.size()), 1, 1);
  }

  /**
   * Judges a customer with a limit. When it is below its limit again, it is served next; this
   * happens at most once in a round.
   *
   * @param other a customer that can have a limit, too
   */
  private void judgeLimited(Flow one, Flow other, long from, long to, int last) {
    TreeSet<Long> changes = new TreeSet<>(List.of(from, Math.max(from, to)));
    changes.addAll(flows.changesOfFull(one));
    if (flows.isLimited(other)) {
      changes.addAll(flows.changesOfFull(other));
    } else {
      judge(one, other, turns(one, other, from, to, last), MOST_AT_FIRST, Integer.MAX_VALUE);
    }
    long since = from;
    for (long change : changes.subSet(from, true, Math.max(from, to), true)) {
      if (flows.isFull(one, change) || flows.isFull(other, change)) {
        int below = Math.min(flows.lastTurnBelow(one, change), flows.lastTurnBelow(other, change));
        judgeBelow(one, other, since, change, Math.min(last, below));
        since = History.NEVER;
      } else if (since == History.NEVER) {
        since = change + pool.actsFor();
      }
    }
    judgeBelow(one, other, since, to, last);
  }

  /**
   * Judges the time in which both customers are below their limits. Until a fault is repaired, a
   * function may take an ended job for an unfinished one.
   */
  private void judgeBelow(Flow one, Flow other, long from, long to, int last) {
    boolean isQuiet = to < history.faultsFrom() || from > history.faultsTo() + history.repair();
    if (from < to && isQuiet) {
      judge(one, other, turns(one, other, from, to, last), MOST_AT_FIRST, MOST_AT_FIRST);
    }
  }

  /**
   * @param more by how many turns the first may be ahead over any stretch
   * @param fewer by how many turns the first may be behind over any stretch
   */
  private void judge(Flow one, Flow other, List<Stay> turns, int more, int fewer) {
    int difference = 0;
    int least = 0;
    int most = 0;
    for (Stay turn : turns) {
      difference += one.has(turn) ? 1 : -1;
      least = Math.min(least, difference);
      most = Math.max(most, difference);
      long failed = flows.disturbances(turns.get(0).chosen(), turn.chosen());
      if (difference - least > more + failed || most - difference > fewer + failed) {
        String what = one.customer() + " and " + other.customer() + " do not have equal shares";
        findings.add(new Finding(Finding.Kind.EARLY, PoolJudge.ABOUT, turn.jobId(), what));
        return;
      }
    }
  }

  /** Whether each customer had a turn that can be ahead of its place, and one in its place. */
  private static boolean areSettled(List<Stay> turns, Flow one, Flow other) {
    return turns.stream().filter(one::has).count() > 1
        && turns.stream().filter(other::has).count() > 1;
  }
}
