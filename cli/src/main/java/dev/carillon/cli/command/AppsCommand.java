package dev.carillon.cli.command;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.apply.FaultyFiles;
import dev.carillon.cli.apply.LocatedFault;
import dev.carillon.cli.apply.SourceFile;
import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.session.Session;
import dev.carillon.client.App;
import dev.carillon.client.Cancelled;
import dev.carillon.client.DeployedApp;
import dev.carillon.client.Deployment;
import dev.carillon.client.Difference;
import dev.carillon.client.schedule.Schedule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon apps …}. */
@Command(
    name = "apps",
    addMethodSubcommands = false,
    description = "Deploys apps: programs and schedules that belong together.")
public final class AppsCommand {

  private static final String NAME = "APP";
  private static final String UPDATES = "updateSchedules";
  private static final String PROGRAMS = "programs";
  private static final String SCHEDULES = "schedules";
  private static final List<String> MEMBERS = List.of(PROGRAMS, SCHEDULES, UPDATES);

  private final Session session;

  public AppsCommand(Session session) {
    this.session = session;
  }

  @Command(name = "show", description = "Shows an app with its schedules.")
  void show(@Parameters(paramLabel = NAME) String name) {
    DeployedApp app = session.namespace().app(name);
    session.printer().item(name, app, card(app, session.times()));
  }

  private static Card card(DeployedApp app, Times times) {
    return new Card()
        .with("App", app.namespace() + "/" + app.name())
        .with("Programs", String.join("\n", app.programs()))
        .with("Schedules", String.join("\n", app.schedules()))
        .with("Deployed", times.text(app.deployedAt()))
        .with("By", app.deployedBy())
        .with("Deploying", app.deploying() == null ? "" : times.text(app.deploying().since()));
  }

  @Command(
      name = "deploy",
      description = {
        "Changes the schedules of an app to match a file, and deletes its other schedules.",
        "The file has programs (a list), schedules (documents by name), and updateSchedules (false leaves stored schedules as they are); JSON or YAML."
      })
  int deploy(
      @Parameters(paramLabel = NAME) String name,
      @Parameters(paramLabel = "FILE") Path file,
      @Option(names = "--keep-schedules", description = "Leave stored schedules as they are.")
          boolean keep,
      @Option(names = "--dry-run", description = "Show the effect, and change nothing.")
          boolean dryRun,
      @Option(names = "--yes", description = "Do not ask before schedules are deleted.")
          boolean yes) {
    App given = app(name, SourceFile.read(file));
    App app = keep ? given.keepingSchedules() : given;
    if (dryRun) {
      Difference difference = session.namespace().compare(app);
      session.printer().item(name, difference, difference(new Card(), difference));
      return 0;
    }
    if (!yes && !confirmsDeletions(app)) {
      return 1;
    }
    Deployment deployment = session.namespace().deploy(app);
    Card card =
        difference(card(deployment.app(), session.times()), deployment.difference())
            .with("Cancelled", ScheduleView.cancelled(deployment.cancelled()));
    session.printer().item(name, deployment, card);
    return 0;
  }

  /** Asks the user if the deployment would delete schedules. */
  private boolean confirmsDeletions(App app) {
    List<String> deleted = session.namespace().compare(app).deleted();
    return deleted.isEmpty()
        || session.confirms(
            "Deploy the app %s, and delete its schedules %s?"
                .formatted(app.name(), String.join(", ", deleted)),
            false);
  }

  /**
   * The app of a file.
   *
   * @throws FaultyFiles if the API would refuse a member of the file
   */
  private static App app(String name, SourceFile file) {
    JsonNode programs = file.tree().path(PROGRAMS);
    JsonNode schedules = file.tree().path(SCHEDULES);
    if (!programs.isArray() || !schedules.isObject()) {
      throw new CommandFault(
          file.file()
              + " is not an app; give the members 'programs' (a list) and 'schedules'"
              + " (documents by name)");
    }
    List<LocatedFault> faults = faults(file);
    if (!faults.isEmpty()) {
      throw new FaultyFiles(faults);
    }
    List<Schedule> documents = new ArrayList<>();
    schedules.properties().forEach(it -> documents.add(Schedule.of(it.getKey(), it.getValue())));
    return new App(
        name,
        programs.valueStream().map(JsonNode::asText).toList(),
        documents,
        file.tree().path(UPDATES).asBoolean(true));
  }

  /** The values that the API would refuse, or that the request cannot contain. */
  private static List<LocatedFault> faults(SourceFile file) {
    List<LocatedFault> faults = new ArrayList<>();
    file.tree()
        .properties()
        .forEach(
            member -> {
              String name = member.getKey();
              String pointer = JsonPointer.empty().appendProperty(name).toString();
              if (!MEMBERS.contains(name)) {
                String known = String.join(", ", MEMBERS);
                faults.add(file.fault(pointer, "an app has no such member; it has " + known));
              } else if (name.equals(UPDATES) && !member.getValue().isBoolean()) {
                faults.add(
                    file.fault(
                        pointer,
                        member.getValue() + " is neither true nor false; give one of them"));
              }
            });
    addFaultyPrograms(file, faults);
    addFaultySchedules(file, faults);
    return faults;
  }

  private static void addFaultyPrograms(SourceFile file, List<LocatedFault> faults) {
    JsonNode programs = file.tree().path(PROGRAMS);
    for (int at = 0; at < programs.size(); at++) {
      JsonNode program = programs.get(at);
      if (!program.isTextual()) {
        faults.add(
            file.fault(
                "/" + PROGRAMS + "/" + at, program + " is not a string; write the name in quotes"));
      }
    }
  }

  private static void addFaultySchedules(SourceFile file, List<LocatedFault> faults) {
    JsonPointer pointer = JsonPointer.empty().appendProperty(SCHEDULES);
    for (Map.Entry<String, JsonNode> schedule : file.tree().path(SCHEDULES).properties()) {
      if (!schedule.getValue().isObject()) {
        faults.add(
            file.fault(
                pointer.appendProperty(schedule.getKey()).toString(),
                schedule.getValue() + " is not the document of a schedule; give an object"));
      }
    }
  }

  private static Card difference(Card card, Difference difference) {
    return card.with("Created", String.join("\n", difference.created()))
        .with("Replaced", String.join("\n", difference.replaced()))
        .with("Deleted", String.join("\n", difference.deleted()))
        .with("Unchanged", String.join("\n", difference.unchanged()));
  }

  @Command(name = "delete", description = "Deletes an app with all its schedules.")
  int delete(
      @Parameters(paramLabel = NAME) String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes) {
    if (!session.confirms("Delete the app " + name + " with all its schedules?", yes)) {
      return 1;
    }
    Optional<Cancelled> cancelled = session.namespace().deleteApp(name);
    session.note(
        "deleted app " + session.namespaceName() + "/" + name + ScheduleView.cancelling(cancelled));
    return 0;
  }
}
