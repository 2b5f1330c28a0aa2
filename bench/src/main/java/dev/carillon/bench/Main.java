package dev.carillon.bench;

import dev.carillon.bench.burst.BurstCommand;
import dev.carillon.bench.cli.CliCommand;
import dev.carillon.bench.coldstart.ColdStartCommand;
import dev.carillon.bench.cost.CostCommand;
import dev.carillon.bench.crash.CrashCommand;
import dev.carillon.bench.events.EventsCommand;
import dev.carillon.bench.faults.FaultsCommand;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.latency.LatencyCommand;
import dev.carillon.bench.neighbours.NeighboursCommand;
import dev.carillon.bench.pools.PoolsCommand;
import dev.carillon.bench.scale.ScaleCommand;
import dev.carillon.bench.workers.WorkersCommand;
import dev.carillon.command.UsageFaults;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the benchmarks. */
@Command(
    name = "carillon bench",
    description = "Runs a benchmark and prints its results; progress goes to the error output.",
    synopsisSubcommandLabel = "BENCHMARK",
    subcommands = {
      CostCommand.class,
      ScaleCommand.class,
      LatencyCommand.class,
      BurstCommand.class,
      EventsCommand.class,
      FaultsCommand.class,
      NeighboursCommand.class,
      WorkersCommand.class,
      PoolsCommand.class,
      CrashCommand.class,
      ColdStartCommand.class,
      CliCommand.class
    })
public final class Main implements Runnable {

  @Option(names = "--help", usageHelp = true, description = "Show this.")
  @SuppressWarnings("UnusedVariable") // read by the command line's library
  private boolean help;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  private Main() {}

  public static void main(String[] arguments) {
    Runtime.getRuntime().addShutdownHook(new Thread(Main::endChildren, "end-children"));
    System.exit(commandLine().execute(arguments));
  }

  /** A benchmark that is ended by a signal leaves no engines and workers behind. */
  private static void endChildren() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(new UsageFaults())
        .setExecutionExceptionHandler(Main::explain);
  }

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    commandLine.usage(commandLine.getOut());
  }

  private static int explain(
      Exception fault, CommandLine command, CommandLine.ParseResult arguments) throws Exception {
    if (fault instanceof CannotRun) {
      command.getErr().println("carillon: " + fault.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw fault;
  }
}
