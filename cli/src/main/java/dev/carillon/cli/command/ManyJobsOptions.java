package dev.carillon.cli.command;

import dev.carillon.cli.output.WrongUsage;
import dev.carillon.client.Job;
import dev.carillon.client.JobSelection;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects many jobs that one command changes, instead of naming each job. */
final class ManyJobsOptions {

  @Option(names = "--schedule", paramLabel = "NAME", description = "All jobs of a schedule.")
  private @Nullable String schedule;

  @Option(names = "--program", paramLabel = "NAME", description = "All jobs of a program.")
  private @Nullable String program;

  @Option(names = "--link", paramLabel = "ID", description = "All jobs of a linkId.")
  private @Nullable String link;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      completionCandidates = Choices.JobStates.class,
      description = {
        "Only those of these jobs that are in this state: ${COMPLETION-CANDIDATES}.",
        "Without it, FAILED jobs are retried, and unfinished jobs are cancelled."
      })
  private Job.@Nullable State state;

  @Option(names = "--dry-run", description = "Count the jobs, and change none.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  ManyJobsOptions() {}

  /** Whether the command selects many jobs, instead of naming each job. */
  boolean areGiven() {
    return Stream.of(schedule, program, link).anyMatch(it -> it != null);
  }

  /**
   * Refuses the options that restrict many jobs, for a command that names each job. Otherwise the
   * command would ignore them, and a dry run would change the jobs.
   */
  void refuseWithIds() {
    if (dryRun || state != null) {
      throw new WrongUsage(
          "--dry-run and --state go with --schedule, --program or --link, not with ids");
    }
  }

  boolean isDryRun() {
    return dryRun;
  }

  boolean yes() {
    return yes;
  }

  JobSelection selection() {
    if (Stream.of(schedule, program, link).filter(it -> it != null).count() != 1) {
      throw new WrongUsage("give one of --schedule, --program and --link");
    }
    JobSelection jobs = JobSelection.ofLink(String.valueOf(link));
    if (schedule != null) {
      jobs = JobSelection.ofSchedule(schedule);
    } else if (program != null) {
      jobs = JobSelection.ofProgram(program);
    }
    return state == null ? jobs : jobs.withState(state);
  }
}
