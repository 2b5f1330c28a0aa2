package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Tenant.Rate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of a tenant, in terms of what the functions do for it. It bounds how late the tenant may
 * be, whatever other tenants do.
 *
 * @param from the instants at which its launches can begin, in order
 * @param work the microseconds for which one launch occupies an invocation; a single invocation may
 *     have received all launches
 * @param together how many launches are sent together at most; the first of them waits for the work
 *     on the last one
 * @param delay the milliseconds by which a launch can be late without any load
 */
public record TenantLoad(List<Long> from, double work, int together, long delay) {

  /**
   * The instants by which the first launch, the first two launches and so on must have arrived.
   *
   * <p>The launches form a queue: each begins when it can, and when the work on the one before has
   * ended. The work may take twice its time, because the quiet tenant shares the deployment. A
   * launch beyond the rate waits for its turn, and each turn may be as late as any quiet launch.
   *
   * @param inTime the lateness in milliseconds that is allowed without any load
   */
  List<Long> latest(@Nullable Rate rate, long inTime) {
    double each = NeighbourJudge.MOST_TIMES * work / 1_000;
    List<Double> ends = new ArrayList<>();
    for (int i = 0; i < from.size(); i++) {
      double begin = i == 0 ? from.get(i) : Math.max(from.get(i), ends.get(i - 1));
      if (rate != null && i >= rate.max()) {
        double turn = ends.get(i - rate.max()) + rate.per() + inTime;
        begin = Math.max(begin, turn);
      }
      ends.add(begin + each);
    }
    List<Long> latest = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      double sent = ends.get(lastSentWith(i, ends));
      latest.add((long) Math.ceil(sent) + NeighbourJudge.MOST_TIMES * delay + inTime);
    }
    return latest;
  }

  /** The last of the launches that can begin while this one is worked on. */
  private int lastSentWith(int launch, List<Double> ends) {
    int last = launch;
    while (last + 1 < Math.min(from.size(), launch + together)
        && from.get(last + 1) <= ends.get(launch)) {
      last++;
    }
    return last;
  }
}
