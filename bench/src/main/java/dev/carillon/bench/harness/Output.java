package dev.carillon.bench.harness;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every benchmark. */
public final class Output {

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  @Option(names = "--help", usageHelp = true, description = "Show this.")
  @SuppressWarnings("UnusedVariable") // read by the command line's library
  private boolean help;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  public Output() {}

  public Results results() {
    return new Results(spec.commandLine().getOut(), json);
  }

  public Progress progress() {
    return new Progress(spec.commandLine().getErr());
  }
}
