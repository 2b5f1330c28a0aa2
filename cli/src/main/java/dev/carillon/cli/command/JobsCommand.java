package dev.carillon.cli.command;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Style;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.WrongUsage;
import dev.carillon.cli.session.Session;
import dev.carillon.client.CarillonException;
import dev.carillon.client.ChangedJob;
import dev.carillon.client.ChangedJobs;
import dev.carillon.client.Explanation;
import dev.carillon.client.Job;
import dev.carillon.client.JobFilter;
import dev.carillon.client.JobSelection;
import dev.carillon.client.Page;
import dev.carillon.client.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon jobs …}. */
@Command(
    name = "jobs",
    addMethodSubcommands = false,
    description = "Shows, cancels and retries jobs.")
public final class JobsCommand {

  private static final String JOB = "JOB";

  private static final Table<ChangedJob> CHANGED =
      Table.of(JOB, ChangedJob::jobId).state("STATE", ChangedJob::stateName);

  private final Session session;

  public JobsCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "list",
      description = {
        "Lists the jobs of a schedule or a program, newest first.",
        "Without either, lists the unfinished jobs of the namespace; with --link, all jobs of a",
        "linkId."
      })
  void list(
      @Parameters(paramLabel = "SCHEDULE", arity = "0..1") @Nullable String schedule,
      @Option(names = "--program", paramLabel = "NAME", description = "The jobs of a program.")
          @Nullable String program,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              completionCandidates = Choices.JobStates.class,
              description = "Only jobs in this state: ${COMPLETION-CANDIDATES}.")
          Job.@Nullable State state,
      @Option(
              names = "--customer",
              paramLabel = "NAME",
              description = "The unfinished jobs of a customer.")
          @Nullable String customer,
      @Option(
              names = "--link",
              paramLabel = "ID",
              description = "The jobs of a linkId, ended or not.")
          @Nullable String link,
      @Mixin ListOptions options) {
    boolean isOne = schedule != null || program != null;
    if ((schedule != null && program != null) || (isOne && (customer != null || link != null))) {
      throw new WrongUsage(
          "give SCHEDULE or --program, not both; --customer and --link go with neither");
    }
    List<Job> found =
        isOne
            ? options.read(session, (size, next) -> page(schedule, program, state, size, next))
            : options.read(
                session,
                (size, next) ->
                    session.namespace().jobs(filter(state, customer, link), size, next));
    session.printer().list(found, JobView.table(session.times()));
  }

  private static JobFilter filter(
      Job.@Nullable State state, @Nullable String customer, @Nullable String link) {
    JobFilter filter = link == null ? JobFilter.unfinished() : JobFilter.ofLink(link);
    filter = state == null ? filter : filter.withState(state);
    return customer == null ? filter : filter.withCustomer(customer);
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

  @Command(
      name = "cancel",
      description = "Cancels jobs; the worker of a claimed job is asked to stop.")
  int cancel(
      @Parameters(paramLabel = JOB, arity = "0..*") @Nullable List<String> ids,
      @Mixin ManyJobsOptions many) {
    Runs runs = session.namespace().runs();
    return change("Cancel", ids, runs::cancel, many, runs::cancel);
  }

  @Command(name = "retry", description = "Launches another attempt of jobs that have failed.")
  int retry(
      @Parameters(paramLabel = JOB, arity = "0..*") @Nullable List<String> ids,
      @Mixin ManyJobsOptions many) {
    Runs runs = session.namespace().runs();
    return change("Retry", ids, runs::retry, many, runs::retry);
  }

  private int change(
      String verb,
      @Nullable List<String> ids,
      Function<String, ChangedJob> one,
      ManyJobsOptions many,
      Function<JobSelection, ChangedJobs> all) {
    List<String> named = ids == null ? List.of() : ids;
    if (named.isEmpty() != many.areGiven()) {
      throw new WrongUsage("give the ids of jobs, or one of --schedule, --program and --link");
    }
    if (named.isEmpty()) {
      return changeAll(verb, many, all);
    }
    many.refuseWithIds();
    return each(named, one);
  }

  /**
   * Changes all selected jobs. It counts them first, so that the question to the user and the dry
   * run show their number.
   */
  private int changeAll(
      String verb, ManyJobsOptions many, Function<JobSelection, ChangedJobs> all) {
    ChangedJobs counted = all.apply(many.selection().dryRun());
    boolean isWanted =
        !many.isDryRun()
            && counted.matched() > 0
            && session.confirms(
                verb + " " + Counted.of(counted.matched(), "job") + "?", many.yes());
    ChangedJobs changed = isWanted ? all.apply(many.selection()) : counted;
    session.printer().item(verb, changed, card(changed));
    boolean isDone = many.isDryRun() || counted.matched() == 0 || isWanted;
    return isDone && changed.refused().isEmpty() ? 0 : 1;
  }

  private static Card card(ChangedJobs changed) {
    return new Card()
        .with("Matched", changed.matched())
        .with("Changed", changed.changed())
        .with(
            "Refused",
            changed.refused().stream()
                .map(it -> it.jobId() + "  " + it.detail())
                .collect(Collectors.joining("\n")));
  }

  /**
   * Changes each of the named jobs. If the API refuses one of several, the others are changed
   * nevertheless. The changed jobs are printed after any other failure too, because a repeated call
   * would not name them.
   */
  private int each(List<String> ids, Function<String, ChangedJob> change) {
    if (ids.size() == 1) {
      String id = ids.get(0);
      session.printer().list(List.of(change.apply(id)), CHANGED);
      return 0;
    }
    List<ChangedJob> changed = new ArrayList<>();
    try {
      ids.forEach(id -> changeOne(id, change, changed));
    } finally {
      session.printer().list(changed, CHANGED);
    }
    return changed.size() == ids.size() ? 0 : 1;
  }

  private void changeOne(String id, Function<String, ChangedJob> change, List<ChangedJob> changed) {
    try {
      changed.add(change.apply(id));
    } catch (CarillonException.NotFound
        | CarillonException.Conflict
        | CarillonException.Invalid refused) {
      session.note(id + ": " + Style.printable(refused.problem().detail()));
    }
  }

  @Command(
      name = "watch",
      description = {
        "Follows a job until it ends: in place on a terminal, elsewhere line by line.",
        "The exit code is 0 if the job was LAUNCHED or SUCCEEDED, otherwise 1."
      })
  int watch(@Parameters(paramLabel = JOB) String id) {
    return new JobWatch(session).follow(id);
  }
}
