package dev.carillon.checker;

import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.runtime.Deadline;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the waiting jobs of a gate. The gate stays in the attention index until the last
 * write of the pass, which stores when the gate is served next. The gate is read before its waiting
 * jobs. If another writer has changed it since, the pass is incomplete: it may have missed a new
 * waiting job.
 */
final class GatePass {

  private static final int PAGE = 25;

  /**
   * The size of the pages after one on which all schedules are blocked. With small pages, a pass
   * would not get past the jobs of such a schedule before its deadline, and each pass begins at the
   * first job.
   */
  private static final int PAGE_OF_BLOCKED = 1_000;

  private final CheckServices services;
  private final GateKey key;
  private final Instant came;
  private final Map<Subject, Instant> followUps;
  private final Collection<Exhausted> exhausted;

  /** The schedules whose jobs this gate does not let through now. */
  private final Set<ScheduleId> blocked = new HashSet<>();

  /** The earliest follow-up check of the jobs that could not launch now; null for none. */
  private @Nullable Instant earliest;

  /** The instant of the first decisions; null before them. */
  private @Nullable Instant decidedSince;

  /** Whether the deadline passed before all candidates of the last page were decided. */
  private boolean isCutShort;

  /**
   * @param came the instant of the present check
   * @param followUps receives the wake-ups to send before the message is acknowledged
   * @param exhausted receives the schedules that must be ended
   */
  GatePass(
      CheckServices services,
      GateKey key,
      Instant came,
      Map<Subject, Instant> followUps,
      Collection<Exhausted> exhausted) {
    this.services = services;
    this.key = key;
    this.came = came;
    this.followUps = followUps;
    this.exhausted = exhausted;
  }

  /**
   * Lets waiting jobs through while the gate has free slots.
   *
   * @return false if the gate must be served again: another writer has changed it, or the deadline
   *     passed before all jobs that could launch were launched
   */
  boolean serve(Deadline deadline) {
    GateTransactions gates = new GateTransactions(services.shared());
    if (gates.gate(key).waiters() == 0) {
      return gates.serveNext(key, null, services.clock().instant());
    }
    @Nullable Waiter last = null;
    @Nullable CheckPass pass = null;
    int limit = PAGE;
    while (!deadline.hasPassed()) {
      List<Waiter> page = services.shared().gates().waiters(key, last, limit);
      List<Waiter> unblocked =
          page.stream().filter(waiter -> !blocked.contains(waiter.job().schedule())).toList();
      boolean isWhole = unblocked.size() <= PAGE;
      List<Waiter> candidates = isWhole ? unblocked : unblocked.subList(0, PAGE);
      if (pass == null || !candidates.isEmpty()) {
        pass = serve(candidates, gates.gate(key), deadline);
      }
      if (isCutShort || pass.gates().isOutdated(key)) {
        return false;
      }
      gates = pass.gates();
      boolean isLast = isWhole && page.size() < limit;
      if (isLast || !gates.gate(key).isOpenToAny(services.clock().instant())) {
        return storeNext(pass);
      }
      last = isWhole ? page.get(page.size() - 1) : candidates.get(PAGE - 1);
      limit = candidates.isEmpty() ? PAGE_OF_BLOCKED : PAGE;
    }
    return false;
  }

  private CheckPass serve(List<Waiter> candidates, Gate read, Deadline deadline) {
    List<JobId> jobs = candidates.stream().map(Waiter::job).toList();
    CheckPass pass = CheckPass.ofJobs(services, jobs);
    pass.gates().remember(read);
    decidedSince = decidedSince == null ? pass.now() : decidedSince;
    isCutShort = !pass.serve(key, candidates, blocked, deadline);
    exhausted.addAll(pass.exhausted());
    Map<Subject, Instant> wakeups = pass.followUps().wakeups();
    jobs.forEach(job -> keepEarliest(wakeups.get(job)));
    // The next check of this gate decides on the undecided jobs again. A check of each such job
    // would bring another check of the gate, and their number would grow.
    followUps.putAll(pass.followUps().ofDecided());
    followUps.remove(key);
    blocked.addAll(pass.snapshot().unreadable());
    return pass;
  }

  private void keepEarliest(@Nullable Instant next) {
    if (next != null && (earliest == null || next.isBefore(earliest))) {
      earliest = next;
    }
  }

  private boolean storeNext(CheckPass pass) {
    Instant now = services.clock().instant();
    Gate gate = pass.gates().gate(key);
    if (gate.waiters() == 0) {
      return pass.gates().serveNext(key, null, now);
    }
    // A limit can open between the decision on a job and this instant. The gate is then served
    // again at the opening of the limit.
    Instant opening =
        gate.opening(Objects.requireNonNull(decidedSince)).orElseGet(() -> gate.latestCheck(now));
    Instant next = earliest == null || opening.isBefore(earliest) ? opening : earliest;
    // The check of the present plan plans the next one. The clock can have stepped back to before
    // the present check, which is not still to come.
    Instant latest = now.isBefore(came) ? came : now;
    if (gate.wakeup() != null && gate.wakeup().serves(next, latest)) {
      return true;
    }
    boolean isStored = pass.gates().serveNext(key, next, now);
    if (isStored && Wakeup.plan(next, now).isInMessage()) {
      followUps.put(key, next);
    }
    return isStored;
  }
}
