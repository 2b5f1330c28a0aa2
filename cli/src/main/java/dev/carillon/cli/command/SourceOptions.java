package dev.carillon.cli.command;

import dev.carillon.cli.apply.Plan;
import dev.carillon.cli.apply.Planner;
import dev.carillon.cli.apply.SourceDocuments;
import dev.carillon.cli.apply.SourceDocuments.Found;
import dev.carillon.cli.output.WrongUsage;
import dev.carillon.cli.session.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of documents, and the plan that follows from them. */
final class SourceOptions {

  @Option(
      names = {"-f", "--file"},
      required = true,
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files or directories of documents, JSON or YAML; - is the standard input.")
  private List<Path> files = List.of();

  @Option(names = "--prune", description = "Also delete schedules of --app that no file contains.")
  private boolean prune;

  @Option(names = "--app", paramLabel = "NAME", description = "The app for --prune.")
  private @Nullable String app;

  SourceOptions() {}

  Plan plan(Session session) {
    if (prune != (app != null)) {
      throw new WrongUsage("give --prune and --app NAME together, or neither");
    }
    String namespace = session.namespaceName();
    Found found = SourceDocuments.read(files, namespace);
    Planner planner = new Planner(session.client());
    // If only the context or the default names the namespace, the documents may mean others.
    boolean isMeant = session.namesNamespace() || found.documents().isEmpty();
    return app == null
        ? planner.plan(found)
        : planner.pruned(found, app, isMeant ? Set.of(namespace) : Set.of());
  }

  /** Prints a plan: the changes as data, and their numbers as a note. */
  static void print(Session session, Plan plan) {
    session
        .printer()
        .report(
            plan.effective().stream().map(change -> change.id()).toList(),
            plan.changes(),
            plan.text(session.style()));
    plan.changes().stream()
        .filter(change -> change.note() != null)
        .forEach(change -> session.note(change.id() + ": " + change.note()));
    plan.unplanned().forEach(fault -> session.note(fault.toString()));
    session.note(plan.summary());
  }
}
