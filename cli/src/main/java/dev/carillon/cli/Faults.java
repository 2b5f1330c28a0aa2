package dev.carillon.cli;

import dev.carillon.cli.apply.FaultyFiles;
import dev.carillon.cli.connection.Credentials;
import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.output.Style;
import dev.carillon.cli.output.WrongUsage;
import dev.carillon.cli.session.Session;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Problem;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;
import software.amazon.awssdk.core.exception.SdkException;

/** Explains a failure in one or two lines: what went wrong, why, and what to do. */
final class Faults implements IExecutionExceptionHandler {

  static final int FAILED = 1;

  /** The path of a request for one object, if a list command lists the objects of its kind. */
  private static final Pattern LISTED =
      Pattern.compile("/v1/namespaces/[^/]+/(schedules|jobs|programs|calendars|resources|pools)/");

  /** The path of a request for many jobs, in which only the schedule can be absent. */
  private static final Pattern MANY_JOBS = Pattern.compile("/jobs/(cancel|retry)$");

  private static final Pattern APP = Pattern.compile("/v1/namespaces/[^/]+/apps/([^/]+)$");

  private static final Pattern TRUE_MEMBER = Pattern.compile("\"(\\w+)\": true");

  private final Session session;

  Faults(Session session) {
    this.session = session;
  }

  @Override
  public int handleExecutionException(Exception fault, CommandLine command, ParseResult arguments) {
    if (session.isVerbose()) {
      fault.printStackTrace(session.world().err());
    }
    say(text(fault, command));
    return fault instanceof WrongUsage ? UsageFaults.WRONG_USAGE : FAILED;
  }

  private void say(String text) {
    session.note("carillon: " + Style.printable(text));
  }

  private String text(Exception fault, CommandLine command) {
    if (fault instanceof FaultyFiles faulty) {
      String effect =
          command.getCommandName().equals("diff")
              ? "files have faults:\n"
              : "nothing was changed, because files have faults:\n";
      return effect
          + faulty.faults().stream().map(String::valueOf).collect(Collectors.joining("\n"));
    }
    if (fault instanceof CommandFault) {
      return String.valueOf(fault.getMessage());
    }
    if (fault instanceof SdkException failed) {
      return "AWS: " + Credentials.fault(failed) + "\n  " + Credentials.NONE_REMEDY;
    }
    if (fault instanceof CarillonException failed) {
      return text(failed, command);
    }
    return fault + "\n  this is a defect of the command line; --verbose shows where";
  }

  private String text(CarillonException fault, CommandLine command) {
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
    if (fault instanceof CarillonException.NotFound none) {
      return refused(none.problem(), command) + "\n  " + afterNotFound(none);
    }
    if (fault instanceof CarillonException.Refused refused) {
      return refused(refused.problem(), command);
    }
    if (fault instanceof CarillonException.Unintelligible) {
      return fault.getMessage() + "\n  another service answers there; check --url";
    }
    return "no answer from %s\n  start an engine by './carillon local', or name a deployment by --stack or --url"
        .formatted(session.connection().url());
  }

  /**
   * The text about a denied request. If IAM refused the request, its refusal names action and
   * resource; otherwise both follow from the request.
   */
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

  private static String afterNotFound(CarillonException.NotFound none) {
    String check = "check the name and --namespace";
    Matcher app = APP.matcher(none.request());
    if (app.find()) {
      return "%s; 'carillon schedules list --app %s' shows the schedules that name it"
          .formatted(check, app.group(1));
    }
    Matcher listed = LISTED.matcher(none.request());
    if (!listed.find()) {
      return check;
    }
    String noun = MANY_JOBS.matcher(none.request()).find() ? "schedules" : listed.group(1);
    return "%s; 'carillon %s list' shows what there is".formatted(check, noun);
  }

  private static String refused(Problem problem, CommandLine command) {
    List<Problem.Fault> faults = problem.errors();
    if (faults.size() == 1) {
      return line(faults.get(0), command);
    }
    if (faults.isEmpty() && problem.detail().isEmpty()) {
      return "the API refused it with status " + problem.status();
    }
    return faults.isEmpty()
        ? inWordsOf(command, problem.detail())
        : problem.title()
            + ":\n"
            + faults.stream().map(it -> "  " + line(it, command)).collect(Collectors.joining("\n"));
  }

  private static String line(Problem.Fault fault, CommandLine command) {
    String member = fault.pointer().replaceFirst("^/(query/)?", "");
    String option = "--" + member;
    String where =
        command.getCommandSpec().optionsMap().containsKey(option) ? option : fault.pointer();
    return (where.isEmpty() ? "" : where + ": ") + inWordsOf(command, fault.detail());
  }

  /**
   * A text of the API, in which the names of members are replaced by the options of the command.
   */
  private static String inWordsOf(CommandLine command, String detail) {
    return TRUE_MEMBER
        .matcher(detail)
        .replaceAll(
            member ->
                Matcher.quoteReplacement(
                    command.getCommandSpec().optionsMap().containsKey("--" + member.group(1))
                        ? "--" + member.group(1)
                        : member.group()));
  }
}
