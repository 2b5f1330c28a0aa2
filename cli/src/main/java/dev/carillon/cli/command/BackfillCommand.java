package dev.carillon.cli.command;

import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Progress;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.session.Session;
import dev.carillon.client.Backfill;
import dev.carillon.client.BackfillPreview;
import dev.carillon.client.BackfillRange;
import dev.carillon.client.Job;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon schedules backfill}: launches the fires of a past range. */
@Command(
    name = "backfill",
    description = {
      "Launches the fires of a past range, whether or not they were launched before.",
      "With --wait, the exit code is 1 if the backfill was cancelled or one of its jobs failed."
    })
public final class BackfillCommand implements Callable<Integer> {

  private static final List<Job.State> FAILURES =
      List.of(Job.State.FAILED, Job.State.TIMED_OUT, Job.State.CANCELLED);

  private static final Set<Backfill.State> ENDS =
      Set.of(Backfill.State.COMPLETED, Backfill.State.CANCELLED);

  private final Session session;

  @Parameters(paramLabel = "NAME", description = "The schedule.")
  private String name = "";

  @Option(names = "--from", required = true, paramLabel = "TIME", description = "Exclusive.")
  private String from = "";

  @Option(
      names = "--to",
      paramLabel = "TIME",
      defaultValue = "now",
      description = "Inclusive; now by default.")
  private String to = "now";

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many of its jobs can be unfinished at a time, 1 to 100; 1 by default.")
  private int concurrency;

  @Option(names = "--dry-run", description = "Show the fires, and launch nothing.")
  private boolean dryRun;

  @Option(names = "--confirm", description = "Allow more than 10,000 fires.")
  private boolean confirm;

  @Option(names = "--wait", description = "Wait for the end of all its jobs.")
  private boolean wait;

  public BackfillCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    BackfillRange range =
        new BackfillRange(
            session.moment("--from", from), session.moment("--to", to), concurrency, confirm);
    if (dryRun) {
      preview(session.namespace().previewBackfill(name, range));
      return 0;
    }
    Backfill backfill = session.namespace().backfill(name, range);
    if (wait) {
      backfill = awaited(backfill);
    }
    session
        .printer()
        .item(backfill.backfillId(), backfill, BackfillView.card(backfill, session.times()));
    return hasFailed(backfill) ? 1 : 0;
  }

  private void preview(BackfillPreview preview) {
    session.note(
        "%s, %d at a time, beginning with:"
            .formatted(Counted.of(preview.fires(), "fire"), preview.concurrency()));
    session.printer().list(preview.first(), Table.of("FIRE", fire -> session.times().text(fire)));
  }

  private Backfill awaited(Backfill begun) {
    String id = begun.backfillId();
    String subject = "backfill %s of %s/%s".formatted(id, begun.namespace(), begun.schedule());
    session.note(subject + " has begun");
    Waiting waiting = new Waiting(session, subject, advice(begun));
    Backfill backfill = begun;
    try (Progress progress = session.progress("backfill " + id, begun.fires())) {
      while (!ENDS.contains(backfill.state())) {
        progress.at(backfill.launched() - backfill.unfinished());
        backfill = waiting.next(() -> session.namespace().backfill(name, id));
      }
      progress.at(backfill.launched());
    }
    return backfill;
  }

  private static String advice(Backfill begun) {
    return ("it goes on; 'carillon backfills show %s %s -n %s' shows it;"
            + " the same command again would begin another backfill")
        .formatted(begun.schedule(), begun.backfillId(), begun.namespace());
  }

  private static boolean hasFailed(Backfill backfill) {
    return backfill.state() == Backfill.State.CANCELLED
        || FAILURES.stream().anyMatch(it -> backfill.ended().getOrDefault(it.name(), 0L) > 0);
  }
}
