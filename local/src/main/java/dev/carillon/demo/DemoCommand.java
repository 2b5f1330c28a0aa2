package dev.carillon.demo;

import dev.carillon.local.LocalEngine;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Demonstrates the scheduler in one minute. */
@Command(
    name = "demo",
    description =
        "Shows in a minute how the clock and events launch work, and how workers carry it out;"
            + " exits with 0 on success.",
    showDefaultValues = true)
public final class DemoCommand implements Callable<Integer> {

  private static final Duration LENGTH = Duration.ofMinutes(1);

  @Option(names = "--keep", description = "Leave the engine running afterwards.")
  private boolean keep;

  @Option(names = "--port", paramLabel = "PORT", description = "Port of the HTTP API; 0 for any.")
  private int port;

  @Option(names = "--sqs-port", paramLabel = "PORT", description = "Port of SQS; 0 for any.")
  private int sqsPort;

  @Option(
      names = "--dynamodb-port",
      paramLabel = "PORT",
      description = "Port of DynamoDB; 0 for any.")
  private int dynamoDbPort;

  @Option(names = "--help", usageHelp = true, description = "Show this.")
  @SuppressWarnings("UnusedVariable") // read by the command line's library
  private boolean help;

  @Spec private CommandSpec spec;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  private DemoCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Screen screen = new Screen(spec.commandLine().getOut());
    screen.line("Carillon's demo: a minute of schedules and events on this machine, in memory.");
    long begin = System.nanoTime();
    try (LocalEngine engine =
        LocalEngine.start(
            new LocalEngine.Options(LocalEngine.TEMPLATE, port, sqsPort, dynamoDbPort, null))) {
      engine.awaitReady();
      double seconds = (System.nanoTime() - begin) / 1e9;
      screen.line("The engine was ready after %.1f s. It creates these schedules:", seconds);
      screen.line("");
      boolean succeeded = run(engine, screen);
      if (keep) {
        announce(engine, screen);
        Thread.currentThread().join();
      }
      return succeeded ? 0 : 1;
    }
  }

  private boolean run(LocalEngine engine, Screen screen) throws InterruptedException {
    try (Demo demo = new Demo(engine.http(), engine.sqs(), engine.ingestQueue(), LENGTH, screen)) {
      return demo.run();
    } catch (DemoFault fault) {
      screen.line("");
      screen.text("The demo failed: " + fault.getMessage());
      return false;
    }
  }

  private static void announce(LocalEngine engine, Screen screen) {
    screen.line("");
    screen.line("The engine and its schedules keep running; stop them with Ctrl-C.");
    screen.line("  HTTP API  %s/v1/status", engine.http());
    screen.line("  events    %s", engine.ingestQueue());
    screen.line("  SQS       %s", engine.sqs());
    screen.line("  DynamoDB  %s", engine.dynamoDb());
  }
}
