package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.PoolFacts.PoolVersion;
import dev.carillon.campaign.judge.PoolFacts.Stay;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Judges the moves of a pool: no move violates a limit, the depth or a pause; no move is missing
 * while there is room; a pool with the order fifo moves the oldest job first; and no job is lost.
 */
final class PoolJudge {

  /** The subject of findings about the pool. */
  static final String ABOUT = "pool";

  /** The subject of findings about the depth of its queue. */
  static final String DEPTH = "depth of the pool";

  /** Without faults, a job is moved within this time once there is room. */
  private static final long SOON = 5_000;

  /**
   * After faults, a wrong count of the messages is corrected within this time. The reason is that
   * the messages are counted again a minute after the last move, and the number that SQS reports
   * can be a minute old or missing.
   */
  private static final long COUNTED_AGAIN = 300_000;

  /** The waiting time that makes a job more urgent by one step of priority. */
  private static final long AGEING = 600_000;

  /** If a move takes at least this long, an old count of the messages may miss it. */
  private static final long SLOW = 1_000;

  private final History history;
  private final List<PoolVersion> versions;
  private final List<Stay> stays;
  private final List<Finding> findings;
  private final PoolFlows flows;

  /** How long an invocation can act on the definition that it has read. */
  private final long inFlight;

  PoolJudge(History history, List<Finding> findings) {
    this.history = history;
    this.versions = history.pool().versions();
    this.stays = history.pool().stays();
    this.findings = findings;
    this.flows = PoolFlows.of(history);
    this.inFlight = history.pool().actsFor();
  }

  void judge() {
    if (versions.isEmpty()) {
      return;
    }
    stays.stream().filter(it -> it.chosen() != History.NEVER).forEach(this::judgeChoice);
    stays.stream().filter(it -> it.moved() != History.NEVER).forEach(this::judgeDepth);
    stays.stream().filter(it -> it.left() != History.NEVER).forEach(this::judgeMove);
    judgeRoom();
    new PoolSharesJudge(history, findings).judge();
    new WeightedSharesJudge(history, findings).judge();
    new PullJudge(history, findings).judge();
  }

  // ---- definitions

  private List<PoolSpec> possible(long from, long to) {
    return history.pool().possible(from, to);
  }

  private int most(long from, long to, ToIntFunction<PoolSpec> number) {
    return possible(from, to).stream().mapToInt(number).max().orElse(0);
  }

  private int least(long from, long to, ToIntFunction<PoolSpec> number) {
    return possible(from, to).stream().mapToInt(number).min().orElse(0);
  }

  private static ToIntFunction<PoolSpec> limitOf(String customer) {
    return spec -> spec.limitOf(customer);
  }

  private long count(Predicate<Stay> which) {
    return stays.stream().filter(which).count();
  }

  // ---- one job

  private void judgeDepth(Stay stay) {
    long at = stay.moved();
    long queued = count(it -> it.moved() <= at && at < outOfQueue(it));
    int depth = most(at - inFlight, at, PoolSpec::depth);
    if (queued > depth + count(it -> isMiscounted(it, at))) {
      String what = queued + " requests in its queue, which takes " + depth;
      findings.add(new Finding(Finding.Kind.LIMIT, DEPTH, stay.jobId(), what));
    }
  }

  private void judgeChoice(Stay stay) {
    long at = stay.chosen();
    if (stays.stream().anyMatch(it -> isOvertaken(it, stay))) {
      find(Finding.Kind.EARLY, stay, "was chosen before a more urgent job");
    }
    if (possible(at - inFlight, at).stream().allMatch(PoolSpec::isFifo) && isPlaced(stay)) {
      judgeOrder(stay);
    }
  }

  /**
   * Whether a count of the messages may miss a request without a known claim: the request was moved
   * slowly, or a worker has received it and did not claim it at once.
   */
  private static boolean isMiscounted(Stay stay, long at) {
    boolean isSlow = stay.sent() < at && stay.sent() > stay.moved() + SLOW;
    boolean isHidden = stay.received() < at && stay.claimed() > stay.received() + SLOW;
    return isSlow || isHidden;
  }

  private static long outOfQueue(Stay stay) {
    return Math.min(stay.received(), stay.queuedUntil());
  }

  /**
   * Whether a wanted job has waited for so long that it is more urgent than the chosen job,
   * whatever turns its customer has had.
   */
  private boolean isOvertaken(Stay waiting, Stay chosen) {
    long at = chosen.chosen();
    long waited = Math.max(0, at + history.skew() - chosen.since());
    return waiting.priority() < chosen.priority() - waited / AGEING
        && waiting.entered() < at - inFlight
        && isAfter(waiting, chosen)
        && waiting.waitsUntil() > at
        && flows.unwantedFrom(waiting) > at
        && most(at - inFlight, at, spec -> spec.limits().size()) == 0;
  }

