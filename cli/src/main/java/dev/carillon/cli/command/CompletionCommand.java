package dev.carillon.cli.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code carillon completion}: the script that completes commands in a shell. */
@Command(
    name = "completion",
    description = {
      "Prints the script that completes commands and options in a shell.",
      "In ~/.bashrc or ~/.zshrc: source <(carillon completion bash)"
    })
public final class CompletionCommand implements Callable<Integer> {

  /** A shell; both take the same script. */
  enum Shell {
    bash,
    zsh
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Spec private CommandSpec spec;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  public CompletionCommand() {}

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.zsh) {
      out.println("autoload -Uz compinit && compinit");
    }
    out.print(AutoComplete.bash(root.getCommandName(), root));
    out.flush();
    return 0;
  }
}
