package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.JobRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A row that says which missed fires of one leaf were not made up for.
 *
 * @param leaf its place in the document
 * @param policy in the words of the history
 */
record Skipped(JobRow row, int leaf, long first, long last, long count, String policy) {

  private static final Pattern TOLD =
      Pattern.compile(
          "(?<count>\\d+) missed fires? from (?<first>\\S+) to (?<last>\\S+)"
              + " not made up for: catchUp (?<policy>.+)");

  /** All of one schedule. */
  static List<Skipped> of(History history, String schedule) {
    List<Skipped> all = new ArrayList<>();
    for (JobRow row : history.rows()) {
      Matcher told = TOLD.matcher(String.valueOf(row.reason()));
      if (row.schedule().equals(schedule) && row.state().equals("SKIPPED") && told.matches()) {
        all.add(
            new Skipped(
                row,
                row.counts().size() - 1,
                instant(told.group("first")),
                instant(told.group("last")),
                Long.parseLong(told.group("count")),
                told.group("policy")));
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

  /** Whether what the row counts is what its reason says. */
  boolean isConsistent() {
    return leaf >= 0
        && row.began() == first
        && row.fire() == last
        && row.counts().get(leaf) == count;
  }
}
