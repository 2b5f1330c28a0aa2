package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Simulator;
import dev.carillon.campaign.judge.History.Run;
import dev.carillon.campaign.judge.LimitFacts.ReportedEnd;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.launch.LaunchRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The workers of programs with limits. Some workers name the run when they report its end. These
 * run each job once. Other workers know no job ids, so each request is a run for them.
 */
public final class ProgramRuns {

  private static final int SECOND = 1_000;

  private final Simulator simulator;
  private final SeededRandom random;
  private final Consumer<String> events;
  private final List<Run> runs = new ArrayList<>();
  private final List<ReportedEnd> ends = new ArrayList<>();
  private final Set<JobId> known = new HashSet<>();

  /** The index of the last run of each job. */
  private final Map<JobId, Integer> last = new LinkedHashMap<>();

  /**
   * @param events receives the reports
   */
  public ProgramRuns(Simulator simulator, SeededRandom random, Consumer<String> events) {
    this.simulator = simulator;
    this.random = random;
    this.events = events;
  }

  /** Starts a run for a request, if its end will be reported. */
  void arrived(LaunchRequest request) {
    String text = Json.readObject(request.body()).path(LimitBodies.ENDS).asText("");
    Ends how = text.isEmpty() ? Ends.NONE : Ends.valueOf(text);
    boolean isNew = known.add(request.job());
    if (how == Ends.NONE || (how == Ends.NAMED && !isNew)) {
      return;
    }
    long now = simulator.now();
    long length = random.oneIn(8) ? random.between(5, 20) * SECOND : random.between(50, 4_000);
    String job = request.job().toString();
    last.put(request.job(), runs.size());
    runs.add(new Run(job, now, now + length, true));
    String program = String.valueOf(request.attributes().get("carillon-program"));
    ReportedEnd end =
        new ReportedEnd(
            "end-" + runs.size(),
            program.substring(program.indexOf('/') + 1),
            job,
            how == Ends.NAMED,
            random.of("SUCCEEDED", "SUCCEEDED", "FAILED", "CANCELLED"),
            now + length);
    simulator.at(now + length, () -> report(end));
    if (random.oneIn(4)) {
      long again = now + length + random.between(0, 60 * SECOND);
      simulator.at(again, () -> events.accept(LimitBodies.end(end)));
    }
  }

  private void report(ReportedEnd end) {
    ends.add(end);
    events.accept(LimitBodies.end(end));
  }

  /** Records that the sender of a request believes that the request was not accepted. */
  void refused(JobId job) {
    Integer index = last.get(job);
    if (index != null) {
      Run run = runs.get(index);
      runs.set(index, new Run(run.jobId(), run.from(), run.to(), false));
    }
  }

  /** The runs in the order in which they began. */
  public List<Run> runs() {
    return runs;
  }

  public List<ReportedEnd> ends() {
    return ends;
  }
}
