package dev.carillon.cli.command;

import dev.carillon.cli.session.Session;
import dev.carillon.client.Job;
import dev.carillon.client.Job.Transition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows a job to its end. On a terminal, it updates the view of the job in place; elsewhere it
 * prints each transition once.
 */
final class JobWatch {

  private static final Set<Job.State> GOOD_ENDS = Set.of(Job.State.LAUNCHED, Job.State.SUCCEEDED);

  private final Session session;
  private final boolean isInPlace;
  private @Nullable Transition last;

  JobWatch(Session session) {
    this.session = session;
    this.isInPlace =
        session.world().terminal().isInteractive() && session.options().format().isForPeople();
  }

  /** Returns the exit code. */
  int follow(String id) {
    Waiting waiting =
        new Waiting(session, "job " + id, "'carillon jobs watch " + id + "' watches it again");
    Job job = session.namespace().job(id);
    show(job);
    while (!JobView.hasEnded(job) && session.isFollowed()) {
      job = waiting.next(() -> session.namespace().job(id));
      show(job);
    }
    session.note(id + " is " + job.stateName());
    return GOOD_ENDS.contains(job.state()) ? 0 : 1;
  }

  private void show(Job job) {
    if (isInPlace) {
      session.clearScreen();
      session.printer().item(job.jobId(), job, JobView.card(job, session.times()));
      return;
    }
    for (Transition each : after(last, job.transitions())) {
      session
          .printer()
          .entry(each.stateName(), each, session.style().text(JobView.line(each, session.times())));
      last = each;
    }
  }

  /**
   * The transitions after a given one. The API keeps only the first and the last transitions of a
   * long history. So their number does not show whether new ones came, and the given transition can
   * be missing.
   */
  private static List<Transition> after(@Nullable Transition before, List<Transition> all) {
    if (before == null) {
      return all;
    }
    int at = all.lastIndexOf(before);
    return at < 0
        ? all.stream().filter(each -> !each.at().isBefore(before.at())).toList()
        : all.subList(at + 1, all.size());
  }
}
