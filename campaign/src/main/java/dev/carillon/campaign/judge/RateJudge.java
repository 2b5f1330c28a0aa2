package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.LimitedLaunches.LimitedLaunch;
import dev.carillon.campaign.judge.Limits.RateLimit;
import java.util.List;

/**
 * Judges rates by the requests alone: no interval (t − per, t] that ends with a launch under the
 * limit has more than {@code max} launches. The instant of a launch is the instant at which its
 * request was sent, because no function knows how long the request is under way. An interrupted
 * launch that is repeated is counted, but the rate does not hold it back.
 */
final class RateJudge {

  private final History history;
  private final LimitedLaunches launches;
  private final long forgotten;
  private final List<Finding> findings;

  /**
   * @param forgotten the instant up to which launches need not count
   */
  RateJudge(History history, LimitedLaunches launches, long forgotten, List<Finding> findings) {
    this.history = history;
    this.launches = launches;
    this.forgotten = forgotten;
    this.findings = findings;
  }

  void judge() {
    for (LimitedLaunch launch : launches.all()) {
      if (launch.isHeld()) {
        launch.limits().of(RateLimit.class).forEach(rate -> judge(rate, launch));
      }
    }
  }

  private void judge(RateLimit rate, LimitedLaunch last) {
    long before =
        launches.all().stream()
            .filter(other -> !other.jobId().equals(last.jobId()))
            .filter(other -> other.at() <= last.at() && other.at() > forgotten)
            .filter(other -> other.at() > last.at() - rate.per() + slack(other.at()))
            .filter(other -> launches.certainlyCounts(rate, last, other))
            .count();
    if (before >= rate.max()) {
      findings.add(
          new Finding(
              Finding.Kind.LIMIT,
              last.schedule().name(),
              last.jobId(),
              "is launch "
                  + (before + 1)
                  + " within "
                  + rate.per()
                  + " ms; the rate allows "
                  + rate.max()));
    }
  }

  /** By how many milliseconds the clocks of the counting functions may differ. */
  private long slack(long at) {
    return at < history.faultsTo() + LimitedLaunches.DECIDED_BEFORE ? 2 * history.skew() : 0;
  }
}
