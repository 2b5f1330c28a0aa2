package dev.carillon.check;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A message of the overdue queue: jobs of one namespace that were due longer than {@link #MARGIN}
 * ago. The jobs of a released backlog and of missed fires pass through this queue at a bounded
 * rate, so that they do not delay the jobs that are due now.
 *
 * @param group the schedule of the jobs, or their namespace if they belong to several schedules;
 *     SQS shares the queue fairly among groups
 */
public record OverdueCheck(String group, Check check) {

  /**
   * How late a job is when it becomes overdue. It is the sum of two delays: that of a redelivery
   * (60 s), and that of a tick that the master missed beyond its look-ahead (60 s). So a job with
   * one of these delays is not put behind a backlog.
   */
  public static final Duration MARGIN = Duration.ofMinutes(2);

  /**
   * Checks, divided by the queue that delivers them.
   *
   * @param due for the check queue
   * @param overdue for the overdue queue
   */
  public record Routes(List<Check> due, List<OverdueCheck> overdue) {}

  /**
   * Takes the overdue jobs out of the checks. All other subjects stay in their checks: a schedule
   * has only one subject of each kind, so they make no backlog.
   */
  public static Routes route(List<Check> checks, Instant now) {
    Instant limit = now.minus(MARGIN);
    List<Check> due = new ArrayList<>();
    List<Wakeup> overdue = new ArrayList<>();
    for (Check check : checks) {
      List<Wakeup> rest = new ArrayList<>();
      for (Wakeup wakeup : check.wakeups()) {
        (isOverdue(wakeup, limit) ? overdue : rest).add(wakeup);
      }
      if (!rest.isEmpty()) {
        due.add(new Check(check.due(), rest.stream().map(Wakeup::subject).toList()));
      }
    }
    return new Routes(due, packed(overdue));
  }

  private static boolean isOverdue(Wakeup wakeup, Instant limit) {
    return wakeup.subject() instanceof JobId && wakeup.at().isBefore(limit);
  }

  /**
   * Fills messages with the fires of one schedule each. The remaining fires of all schedules of a
   * namespace share messages: after an outage, many schedules have one fire each.
   */
  private static List<OverdueCheck> packed(List<Wakeup> overdue) {
    Map<String, Map<ScheduleId, List<Wakeup>>> byNamespace =
        overdue.stream()
            .collect(
                Collectors.groupingBy(
                    wakeup -> scheduleOf(wakeup).namespace(),
                    TreeMap::new,
                    Collectors.groupingBy(
                        OverdueCheck::scheduleOf, TreeMap::new, Collectors.toList())));
    List<OverdueCheck> packed = new ArrayList<>();
    byNamespace.forEach(
        (namespace, schedules) -> {
          List<Wakeup> shared = new ArrayList<>();
          for (List<Wakeup> jobs : schedules.values()) {
            int full = jobs.size() - jobs.size() % Check.MOST_SUBJECTS;
            addAll(packed, jobs.subList(0, full));
            shared.addAll(jobs.subList(full, jobs.size()));
          }
          addAll(packed, shared);
        });
    return packed;
  }

  private static void addAll(List<OverdueCheck> packed, List<Wakeup> jobs) {
    for (int start = 0; start < jobs.size(); start += Check.MOST_SUBJECTS) {
      packed.add(of(jobs.subList(start, Math.min(start + Check.MOST_SUBJECTS, jobs.size()))));
    }
  }

  private static OverdueCheck of(List<Wakeup> jobs) {
    List<ScheduleId> schedules = jobs.stream().map(OverdueCheck::scheduleOf).distinct().toList();
    ScheduleId first = schedules.get(0);
    Instant due = jobs.stream().map(Wakeup::at).min(Instant::compareTo).orElseThrow();
    return new OverdueCheck(
        schedules.size() == 1 ? first.toString() : first.namespace(),
        new Check(due, jobs.stream().map(Wakeup::subject).toList()));
  }

  private static ScheduleId scheduleOf(Wakeup wakeup) {
    return ((JobId) wakeup.subject()).schedule();
  }
}
