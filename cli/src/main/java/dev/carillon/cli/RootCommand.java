package dev.carillon.cli;

import dev.carillon.cli.session.GlobalOptions;
import dev.carillon.cli.session.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ScopeType;

/** {@code carillon} itself, with the options of all commands. */
@Command(
    name = "carillon",
    description = "Shows and changes what a deployment of Carillon, or a local engine, launches.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    usageHelpAutoWidth = false,
    footer = {
      "",
      "In a checkout './carillon' also has local, demo and bench, and simulates without an engine.",
      "Exit codes: 0 done, 1 refused, failed or wrong, 2 diff found differences, 64 wrong usage."
    })
final class RootCommand {

  @Mixin
  @SuppressWarnings("UnusedVariable") // the command line fills it
  private final GlobalOptions options;

  RootCommand(Session session) {
    this.options = session.options();
  }
}
