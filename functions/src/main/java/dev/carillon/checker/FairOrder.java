package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.wakeup.Wakeup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which an invocation processes subjects of several namespaces: those of namespaces
 * with few of them come first, so that the load of one namespace does not delay another. The
 * subjects of a namespace keep their order.
 */
final class FairOrder {

  private FairOrder() {}

  /**
   * Passes of at most {@link Check#MOST_SUBJECTS}; no large namespace shares one with small ones.
   */
  static List<List<Wakeup>> passes(List<Wakeup> wakeups) {
    Map<String, Integer> sizes = new HashMap<>();
    wakeups.forEach(one -> sizes.merge(namespace(one), 1, Integer::sum));
    List<Wakeup> small = new ArrayList<>();
    List<Wakeup> large = new ArrayList<>();
    for (Wakeup one : wakeups) {
      (sizes.getOrDefault(namespace(one), 0) < Check.MOST_SUBJECTS ? small : large).add(one);
    }
    List<List<Wakeup>> passes = new ArrayList<>(split(small));
    passes.addAll(split(large));
    return passes;
  }

  private static List<List<Wakeup>> split(List<Wakeup> wakeups) {
    List<List<Wakeup>> passes = new ArrayList<>();
    for (int start = 0; start < wakeups.size(); start += Check.MOST_SUBJECTS) {
      int end = Math.min(start + Check.MOST_SUBJECTS, wakeups.size());
      passes.add(wakeups.subList(start, end));
    }
    return passes;
  }

  private static String namespace(Wakeup wakeup) {
    Subject subject = wakeup.subject();
    if (subject instanceof JobId job) {
      return job.schedule().namespace();
    }
    if (subject instanceof RunId run) {
      return run.job().schedule().namespace();
    }
    return subject instanceof CollectingJobId job
        ? job.schedule().namespace()
        : ((SuspensionEnd) subject).schedule().namespace();
  }
}
