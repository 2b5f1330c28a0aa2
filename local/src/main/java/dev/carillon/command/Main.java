package dev.carillon.command;

import dev.carillon.demo.DemoCommand;
import dev.carillon.local.LocalCommand;
import dev.carillon.local.SimulateCommand;
import dev.carillon.local.StartFault;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
    name = "carillon",
    description = "A serverless scheduler: launches work when the clock or arrived data say so.",
    synopsisSubcommandLabel = "COMMAND",
    footer = "%n'carillon bench' measures it, and injects faults.",
    subcommands = {LocalCommand.class, DemoCommand.class, SimulateCommand.class})
public final class Main implements Runnable {

  @Option(names = "--help", usageHelp = true, description = "Show this.")
  @SuppressWarnings("UnusedVariable") // read by the command line's library
  private boolean help;

  @Spec private CommandSpec spec;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /** Runs a command and returns its exit code. It prints in UTF-8, whatever the locale. */
  public static int execute(String... arguments) {
    return commandLine()
        .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
        .execute(Arrays.copyOf(arguments, arguments.length));
  }

  /** The command line with all commands. */
  public static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(new UsageFaults())
        .setExecutionExceptionHandler(Main::explain);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  private static int explain(
      Exception fault, CommandLine command, CommandLine.ParseResult arguments) throws Exception {
    if (fault instanceof StartFault) {
      command.getErr().println("carillon: " + fault.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw fault;
  }
}
