package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.BackfillId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Plans checks for the end of the current leases, in case this checker crashes before it has sent
 * the requests, or before it has read once more the heads of schedules whose jobs it suspended.
 * Only subjects that perhaps no other message names need such a check.
 */
final class LeaseChecks {

  private final CheckQueue checks;
  private final InstantSource clock;

  LeaseChecks(CheckQueue checks, InstantSource clock) {
    this.checks = checks;
    this.clock = clock;
  }

  /**
   * Plans checks of the backfills of leased jobs. A job with a slot needs no such check, because it
   * wakes its backfill when its run ends.
   */
  void addBackfills(List<Launch> leased) {
    List<BackfillId> backfills =
        leased.stream()
            .map(Launch::job)
            .filter(job -> !job.isSlotted())
            .flatMap(job -> job.id().backfill().stream())
            .distinct()
            .toList();
    add(backfills);
  }

  /** Plans checks of those jobs that are tracked. */
  void addTracked(Stream<Job> jobs) {
    add(jobs.filter(job -> job.run() != null).map(Job::id).toList());
  }

  /**
   * Plans checks of those jobs that no index contains once their gate has let them pass. A job that
   * still waits at its gate needs no such check: each check would make the gate serve its jobs
   * again, and that would plan another check.
   */
  void addUnindexed(Stream<Job> passed) {
    add(passed.filter(job -> job.run() != null || job.isReady()).map(Job::id).toList());
  }

  void add(List<? extends Subject> subjects) {
    if (!subjects.isEmpty()) {
      Instant now = clock.instant();
      checks.send(Check.of(now.plus(CheckProcessor.LEASE), subjects), now);
    }
  }
}
