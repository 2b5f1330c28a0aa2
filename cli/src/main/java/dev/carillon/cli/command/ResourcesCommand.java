package dev.carillon.cli.command;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.session.Session;
import dev.carillon.client.ResourceGauge;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon resources …}. */
@Command(
    name = "resources",
    addMethodSubcommands = false,
    description = "Shows and reports the gauges that jobs wait for.")
public final class ResourcesCommand {

  private static final String NAME = "NAME";

  private final Session session;

  public ResourcesCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "Lists the reported resources of the namespace, by name.")
  void list(@Mixin ListOptions options) {
    Times times = session.times();
    List<ResourceGauge> found = options.read(session, session.namespace()::resources);
    Table<ResourceGauge> table =
        Table.of(NAME, ResourceGauge::name)
            .column("VALUE", gauge -> gauge.known() ? String.valueOf(gauge.value()) : "unknown")
            .column("EXPIRES", gauge -> times.text(gauge.expiresAt()))
            .column("WAITING", gauge -> Integer.toString(gauge.waiting()))
            .wide("REPORTED", gauge -> times.text(gauge.reportedAt()))
            .wide("BY", ResourceGauge::reportedBy);
    session.printer().list(found, table);
  }

  @Command(name = "show", description = "Shows a resource.")
  void show(@Parameters(paramLabel = NAME) String name) {
    print(session.namespace().resource(name));
  }

  @Command(name = "put", description = "Reports the value of a resource's gauge.")
  void put(
      @Parameters(paramLabel = NAME) String name,
      @Parameters(paramLabel = "VALUE") BigDecimal value,
      @Option(
              names = "--ttl",
              paramLabel = "DURATION",
              description = "How long the value is valid, like PT1H; for ever by default.")
          @Nullable Duration ttl) {
    print(session.namespace().report(name, value, ttl));
  }

  @Command(name = "delete", description = "Deletes the report; the gauge is unknown from then on.")
  int delete(
      @Parameters(paramLabel = NAME) String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes) {
    if (!session.confirms("Delete the report of " + name + "?", yes)) {
      return 1;
    }
    session.namespace().deleteResource(name);
    session.note("deleted resource " + session.namespaceName() + "/" + name);
    return 0;
  }

  private void print(ResourceGauge gauge) {
    Times times = session.times();
    Card card =
        new Card()
            .with("Resource", gauge.namespace() + "/" + gauge.name())
            .with("Value", gauge.known() ? gauge.value() : "unknown")
            .with("Expires", times.text(gauge.expiresAt()))
            .with("Waiting", gauge.waiting())
            .with("Reported", times.text(gauge.reportedAt()))
            .with("By", gauge.reportedBy());
    session.printer().item(gauge.name(), gauge, card);
  }
}
