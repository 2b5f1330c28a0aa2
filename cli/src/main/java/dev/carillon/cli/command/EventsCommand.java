package dev.carillon.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.carillon.cli.apply.SourceFile;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.WrongUsage;
import dev.carillon.cli.session.Session;
import dev.carillon.client.Event;
import dev.carillon.client.schedule.Json;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon events …}. */
@Command(name = "events", addMethodSubcommands = false, description = "Sends events.")
public final class EventsCommand {

  private final Session session;

  public EventsCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "send",
      description = {
        "Sends one event, or the events of a file, and prints their ids.",
        "The file has one event or a list of up to 1,000, in any form of the API; JSON or YAML."
      })
  void send(
      @Parameters(paramLabel = "FILE", arity = "0..1") @Nullable Path file,
      @Option(
              names = "--type",
              paramLabel = "TYPE",
              description = "PARTITION, SIZE, PROGRAM_STATUS, or any other.")
          @Nullable String type,
      @Option(
              names = "--payload",
              paramLabel = "JSON",
              description = "An object; empty by default.")
          @Nullable String payload,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "An event with the same id counts once in ten minutes.")
          @Nullable String id) {
    if ((file == null) == (type == null)) {
      throw new WrongUsage("name a FILE with events, or give --type and --payload");
    }
    if (file != null && (id != null || payload != null)) {
      throw new WrongUsage("--id and --payload go with --type, not with a FILE");
    }
    List<String> ids =
        file == null
            ? session.namespace().send(event(String.valueOf(type), payload, id))
            : session.namespace().send(events(file));
    session.printer().list(ids, Table.of("EVENT", it -> it));
  }

  private static Event event(String type, @Nullable String payload, @Nullable String id) {
    JsonNode content = payload == null ? Json.object() : LaunchOptions.json("--payload", payload);
    if (!content.isObject()) {
      throw new WrongUsage("--payload: '" + payload + "' is not a JSON object, like {\"a\": 1}");
    }
    Event event = Event.of(type, content);
    return id == null ? event : event.withId(id);
  }

  /** The events of a file as they are written, because the API reads several forms. */
  private static ArrayNode events(Path file) {
    JsonNode tree = SourceFile.read(file).tree();
    return tree instanceof ArrayNode list ? list : JsonNodeFactory.instance.arrayNode().add(tree);
  }
}
