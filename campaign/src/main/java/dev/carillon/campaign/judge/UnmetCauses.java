package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.LimitFacts.ReportedEnd;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.Pause;
import dev.carillon.campaign.judge.Limits.RateLimit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.Limits.Window;
import java.util.stream.Stream;

/**
 * The causes for which a job may have ended instead of waiting: a constraint with {@code onUnmet:
 * skip} did not hold, or other jobs waited for its limit.
 */
record UnmetCauses(History history) {

  static final String UNMET = "CONSTRAINTS_UNMET";

  /** Whether a constraint of the document may have ended the job. */
  boolean explain(StoredJob stored, ScheduleSpec spec) {
    return stored.why().code().equals(UNMET)
        && spec.limits().all().stream()
            .filter(Limit::skips)
            .anyMatch(limit -> mayBeUnmet(limit, stored, spec));
  }

  private boolean mayBeUnmet(Limit limit, StoredJob stored, ScheduleSpec spec) {
    long at = stored.changed();
    long tolerance = 2 * history.skew() + History.ON_TIME;
    if (limit instanceof Window window) {
      return !WindowTimes.staysOpen(window, at - tolerance, at + tolerance);
    }
    ProgramFacts facts = ProgramFacts.of(history, spec.limits().program());
    if (facts.mayWait(stored.jobId(), at, tolerance)) {
      return true;
    }
    if (limit instanceof RateLimit rate) {
      return launches(facts, at, rate.per() + tolerance) >= rate.max();
    }
    long unfinished = facts.possiblyUnfinished(stored.jobId(), at - tolerance);
    if (limit instanceof RunLimit runs) {
      return unfinished >= runs.max();
    }
    long duration = ((Pause) limit).duration();
    return unfinished > 0
        || facts.ends().stream().anyMatch(it -> mayCount(facts, it, duration, at - tolerance));
  }

  /**
   * How many launches may count for a rate. It includes launches whose requests were sent later,
   * and repeated requests that a queue dropped.
   */
  private static long launches(ProgramFacts facts, long at, long within) {
    Stream<TimeRange> arrived =
        facts.arrivals().stream().map(it -> new TimeRange(it.sent(), it.at()));
    return Stream.concat(arrived, facts.repeats())
        .filter(it -> it.from() <= at + facts.inFlight(at))
        .filter(it -> it.to() > at - within - LimitedLaunches.DECIDED_BEFORE)
        .count();
  }

  /** Whether the end of a run may count for {@code sinceLastRun}: only a success does. */
  private static boolean mayCount(ProgramFacts facts, ReportedEnd end, long duration, long at) {
    return end.status().equals("SUCCEEDED")
        && end.sent() <= at + LimitedLaunches.DECIDED_BEFORE
        && facts.takenBy(end) + duration >= at;
  }
}
