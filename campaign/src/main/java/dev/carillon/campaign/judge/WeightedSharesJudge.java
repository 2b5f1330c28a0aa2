package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.PoolFacts.Stay;
import dev.carillon.campaign.judge.PoolFlows.Busy;
import dev.carillon.campaign.judge.PoolFlows.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Judges the shares of customers with weights. While the definition and the set of customers with
 * waiting jobs stay the same, a customer's number of turns among the first n is within 1 of its
 * share of n, and so within 2 over any stretch. It is within 3 until each customer has had two
 * turns, because a newcomer is served ahead of its place. Each invocation that failed meanwhile
 * allows one more, and so does one that failed after an earlier turn of which it may have left rows
 * unstored. Nothing is judged while a waiting customer may be at its limit.
 */
final class WeightedSharesJudge {

  private static final double SETTLED = 2;
  private static final double AT_FIRST = 3;

  /**
   * In how many later turns of a customer without a weight it shows that the rows of a turn are not
   * stored. The next turn is then in the same round, so the customer counts twice in the weight of
   * all such customers: until the end of the next round, and at the first turn after it.
   */
  private static final int UNSTORED_SHOWS_IN = 3;

  private static final double ROUNDING = 1e-6;

  private final PoolFacts pool;
  private final PoolFlows flows;
  private final List<Finding> findings;

  WeightedSharesJudge(History history, List<Finding> findings) {
    this.pool = history.pool();
    this.flows = PoolFlows.of(history);
    this.findings = findings;
  }

  void judge() {
    if (pool.versions().stream().allMatch(it -> it.definition().weights().isEmpty())) {
      return;
    }
    List<Flow> all = flows.flows();
    all.stream()
        .map(Flow::priority)
        .distinct()
        .forEach(priority -> judge(all.stream().filter(it -> it.priority() == priority).toList()));
  }

  /** A customer whose jobs wait throughout a stretch of time. */
  private record Waiting(Flow flow, Busy busy) {}

  /** Judges each stretch of time in which neither the customers nor the definition change. */
  private void judge(List<Flow> ofPriority) {
    List<Waiting> all = new ArrayList<>();
    TreeSet<Long> changes = new TreeSet<>();
    for (Flow flow : ofPriority) {
      for (Busy busy : flows.busy(flow)) {
        all.add(new Waiting(flow, busy));
        changes.addAll(List.of(busy.from(), busy.to()));
      }
      if (flows.isLimited(flow)) {
        changes.addAll(flows.changesOfFull(flow));
      }
    }
    pool.versions().forEach(it -> changes.addAll(List.of(it.called(), it.returned())));
    for (Long from : changes) {
      Long to = changes.higher(from);
      if (to != null) {
        judge(
            all.stream().filter(it -> it.busy().from() <= from && it.busy().to() >= to).toList(),
            from,
            to);
      }
    }
  }

  private void judge(List<Waiting> waiting, long from, long to) {
    List<Flow> customers = waiting.stream().map(Waiting::flow).distinct().toList();
    List<PoolSpec> possible = pool.possible(from - pool.actsFor(), to);
    if (customers.size() < 2 || possible.size() != 1 || mayBeFull(customers, from)) {
      return;
    }
    int last =
        waiting.stream()
            .mapToInt(
                it ->
                    Math.min(
                        it.busy().to() == to ? it.busy().last() : Integer.MAX_VALUE,
                        flows.lastTurnBelow(it.flow(), to)))
            .min()
            .orElse(Integer.MAX_VALUE);
    List<Stay> turns =
        flows.chosen().stream()
            .filter(it -> it.chosen() >= from + pool.actsFor() && it.chosen() <= to)
            .filter(it -> it.turn() <= last && customers.stream().anyMatch(one -> one.has(it)))
            .toList();
    int settled = 0;
    while (settled < turns.size() && !areSettled(turns.subList(0, settled), customers)) {
      settled++;
    }
    Map<String, Integer> weights = possible.get(0).weights();
    List<Flow> unweighted =
        customers.stream().filter(it -> !weights.containsKey(it.customer())).toList();
    for (Flow customer : customers) {
      double share = share(customer, customers, weights);
      judge(customer, share, turns, unweighted, AT_FIRST);
      judge(customer, share, turns.subList(settled, turns.size()), unweighted, SETTLED);
    }
  }

  /** Whether some customer may be at its limit from an instant until the next change. */
  private boolean mayBeFull(List<Flow> customers, long from) {
    return customers.stream().anyMatch(it -> flows.isLimited(it) && flows.isFull(it, from));
  }

  private static boolean areSettled(List<Stay> turns, List<Flow> customers) {
    return customers.stream().allMatch(one -> turns.stream().filter(one::has).count() > 1);
  }

  private static double share(Flow one, List<Flow> customers, Map<String, Integer> weights) {
    int sum = customers.stream().mapToInt(it -> weights.getOrDefault(it.customer(), 1)).sum();
    return (double) weights.getOrDefault(one.customer(), 1) / sum;
  }

  private void judge(
      Flow customer, double share, List<Stay> turns, List<Flow> unweighted, double allowed) {
    if (turns.isEmpty()) {
      return;
    }
    Stay first = turns.get(0);
    long before = flows.earlierDisturbances(unweighted, first, UNSTORED_SHOWS_IN);
    double ahead = 0;
    double least = 0;
    double most = 0;
    for (Stay turn : turns) {
      ahead += (customer.has(turn) ? 1 : 0) - share;
      least = Math.min(least, ahead);
      most = Math.max(most, ahead);
      long failed = before + flows.disturbances(first.chosen(), turn.chosen());
      if (most - least > allowed + failed + ROUNDING) {
        String what = customer.customer() + " does not have its share of " + share;
        findings.add(new Finding(Finding.Kind.EARLY, PoolJudge.ABOUT, turn.jobId(), what));
        return;
      }
    }
  }
}
