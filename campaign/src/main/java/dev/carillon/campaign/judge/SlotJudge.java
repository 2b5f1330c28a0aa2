package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Limits.RunLimit;
import java.util.List;

/**
 * Judges the numbers of concurrent tracked runs that documents limit. A run certainly goes on from
 * the answer to its claim until the first instant at which its worker or a time-out may have ended
 * it.
 */
final class SlotJudge {

  private final long forgotten;
  private final List<Finding> findings;

  /**
   * @param forgotten the instant up to which a gate that was replaced has lost its slots
   */
  SlotJudge(long forgotten, List<Finding> findings) {
    this.forgotten = forgotten;
    this.findings = findings;
  }

  private record Running(TrackedJob job, long from, long to) {}

  /**
   * @param jobs all tracked jobs of one program
   */
  void judge(List<TrackedJob> jobs) {
    List<Running> all =
        jobs.stream()
            .flatMap(
                job ->
                    job.claims().stream()
                        .map(
                            it ->
                                new Running(
                                    job, it.by(), Math.min(it.endedFrom(), it.livesUntil()))))
            .toList();
    for (Running run : all) {
      for (RunLimit limit : run.job().spec().limits().of(RunLimit.class)) {
        long others =
            all.stream()
                .filter(it -> !it.job().id().equals(run.job().id()))
                .filter(it -> it.from() > forgotten)
                .filter(it -> it.from() <= run.from() && run.from() < it.to())
                .count();
        if (others >= limit.max() && run.to() > run.from()) {
          String what = "runs beside " + others + " others; the limit is " + limit.max();
          findings.add(new Finding(Finding.Kind.LIMIT, "#program:", run.job().id(), what));
        }
      }
    }
  }
}
