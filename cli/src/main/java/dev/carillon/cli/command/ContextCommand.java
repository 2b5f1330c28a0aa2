package dev.carillon.cli.command;

import dev.carillon.cli.connection.ContextFile;
import dev.carillon.cli.connection.Settings;
import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.session.Session;
import java.util.List;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code carillon context …}. */
@Command(
    name = "context",
    addMethodSubcommands = false,
    description = "Shows and selects the contexts of ~/.config/carillon/config.yaml.")
public final class ContextCommand {

  private final Session session;

  public ContextCommand(Session session) {
    this.session = session;
  }

  /** A context in a list. */
  private record Listed(String name, boolean current, Settings settings) {

    private static Listed of(Entry<String, Settings> entry, String current) {
      return new Listed(entry.getKey(), entry.getKey().equals(current), entry.getValue());
    }
  }

  @Command(name = "list", description = "Lists the contexts.")
  void list() {
    ContextFile.Contexts contexts = session.contexts().read();
    String current = session.contextName();
    List<Listed> listed =
        contexts.contexts().entrySet().stream().map(it -> Listed.of(it, current)).toList();
    Table<Listed> table =
        Table.of("NAME", Listed::name)
            .column("CURRENT", it -> it.current() ? "*" : "")
            .column("ADDRESS", it -> address(it.settings()))
            .column("NAMESPACE", it -> Objects.toString(it.settings().namespace(), ""))
            .column("REGION", it -> Objects.toString(it.settings().region(), ""))
            .column("PROFILE", it -> Objects.toString(it.settings().profile(), ""));
    session.printer().list(listed, table);
  }

  private static String address(Settings settings) {
    return settings.stack() == null
        ? Objects.toString(settings.url(), Settings.LOCAL_URL)
        : "stack " + settings.stack();
  }

  @Command(
      name = "show",
      description = "Shows a context; by default the one that a command would use.")
  void show(@Parameters(paramLabel = "NAME", arity = "0..1") @Nullable String name) {
    Settings settings = name == null ? session.settings() : session.contexts().read().named(name);
    String shown = name == null ? session.contextName() : name;
    Card card =
        new Card()
            .with("Context", shown)
            .with("File", session.contexts().path())
            .with("URL", settings.url())
            .with("Stack", settings.stack())
            .with("Region", settings.region())
            .with("Profile", settings.profile())
            .with("Namespace", settings.namespace());
    session.printer().item(shown, settings, card);
  }

  @Command(name = "use", description = "Makes a context the current one.")
  void use(@Parameters(paramLabel = "NAME") String name) {
    session.contexts().use(name);
    session.note("the context is now " + name);
  }
}
