package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.Setback;
import dev.carillon.campaign.judge.Waits.Pending;
import org.jspecify.annotations.Nullable;

/**
 * What may have kept jobs from being launched, by what was asked for and what was seen of them. A
 * row that says that a job was not launched is believed only if there was such a cause.
 */
record Causes(History history) {

  static final String MERGED = "MERGED_INTO_WAITING";
  static final String DROPPED = "DROPPED_FOR_WAITING";
  static final String MISSED = "MISSED_FIRES";
  static final String SKIPPED_BY_HAND = "SKIPPED_BY_HAND";
  static final String TRIGGER_TIMED_OUT = "TRIGGER_TIMED_OUT";

  private static final String CONSTRAINTS_TIMED_OUT = "CONSTRAINTS_TIMED_OUT";
  private static final String REQUEST_TIMED_OUT = "REQUEST_TIMED_OUT";

  /** What two functions may date differently: their clocks differ, and each may have stalled. */
  static final long DATED = Judge.IN_FLIGHT + 2 * Judge.SKEW;

  /** A launch may wait so long for the end of another one's run. */
  private static final long QUEUE = 240_000;

  /** Whether a job of a document may have ended as its row says, which is without a launch. */
  boolean explain(JobRow row, Wish wish) {
    return switch (row.state()) {
      case "TIMED_OUT" -> mayTimeOut(row, wish);
      case "SKIPPED" -> mayGoWithAnother(row, wish);
      default -> false;
    };
  }

  /** Whether something of what its row names may have held it back until its time-out. */
  private boolean mayTimeOut(JobRow row, Wish wish) {
    if (!wish.waits().discards()) {
      return false;
    }
    return switch (row.why().code()) {
      case TRIGGER_TIMED_OUT -> !wish.isPlain();
      case CONSTRAINTS_TIMED_OUT ->
          mayBeDelayed(wish) || mayGaugeBeClosed(row) || (wish.limit() > 0 && mayHaveToQueue(row));
      case REQUEST_TIMED_OUT -> hadSetback(row.jobId(), row.changed() + Judge.SKEW);
      default -> false;
    };
  }

  /** A fire's delay and its time-out begin with it; the delay of others begins later. */
  private static boolean mayBeDelayed(Wish wish) {
    Waits waits = wish.waits();
    return wish.isPlain() ? waits.delay() > waits.timeout() : waits.delay() > 0;
  }

  /** Whether it had not been open for long enough to let all waiting jobs through. */
  private boolean mayGaugeBeClosed(JobRow row) {
    return history.openFrom() > history.start()
        && (history.openFrom() == History.NEVER
            || row.changed() <= history.bound(history.openFrom()) + Judge.IN_FLIGHT);
  }

  /** Whether another job may have had its slot. */
  private boolean mayHaveToQueue(JobRow row) {
    long from = row.began() - QUEUE;
    long to = row.changed() + QUEUE;
    return history.arrivals().stream()
            .filter(other -> !other.jobId().equals(row.jobId()))
            .anyMatch(other -> other.at() >= from && other.at() <= to)
        || history.rows().stream()
            .filter(other -> !other.jobId().equals(row.jobId()))
            .anyMatch(other -> other.changed() >= from && other.first() <= to);
  }

  private boolean hadSetback(String jobId, long until) {
    return history.setbacks().stream()
        .filter(setback -> setback.jobId().equals(jobId))
        .mapToLong(Setback::at)
        .anyMatch(at -> at <= until);
  }

  private boolean mayGoWithAnother(JobRow row, Wish wish) {
    Pending pending = pending(row);
    return pending != null
        && wish.waits().pending() == pending
        && mayHaveWaited(row.why().arguments().get(0), row.changed());
  }

  /** The rule by which it did not become a job; null for no rule. */
  static @Nullable Pending pending(JobRow row) {
    return switch (row.why().code()) {
      case MERGED -> Pending.MERGE;
      case DROPPED -> Pending.SKIP;
      default -> null;
    };
  }

  /** Whether a job may have been there at an instant, and not been launched yet. */
  boolean mayHaveWaited(String jobId, long instant) {
    return history.rows().stream()
            .filter(row -> row.jobId().equals(jobId))
            .filter(row -> row.began() <= instant + DATED)
            .anyMatch(row -> !row.over() || row.changed() >= instant - DATED)
        && (hadSetback(jobId, instant + Judge.SKEW)
            || history.arrivals().stream()
                .filter(arrival -> arrival.jobId().equals(jobId) && !arrival.explained())
                .mapToLong(Arrival::at)
                .noneMatch(at -> at < instant - DATED));
  }
}
