package dev.carillon.cli.command;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.session.Session;
import dev.carillon.client.Status;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code carillon status}: shows the status of the whole deployment. */
@Command(
    name = "status",
    description = {
      "Shows the status of the whole deployment.",
      "The exit code is 1 if there are troubles."
    })
public final class StatusCommand implements Callable<Integer> {

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final Session session;

  @Option(names = "--watch", description = "Repeat until Ctrl-C.")
  private boolean watch;

  public StatusCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Status status = session.client().status();
    while (watch && session.isFollowed()) {
      session.clearScreen();
      print(status);
      session.world().terminal().pause(INTERVAL);
      status = session.client().status();
    }
    print(status);
    return status.troubles().isEmpty() ? 0 : 1;
  }

  private void print(Status status) {
    Times times = session.times();
    Card card =
        new Card()
            .with("Troubles", String.join("\n", status.troubles()))
            .with("Last tick", times.text(status.lastProcessedTime()))
            .with(
                "Oldest due",
                Times.length(Duration.ofSeconds(status.oldestDueAgeSeconds())) + " late")
            .with("Jobs", lines(status.jobs(), String::valueOf))
            .with(
                "Queues", lines(status.queues(), depth -> Counted.of(depth.visible(), "message")));
    session.printer().item("status", status, card);
  }

  /** The values in the order of the answer. */
  private static <V> String lines(Map<String, V> values, Function<V, String> text) {
    return values.entrySet().stream()
        .map(it -> it.getKey() + ": " + text.apply(it.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
