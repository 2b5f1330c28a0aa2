package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.Limits.InPool;
import dev.carillon.campaign.judge.ScheduleSpec.Fifo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges requests to FIFO queues: each has the group that its document names, and no attempt
 * arrives a second time while SQS remembers it. If SQS drops a request because it has the
 * deduplication id of another request, the dropped request does not arrive; other judges find that.
 */
final class FifoJudge {

  /** How long SQS remembers a deduplication id. */
  private static final long REMEMBERED = 300_000;

  private static final String PRIORITY = "${priority}";

  private final Schedule schedule;
  private final List<Finding> findings;

  FifoJudge(Schedule schedule, List<Finding> findings) {
    this.schedule = schedule;
    this.findings = findings;
  }

  void judge() {
    Map<String, Long> before = new HashMap<>();
    for (Launch launch : schedule.launches()) {
      ScheduleSpec spec = schedule.document(launch.version());
      if (spec != null && spec.fifo() != null) {
        judgeGroup(launch, spec.fifo());
        Arrival arrival = launch.arrival();
        Long last = before.put(arrival.jobId() + "." + arrival.attempt(), arrival.at());
        if (last != null && arrival.at() < last + REMEMBERED) {
          find(Finding.Kind.DOUBLED, launch, "its attempt was accepted twice by a FIFO queue");
        }
      } else if (spec != null && !launch.arrival().group().equals(customer(spec))) {
        find(Finding.Kind.UNASKED, launch, "has a group that its document does not name");
      }
    }
  }

  /** In a standard queue, the group of a request is its customer. */
  private static String customer(ScheduleSpec spec) {
    InPool pool = spec.limits().pool();
    return pool == null ? "" : pool.customer();
  }

  private void judgeGroup(Launch launch, Fifo fifo) {
    String priority = launch.backfill().isEmpty() ? "5" : "9";
    String expected = fifo.group().replace(PRIORITY, priority);
    String group = launch.arrival().group();
    boolean isDefault = expected.isEmpty() && group.equals(schedule.name());
    if (!group.equals(expected) && !isDefault) {
      find(Finding.Kind.UNASKED, launch, "is in group " + group + " instead of " + expected);
    }
  }

  private void find(Finding.Kind kind, Launch launch, String what) {
    findings.add(new Finding(kind, schedule.name(), launch.arrival().jobId(), what));
  }
}
