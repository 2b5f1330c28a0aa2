package dev.carillon.imports.command;

import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Progress;
import dev.carillon.cli.session.Session;
import dev.carillon.exports.Entry;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import dev.carillon.imports.store.Present;
import dev.carillon.imports.store.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon import}: converts the schedules of other schedulers, and stores them. */
@Command(
    name = "import",
    description = {
      "Converts schedules of other systems, and prints or stores them.",
      "Reports for each item why it was left out, or how it differs."
    },
    footer = {
      "",
      "'-o yaml' and '-o json' print documents that 'carillon apply -f' reads.",
      "Exit code 1 if something was left out, unless --partial is given."
    })
public final class ImportCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description = "The system that the files come from: ${COMPLETION-CANDIDATES}.")
  private Kind kind = Kind.CARILLON;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE",
      description = "The files; '-' is the standard input.")
  private List<Path> files = new ArrayList<>();

  @Option(names = "--apply", description = "Ask, and store the result.")
  private boolean apply;

  @Option(names = "--yes", description = "Do not ask; needed with --apply without a terminal.")
  private boolean yes;

  @Option(names = "--partial", description = "Store or print the other items if some are left out.")
  private boolean partial;

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description = "The target queue of items that name no SQS queue.")
  private @Nullable String queue;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The zone of items that name none, like Europe/Berlin.")
  private @Nullable String zone;

  @Option(names = "--system", description = "The entries of a crontab name their users.")
  private boolean system;

  public ImportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Report report = new Report(session, outcomes());
    report.sayNotes();
    boolean stops = report.hasLeftOut() && !partial;
    if (!apply) {
      report.print();
    } else if (stops) {
      session.note("nothing was stored; --partial stores the rest");
    } else if (confirms(report)) {
      store(report);
    } else {
      return 1;
    }
    report.summarize(apply && !stops);
    return report.hasLeftOut() && !partial ? 1 : 0;
  }

  private List<Outcome> outcomes() {
    try {
      List<Source> sources = files.stream().map(ImportCommand::source).toList();
      Conversion how =
          new Conversion(session.namespaceName(), queue, zone, session.world().clock().instant());
      return kind.converter(system).convert(sources, how);
    } catch (UnreadableSource unreadable) {
      throw new CommandFault(String.valueOf(unreadable.getMessage()), unreadable);
    }
  }

  private static Source source(Path file) {
    if (!file.toString().equals("-")) {
      return Source.read(file);
    }
    try {
      return Source.read("-", System.in);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private boolean confirms(Report report) {
    List<Entry> entries = report.entries();
    if (entries.isEmpty() || yes) {
      return true;
    }
    long replaced = Present.count(session.client(), entries);
    return session.confirms(
        "Store %s (%d created, %d replaced)?"
            .formatted(Counted.of(entries.size(), "item"), entries.size() - replaced, replaced),
        false);
  }

  private void store(Report report) {
    List<Entry> entries = report.entries();
    Storage storage =
        new Storage(
            session.client(), session.world().clock().instant(), session.world().terminal()::pause);
    try (Progress progress = session.progress("import", entries.size())) {
      report.sayNotStored(storage.store(entries, progress::at));
    }
  }
}
