package dev.carillon.cli;

import dev.carillon.cli.apply.FaultyFiles;
import dev.carillon.cli.connection.Credentials;
import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.output.Style;
import dev.carillon.cli.session.Session;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Problem;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import software.amazon.awssdk.core.exception.SdkException;

/** Says in one or two lines what went wrong, why, and what to do. */
final class Faults implements IParameterExceptionHandler, IExecutionExceptionHandler {

  static final int FAILED = 1;
  static final int WRONG_USAGE = 64;

  private final Session session;

  Faults(Session session) {
    this.session = session;
  }

  @Override
  public int handleParseException(ParameterException fault, String[] arguments) {
    CommandLine command = fault.getCommandLine();
    String hint = "'" + command.getCommandSpec().qualifiedName() + " --help' shows what there is";
    if (fault instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().get(0);
      say(unknown(first, command) + "\n  " + nearest(first, command) + hint);
    } else {
      say(fault.getMessage() + "\n  " + hint);
    }
    return WRONG_USAGE;
  }

  private static String unknown(String word, CommandLine command) {
    if (word.startsWith("-")) {
      return "there is no option " + word;
    }
    return command.getSubcommands().isEmpty()
        ? "'" + word + "' is one argument too many"
        : "there is no command '" + word + "'";
  }

  private static String nearest(String word, CommandLine command) {
    Set<String> words =
        word.startsWith("-")
            ? command.getCommandSpec().optionsMap().keySet()
            : command.getSubcommands().keySet();
    return Nearest.to(word, words).map(nearest -> "did you mean " + nearest + "? ").orElse("");
  }

  @Override
  public int handleExecutionException(Exception fault, CommandLine command, ParseResult arguments) {
    if (session.isVerbose()) {
      fault.printStackTrace(session.world().err());
    }
    say(text(fault));
    return FAILED;
  }

  private void say(String text) {
    session.note("carillon: " + Style.printable(text));
  }

  private String text(Exception fault) {
    if (fault instanceof FaultyFiles faulty) {
      return "nothing was changed, because files have faults:\n"
          + faulty.faults().stream().map(String::valueOf).collect(Collectors.joining("\n"));
    }
    if (fault instanceof CommandFault) {
      return String.valueOf(fault.getMessage());
    }
    if (fault instanceof SdkException failed) {
      return "AWS: " + Credentials.fault(failed) + "\n  " + Credentials.NONE_REMEDY;
    }
    if (fault instanceof CarillonException failed) {
      return text(failed);
    }
    return fault + "\n  this is a defect of the command line; --verbose shows where";
  }

  private String text(CarillonException fault) {
    if (fault instanceof CarillonException.Denied denied) {
      return denied(denied);
    }
    if (fault instanceof CarillonException.Unavailable unavailable) {
      return "%s is not available now (%d): %s\n  try again in %d s"
          .formatted(
              unavailable.request(),
              unavailable.status(),
              unavailable.problem().detail(),
              unavailable.retryAfter().toSeconds());
    }
    if (fault instanceof CarillonException.Refused refused) {
      return refused(refused.problem());
    }
    if (fault instanceof CarillonException.Unintelligible) {
      return fault.getMessage() + "\n  another service answers there; check --url";
    }
    return "no answer from %s\n  start an engine by './carillon local', or name a deployment by --stack or --url"
        .formatted(session.connection().url());
  }

  /** The refusal of IAM names action and resource; otherwise they follow from the request. */
  private static String denied(CarillonException.Denied denied) {
    String detail = denied.problem().detail();
    String path = denied.request().replace(" ", "");
    if (Credentials.areRefused(denied)) {
      return "not allowed: %s: %s\n  %s"
          .formatted(denied.request(), detail, Credentials.REFUSED_REMEDY);
    }
    String remedy =
        detail.contains("on resource")
            ? "allow this action on this resource to the caller, or use another --profile"
            : "allow execute-api:Invoke on arn:aws:execute-api:REGION:ACCOUNT:API/live/%s, or use another --profile"
                .formatted(path);
    return "not allowed: %s: %s\n  %s".formatted(denied.request(), detail, remedy);
  }

  private static String refused(Problem problem) {
    List<Problem.Fault> faults = problem.errors();
    if (faults.size() == 1) {
      return line(faults.get(0));
    }
    return faults.isEmpty()
        ? problem.detail()
        : problem.title()
            + ":\n"
            + faults.stream().map(it -> "  " + line(it)).collect(Collectors.joining("\n"));
  }

  private static String line(Problem.Fault fault) {
    return fault.pointer() + ": " + fault.detail();
  }
}
