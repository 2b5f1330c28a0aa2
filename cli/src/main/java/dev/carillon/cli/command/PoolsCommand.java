package dev.carillon.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.apply.SourceFile;
import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.session.Session;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Pool;
import dev.carillon.client.Pools;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon pools …}. */
@Command(
    name = "pools",
    addMethodSubcommands = false,
    description = "Shows, changes and pauses the pools in which jobs wait READY.")
public final class PoolsCommand {

  private static final String NAME = "NAME";

  private final Session session;

  public PoolsCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "Lists the pools of the namespace, by name.")
  void list(@Mixin ListOptions options) {
    List<Pool> found = options.read(session, pools()::list);
    session.printer().list(found, PoolView.table(session.times()));
  }

  @Command(name = "show", description = "Shows a pool and its waiting jobs by customer.")
  void show(@Parameters(paramLabel = NAME) String name) {
    print(pools().pool(name));
  }

  @Command(name = "put", description = "Creates or replaces a pool; JSON or YAML.")
  void put(@Parameters(paramLabel = NAME) String name, @Parameters(paramLabel = "FILE") Path file) {
    print(pools().put(name, SourceFile.read(file).tree()));
  }

  @Command(name = "delete", description = "Deletes a pool that no schedule names.")
  int delete(
      @Parameters(paramLabel = NAME) String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes) {
    if (!session.confirms("Delete the pool " + name + "?", yes)) {
      return 1;
    }
    pools().delete(name);
    session.note("deleted pool " + session.namespaceName() + "/" + name);
    return 0;
  }

  @Command(name = "pause", description = "Pauses a pool: it keeps its jobs and moves none.")
  void pause(
      @Parameters(paramLabel = NAME) String name,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why.")
          @Nullable String reason) {
    replace(name, true, reason);
  }

  @Command(name = "resume", description = "Resumes a pool.")
  void resume(@Parameters(paramLabel = NAME) String name) {
    replace(name, false, null);
  }

  /** Stores the definition again, and changes only {@code paused} and {@code reason}. */
  private void replace(String name, boolean isPaused, @Nullable String reason) {
    Pool pool = pools().pool(name);
    ObjectNode document = pool.document().deepCopy();
    document.put("paused", isPaused).put("reason", reason);
    try {
      print(pools().replace(name, document, pool.etag()));
    } catch (CarillonException.Stale stale) {
      throw new CommandFault(
          "the pool " + name + " was changed by another caller at the same time; try again", stale);
    }
  }

  private Pools pools() {
    return session.namespace().pools();
  }

  private void print(Pool pool) {
    session.printer().item(pool.name(), pool, PoolView.card(pool, session.times()));
  }
}
