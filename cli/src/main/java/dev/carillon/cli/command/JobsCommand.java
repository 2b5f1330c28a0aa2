package dev.carillon.cli.command;

import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.session.Session;
import dev.carillon.client.Explanation;
import dev.carillon.client.Job;
import dev.carillon.client.Page;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon jobs …}. */
@Command(name = "jobs", description = "Shows, cancels and retries jobs.")
public final class JobsCommand {

  private static final String JOB = "JOB";
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final Set<Job.State> GOOD_ENDS = Set.of(Job.State.LAUNCHED, Job.State.SUCCEEDED);

  private final Session session;

  public JobsCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "Lists the jobs of a schedule or a program, newest first.")
  void list(
      @Parameters(paramLabel = "SCHEDULE", arity = "0..1") @Nullable String schedule,
      @Option(names = "--program", paramLabel = "NAME", description = "The jobs of a program.")
          @Nullable String program,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              description = "Only those in this state: ${COMPLETION-CANDIDATES}.")
          Job.@Nullable State state,
      @Mixin ListOptions options) {
    if ((schedule == null) == (program == null)) {
      throw new CommandFault("name one list: 'jobs list SCHEDULE' or 'jobs list --program NAME'");
    }
    List<Job> found =
        options.read(session, (size, next) -> page(schedule, program, state, size, next));
    session.printer().list(found, JobView.table(session.times()));
  }

  private Page<Job> page(
      @Nullable String schedule,
      @Nullable String program,
      Job.@Nullable State state,
      int size,
      @Nullable String next) {
    if (schedule != null) {
      return session.namespace().jobs(schedule, state, size, next);
    }
    return session.namespace().jobsOfProgram(String.valueOf(program), state, size, next);
  }

  @Command(name = "show", description = "Shows a job with its history.")
  void show(@Parameters(paramLabel = JOB) String id) {
    Job job = session.namespace().job(id);
    session.printer().item(id, job, JobView.card(job, session.times()));
  }

  @Command(name = "explain", description = "Shows what a job waits for, and until when.")
  void explain(@Parameters(paramLabel = JOB) String id) {
    Explanation explanation = session.namespace().explainJob(id);
    session
        .printer()
        .item(id, explanation.details(), ExplanationView.card(explanation, session.times()));
  }

  @Command(name = "cancel", description = "Cancels jobs; the worker of a claimed one learns it.")
  int cancel(@Parameters(paramLabel = JOB, arity = "1..*") List<String> ids) {
    return each(ids, id -> session.namespace().runs().cancel(id).name());
  }

  @Command(name = "retry", description = "Launches another attempt of jobs that have failed.")
  int retry(@Parameters(paramLabel = JOB, arity = "1..*") List<String> ids) {
    return each(ids, id -> session.namespace().runs().retry(id).name());
  }

  private int each(List<String> ids, UnaryOperator<String> change) {
    List<Changed> changed = ids.stream().map(id -> new Changed(id, change.apply(id))).toList();
    session.printer().list(changed, Changed.TABLE);
    return 0;
  }

  @Command(
      name = "watch",
      description = {
        "Prints each change of a job until it ends.",
        "It ends with 0 if the job was LAUNCHED or SUCCEEDED, else with 1."
      })
  int watch(@Parameters(paramLabel = JOB) String id) {
    int seen = 0;
    while (true) {
      Job job = session.namespace().job(id);
      List<Job.Transition> all = job.transitions();
      all.subList(Math.min(seen, all.size()), all.size())
          .forEach(it -> session.world().out().println(JobView.line(it, session.times())));
      session.world().out().flush();
      seen = all.size();
      if (JobView.hasEnded(job)) {
        return GOOD_ENDS.contains(job.state()) ? 0 : 1;
      }
      session.world().terminal().pause(BETWEEN_LOOKS);
    }
  }
}
