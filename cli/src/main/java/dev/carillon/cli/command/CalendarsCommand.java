package dev.carillon.cli.command;

import dev.carillon.cli.apply.SourceFile;
import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.output.Yaml;
import dev.carillon.cli.session.Session;
import dev.carillon.client.Calendar;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon calendars …}. */
@Command(
    name = "calendars",
    addMethodSubcommands = false,
    description = "Shows and changes the calendars that schedules exclude.")
public final class CalendarsCommand {

  private static final String NAME = "NAME";

  private final Session session;

  public CalendarsCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "Lists the calendars of the namespace, by name.")
  void list(@Mixin ListOptions options) {
    Times times = session.times();
    List<Calendar> found = options.read(session, session.namespace().calendars()::list);
    Table<Calendar> table =
        Table.of(NAME, Calendar::name)
            .column("ZONE", calendar -> calendar.document().path("zone").asText())
            .column("DESCRIPTION", calendar -> calendar.document().path("description").asText())
            .wide("UPDATED", calendar -> times.text(calendar.updatedAt()))
            .wide("BY", Calendar::updatedBy);
    session.printer().list(found, table);
  }

  @Command(name = "show", description = "Shows a calendar.")
  void show(@Parameters(paramLabel = NAME) String name) {
    print(session.namespace().calendars().calendar(name));
  }

  @Command(name = "put", description = "Creates or replaces a calendar; JSON or YAML.")
  void put(@Parameters(paramLabel = NAME) String name, @Parameters(paramLabel = "FILE") Path file) {
    print(session.namespace().calendars().put(name, SourceFile.read(file).tree()));
  }

  @Command(name = "delete", description = "Deletes a calendar that no schedule excludes.")
  int delete(
      @Parameters(paramLabel = NAME) String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes) {
    if (!session.confirms("Delete the calendar " + name + "?", yes)) {
      return 1;
    }
    session.namespace().calendars().delete(name);
    session.note("deleted calendar " + session.namespaceName() + "/" + name);
    return 0;
  }

  private void print(Calendar calendar) {
    Times times = session.times();
    Card card =
        new Card()
            .with("Calendar", calendar.namespace() + "/" + calendar.name())
            .with("Created", times.text(calendar.createdAt()) + " by " + calendar.createdBy())
            .with("Updated", times.text(calendar.updatedAt()) + " by " + calendar.updatedBy())
            .with("Document", Yaml.text(calendar.document()));
    session.printer().item(calendar.name(), calendar, card);
  }
}
