package dev.carillon.cli.command;

import dev.carillon.cli.apply.Application;
import dev.carillon.cli.apply.Plan;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code carillon apply}: changes the stored schedules, pools and calendars to those of files. */
@Command(
    name = "apply",
    description = {
      "Changes stored schedules, pools and calendars to match files: shows the plan, asks, and carries it out.",
      "If a file has a fault, it shows all faults of all files, and changes nothing."
    })
public final class ApplyCommand implements Callable<Integer> {

  private final Session session;

  @Mixin private final SourceOptions sources = new SourceOptions();

  @Option(names = "--dry-run", description = "Show the plan, and change nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask; needed without a terminal.")
  private boolean yes;

  public ApplyCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Plan plan = sources.plan(session);
    SourceOptions.print(session, plan);
    int whole = plan.unplanned().isEmpty() ? 0 : 1;
    if (dryRun || plan.effective().isEmpty()) {
      return whole;
    }
    if (!session.confirms("Apply " + Counted.of(plan.effective().size(), "change") + "?", yes)) {
      return 1;
    }
    new Application(
            session.client(),
            (change, cancelled) ->
                session.note(
                    "done: "
                        + change.action()
                        + " "
                        + change.id()
                        + ScheduleView.cancelling(cancelled)))
        .carryOut(plan);
    return whole;
  }
}
