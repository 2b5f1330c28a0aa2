package dev.carillon.cli.command;

import dev.carillon.cli.apply.Plan;
import dev.carillon.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code carillon diff}: what {@code apply} would change. */
@Command(
    name = "diff",
    description = {
      "Shows what apply would change.",
      "The exit code is 0 if nothing differs, 2 if something differs, and 1 on a fault."
    })
public final class DiffCommand implements Callable<Integer> {

  private static final int DIFFERENT = 2;

  private final Session session;

  @Mixin private final SourceOptions sources = new SourceOptions();

  public DiffCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Plan plan = sources.plan(session);
    SourceOptions.print(session, plan);
    if (!plan.unplanned().isEmpty()) {
      return 1;
    }
    return plan.effective().isEmpty() ? 0 : DIFFERENT;
  }
}