  /** The pool must not choose a later job before one that entered long before. */
  private void judgeOrder(Stay stay) {
    boolean passesOver =
        stays.stream()
            .filter(it -> it.priority() == stay.priority() && it.since() < stay.since())
            .filter(it -> it.entered() < stay.chosen() - inFlight && isPlaced(it))
            .filter(it -> isAfter(it, stay) && it.waitsUntil() > stay.chosen())
            .anyMatch(it -> flows.unwantedFrom(it) > stay.chosen());
    if (passesOver) {
      find(Finding.Kind.EARLY, stay, "was chosen before a job that has waited for longer");
    }
  }

  /**
   * Whether the pool certainly had only one order when a job entered, and has changed the order at
   * most once since. If the order changes back at once, two functions store the waiting jobs by
   * different orders, and a job can be missed until its next check. An invocation that read the
   * definition before a change can store the job under its customer's name after the change; such a
   * customer takes a turn.
   */
  private boolean isPlaced(Stay stay) {
    long at = stay.entered();
    boolean isNamedLate =
        stay.named() != History.NEVER && orders(stay.named() - inFlight, stay.named()) > 1;
    return orders(at - inFlight, at + inFlight) == 1
        && orders(at, stay.chosen()) <= 2
        && !isNamedLate;
  }

  /** How many orders the pool may have had, one after another. */
  private long orders(long from, long to) {
    List<Boolean> orders = possible(from, to).stream().map(PoolSpec::isFifo).toList();
    return IntStream.range(0, orders.size())
        .filter(i -> i == 0 || !orders.get(i).equals(orders.get(i - 1)))
        .count();
  }

  private static boolean isAfter(Stay one, Stay other) {
    return one.chosen() > other.chosen()
        || (one.chosen() == other.chosen() && one.turn() > other.turn());
  }

  private void judgeMove(Stay stay) {
    long at = stay.left();
    long unfinished =
        count(it -> it.customer().equals(stay.customer()) && it.left() <= at && at < it.ended());
    int limit = most(Math.min(stay.chosen(), at) - inFlight, at, limitOf(stay.customer()));
    if (unfinished > limit) {
      find(Finding.Kind.LIMIT, stay, unfinished + " attempts of a customer that may have " + limit);
    }
    if (possible(at - inFlight, at).stream().allMatch(PoolSpec::isPaused)) {
      find(Finding.Kind.EARLY, stay, "left a pool that was paused");
    }
    if (!stay.isPulled()
        && stay.sent() == History.NEVER
        && stay.ended() == History.NEVER
        && isOld(at)) {
      find(Finding.Kind.LOST, stay, "left the pool and was never sent");
    }
  }

  private boolean isOld(long instant) {
    return recovered(instant) < history.end() - COUNTED_AGAIN;
  }

  private long recovered(long instant) {
    return Math.max(instant, history.faultsTo() + history.repair());
  }

  // ---- the whole pool

  /**
   * Between two changes of the pool, either there is no room for any waiting job, or a job is moved
   * soon.
   */
  private void judgeRoom() {
    TreeSet<Long> changes = new TreeSet<>(List.of(history.end()));
    versions.forEach(it -> changes.add(it.returned()));
    versions.forEach(it -> changes.add(it.called()));
    for (Stay stay : stays) {
      changes.addAll(List.of(stay.ready(), stay.left(), stay.queuedUntil(), stay.ended()));
    }
    long since = History.NEVER;
    for (long change : changes) {
      if (change > history.end() || change + 1 > history.end()) {
        break;
      }
      boolean isMove = stays.stream().anyMatch(it -> it.left() == change);
      Long next = changes.higher(change);
      boolean hasRoom = next != null && hasRoom(change);
      since = !hasRoom ? History.NEVER : isMove || since == History.NEVER ? change : since;
      if (hasRoom && Math.min(next, history.end()) > movedBy(since)) {
        String what = "moves nothing from " + FireJudge.text(since) + " although there is room";
        findings.add(new Finding(Finding.Kind.LATE, ABOUT, null, what));
        return;
      }
    }
  }

  private long movedBy(long since) {
    boolean isBefore = since + SOON < history.faultsFrom();
    return isBefore ? since + SOON : recovered(since) + COUNTED_AGAIN;
  }

  /** Whether a job could certainly be moved at an instant. */
  private boolean hasRoom(long at) {
    boolean isPaused = possible(at, at).stream().anyMatch(PoolSpec::isPaused);
    long queued = count(it -> it.left() <= at && at < it.queuedUntil());
    return !isPaused
        && possible(at, at).stream().allMatch(PoolSpec::hasQueue)
        && queued < least(at, at, PoolSpec::depth)
        && stays.stream()
            .filter(it -> it.ready() <= at && at < it.waitsUntil())
            .anyMatch(it -> unfinished(it, at) < least(at, at, limitOf(it.customer())));
  }

  private long unfinished(Stay stay, long at) {
    return count(it -> it.customer().equals(stay.customer()) && it.left() <= at && at < it.ended());
  }

  private void find(Finding.Kind kind, Stay stay, String what) {
    findings.add(new Finding(kind, ABOUT, stay.jobId(), what));
  }
}
