package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.JobRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A row that says which missed fires of one leaf were not made up for.
 *
 * @param leaf its place in the document
 * @param policy in the words of the history
 */
record Skipped(JobRow row, int leaf, long first, long last, long count, String policy) {

  /** All of one schedule. */
  static List<Skipped> of(History history, String schedule) {
    List<Skipped> all = new ArrayList<>();
    for (JobRow row : history.rows()) {
      boolean isSkipped = row.state().equals("SKIPPED") && row.why().code().equals(Causes.MISSED);
      if (isSkipped && row.schedule().equals(schedule)) {
        List<String> told = row.why().arguments();
        all.add(
            new Skipped(
                row,
                row.counts().size() - 1,
                instant(told.get(1)),
                instant(told.get(2)),
                Long.parseLong(told.get(0)),
                told.get(3)));
      }
    }
    return all;
  }

  private static long instant(String text) {
    return Instant.parse(text).toEpochMilli();
  }

  /** When it was decided, by the clock of who did. */
  long decidedAt() {
    return row.changed();
  }

  boolean spans(long fire) {
    return fire >= first && fire <= last;
  }

  /** Whether a fire of a document is among what it counts, if nothing has become of that before. */
  boolean covers(Wish wish, long fire) {
    return spans(fire)
        && leaf < wish.leaves().size()
        && FireCalendar.fires(wish.leaves().get(leaf), fire);
  }

  /** Whether what the row counts is what it says. */
  boolean isConsistent() {
    return leaf >= 0
        && row.began() == first
        && row.fire() == last
        && row.counts().get(leaf) == count;
  }
}
