package dev.carillon.cli.command;

import dev.carillon.cli.session.Session;
import dev.carillon.client.Backfill;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code carillon backfills …}. */
@Command(
    name = "backfills",
    addMethodSubcommands = false,
    description = "Shows and cancels what 'schedules backfill' began.")
public final class BackfillsCommand {

  private static final String SCHEDULE = "SCHEDULE";
  private static final String ID = "ID";

  private final Session session;

  public BackfillsCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "show",
      description = "Shows a backfill of a schedule, and how its jobs have ended.")
  void show(
      @Parameters(paramLabel = SCHEDULE) String schedule, @Parameters(paramLabel = ID) String id) {
    Backfill backfill = session.namespace().backfill(schedule, id);
    session.printer().item(id, backfill, BackfillView.card(backfill, session.times()));
  }

  @Command(
      name = "cancel",
      description = "Cancels a backfill and its waiting jobs; runs that have begun go on.")
  void cancel(
      @Parameters(paramLabel = SCHEDULE) String schedule, @Parameters(paramLabel = ID) String id) {
    session.namespace().cancelBackfill(schedule, id);
    show(schedule, id);
  }
}
