package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.wakeup.Wakeup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order in which an invocation processes subjects: first the subjects of namespaces with few
 * subjects, then those of schedules with few subjects, then all others, so that the load of one
 * namespace or schedule delays no other. Within each of these groups, the order of the wake-ups is
 * kept.
 */
final class FairOrder {

  private FairOrder() {}

  /** Passes of at most {@link Check#MOST_SUBJECTS} subjects; no two groups share a pass. */
  static List<List<Wakeup>> passes(List<Wakeup> wakeups) {
    Map<String, Integer> ofNamespaces = new HashMap<>();
    Map<ScheduleId, Integer> ofSchedules = new HashMap<>();
    for (Wakeup one : wakeups) {
      ofNamespaces.merge(schedule(one).namespace(), 1, Integer::sum);
      ofSchedules.merge(schedule(one), 1, Integer::sum);
    }
    List<Wakeup> small = new ArrayList<>();
    List<Wakeup> ofSmallSchedules = new ArrayList<>();
    List<Wakeup> large = new ArrayList<>();
    for (Wakeup one : wakeups) {
      ScheduleId schedule = schedule(one);
      if (isSmall(ofNamespaces.get(schedule.namespace()))) {
        small.add(one);
      } else {
        (isSmall(ofSchedules.get(schedule)) ? ofSmallSchedules : large).add(one);
      }
    }
    List<List<Wakeup>> passes = new ArrayList<>(split(small));
    passes.addAll(split(ofSmallSchedules));
    passes.addAll(split(large));
    return passes;
  }

  private static boolean isSmall(@Nullable Integer count) {
    return count != null && count < Check.MOST_SUBJECTS;
  }

  private static List<List<Wakeup>> split(List<Wakeup> wakeups) {
    List<List<Wakeup>> passes = new ArrayList<>();
    for (int start = 0; start < wakeups.size(); start += Check.MOST_SUBJECTS) {
      int end = Math.min(start + Check.MOST_SUBJECTS, wakeups.size());
      passes.add(wakeups.subList(start, end));
    }
    return passes;
  }

  private static ScheduleId schedule(Wakeup wakeup) {
    Subject subject = wakeup.subject();
    if (subject instanceof JobId job) {
      return job.schedule();
    }
    if (subject instanceof RunId run) {
      return run.job().schedule();
    }
    return subject instanceof CollectingJobId job
        ? job.schedule()
        : ((SuspensionEnd) subject).schedule();
  }
}
