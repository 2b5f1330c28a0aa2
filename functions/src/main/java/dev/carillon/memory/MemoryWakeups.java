package dev.carillon.memory;

import dev.carillon.backfill.Backfill;
import dev.carillon.id.CollectingJobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Precedence;
import dev.carillon.wakeup.Wakeup;
import java.util.stream.Stream;

/** The entries of the attention index; none for what it does not show. */
final class MemoryWakeups {

  private MemoryWakeups() {}

  static Wakeup of(Job job) {
    return new Wakeup(job.id(), JobOrders.attentionAt(job), job.priority());
  }

  static Stream<Wakeup> of(CollectingJob collecting) {
    CollectingJobId id = new CollectingJobId(collecting.schedule());
    return Stream.ofNullable(collecting.wakeup()).map(plan -> new Wakeup(id, plan.attentionAt()));
  }

  static Stream<Wakeup> of(Backfill backfill) {
    return Stream.ofNullable(backfill.attentionAt())
        .map(at -> new Wakeup(backfill.id(), at, Precedence.LEAST_URGENT));
  }
}
