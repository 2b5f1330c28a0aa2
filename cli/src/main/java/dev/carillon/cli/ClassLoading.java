package dev.carillon.cli;

import dev.carillon.cli.command.SchedulesCommand;
import dev.carillon.cli.output.Format;
import dev.carillon.cli.output.Printer;
import dev.carillon.cli.output.Style;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.session.World;
import dev.carillon.client.CarillonClient;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Instant;
import java.util.List;

/** Loads the classes of a call to the API and of a table while the command is parsed. */
final class ClassLoading extends Thread {

  private final World world;

  ClassLoading(World world) {
    super("class loading");
    this.world = world;
    setDaemon(true);
  }

  @Override
  public void run() {
    try {
      CarillonClient.loadForFewCalls();
      showTable();
    } catch (RuntimeException | LinkageError alsoOfTheCommand) {
      // The command itself fails for the same reason, and reports it.
    }
  }

  private void showTable() {
    Instant now = world.clock().instant();
    Times times = new Times(world.zone(), now);
    Printer printer = new Printer(new PrintWriter(Writer.nullWriter()), Format.TABLE, Style.PLAIN);
    SchedulesCommand.load(printer, times);
    printer.list(List.of(now), Table.of("TIME", times::text));
  }
}
