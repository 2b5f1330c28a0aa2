package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A stored job that records which missed fires of one leaf were not launched.
 *
 * @param leaf the index of the leaf in the document
 * @param policy the text of the policy in the history of the job
 */
record SkippedFires(StoredJob stored, int leaf, long first, long last, long count, String policy) {

  /** The skipped fires of one schedule. */
  static List<SkippedFires> of(History history, String schedule) {
    List<SkippedFires> all = new ArrayList<>();
    for (StoredJob stored : history.jobs()) {
      boolean isSkipped =
          stored.state().equals("SKIPPED") && stored.why().code().equals(Causes.MISSED);
      if (isSkipped && stored.schedule().equals(schedule)) {
        List<String> arguments = stored.why().arguments();
        all.add(
            new SkippedFires(
                stored,
                stored.counts().size() - 1,
                instant(arguments.get(1)),
                instant(arguments.get(2)),
                Long.parseLong(arguments.get(0)),
                arguments.get(3)));
      }
    }
    return all;
  }

  private static long instant(String text) {
    return Instant.parse(text).toEpochMilli();
  }

  /** The instant of the decision, by the clock of the deciding function. */
  long decidedAt() {
    return stored.changed();
  }

  boolean spans(long fire) {
    return fire >= first && fire <= last;
  }

  /**
   * Whether the stored job counts a fire of a document, unless the fire already had another
   * outcome.
   */
  boolean covers(ScheduleSpec spec, long fire) {
    return spans(fire)
        && leaf < spec.leaves().size()
        && FireCalendar.fires(spec.leaves().get(leaf), fire);
  }

  /** Whether the counts of the stored job agree with its reason. */
  boolean isConsistent() {
    return leaf >= 0
        && stored.began() == first
        && stored.fire() == last
        && stored.counts().get(leaf) == count;
  }
}
