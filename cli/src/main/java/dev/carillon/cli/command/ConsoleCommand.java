package dev.carillon.cli.command;

import dev.carillon.cli.console.Browser;
import dev.carillon.cli.console.ConsoleServer;
import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.session.Session;
import dev.carillon.client.CarillonClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code carillon console}: serves the console for a deployment, on this machine. */
@Command(
    name = "console",
    description = {
      "Serves the console for the API on 127.0.0.1, until Ctrl-C, and prints its address.",
      "It signs the requests of the page. The address works once, in one browser."
    })
public final class ConsoleCommand implements Callable<Integer> {

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final Session session;

  @Option(
      names = "--open",
      description = "Open the address in the browser that BROWSER names, or else in the usual one.")
  private boolean open;

  public ConsoleCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    CarillonClient client = session.client();
    client.time(); // This fails if there is no API at the address.
    try (ConsoleServer server = ConsoleServer.start(client)) {
      show(server.address());
      while (!Thread.currentThread().isInterrupted()) {
        session.world().terminal().pause(INTERVAL);
      }
    } catch (IOException fault) {
      throw new CommandFault("the console cannot be served on 127.0.0.1: " + fault, fault);
    }
    return 0;
  }

  private void show(URI address) {
    session.world().out().println(address);
    session.world().out().flush();
    session.note("the console of " + session.connection().url() + "; Ctrl-C ends it");
    if (open) {
      try {
        Browser.open(address, session.world().environment());
      } catch (IOException none) {
        session.note("no browser was opened: " + none.getMessage() + "; open the address yourself");
      }
    }
  }
}
