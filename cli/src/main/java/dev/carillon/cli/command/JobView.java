package dev.carillon.cli.command;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.client.Job;
import dev.carillon.client.Job.Transition;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Shows jobs as text. */
final class JobView {

  private static final Set<Job.State> ENDS =
      Set.of(
          Job.State.LAUNCHED,
          Job.State.SUCCEEDED,
          Job.State.FAILED,
          Job.State.SKIPPED,
          Job.State.TIMED_OUT,
          Job.State.CANCELLED);

  private JobView() {}

  static boolean hasEnded(Job job) {
    return ENDS.contains(job.state());
  }

  static Table<Job> table(Times times) {
    return Table.of("JOB", Job::jobId)
        .state("STATE", Job::stateName)
        .column("SCHEDULED FOR", job -> times.text(job.scheduledFor()))
        .column("ATTEMPT", job -> Objects.toString(job.attempt(), ""))
        .column("REASON", JobView::reason)
        .wide("SCHEDULE", Job::schedule)
        .wide("PROGRAM", job -> Objects.toString(job.program(), ""))
        .wide("CUSTOMER", job -> Objects.toString(job.customer(), ""))
        .wide("PRIORITY", job -> Objects.toString(job.priority(), ""))
        .wide("LAUNCHED", job -> times.text(job.launchedAt()))
        .wide("WORKER", job -> Objects.toString(job.worker(), ""));
  }

  static Card card(Job job, Times times) {
    return new Card()
        .with("Job", job.jobId())
        .with("Schedule", job.namespace() + "/" + job.schedule())
        .with("Program", job.program())
        .state("State", job.stateName())
        .with("Attempt", job.attempt())
        .with("Priority", job.priority())
        .with("Customer", job.customer())
        .with("Scheduled for", times.text(job.scheduledFor()))
        .with("Triggered", times.text(job.triggeredAt()))
        .with("Launched", times.text(job.launchedAt()))
        .with("Worker", job.worker())
        .with("Progress", job.progress())
        .with("Output", job.output())
        .with("Error", job.error())
        .with("Callback", callback(job, times))
        .with(
            "Operations",
            job.operations().stream()
                .map(operation -> operation.id() + "  " + operation.stateName())
                .collect(Collectors.joining("\n")))
        .with(
            "History",
            job.transitions().stream()
                .map(transition -> line(transition, times))
                .collect(Collectors.joining("\n")));
  }

  /** What keeps the callback of an ended job from its queue; empty if nothing does. */
  private static String callback(Job job, Times times) {
    Job.Callback callback = job.callback();
    if (callback == null || callback.sentAt() != null || !hasEnded(job)) {
      return "";
    }
    if (callback.trouble() == null) {
      return "is being sent";
    }
    return callback.nextTry() == null
        ? "can never be sent: " + callback.trouble()
        : "refused %s: %s\nsent again %s"
            .formatted(
                Counted.of(callback.refusals(), "time"),
                callback.trouble(),
                times.text(callback.nextTry()));
  }

  /** One transition: instant, state, reason. */
  static String line(Transition transition, Times times) {
    String reason = transition.reason() == null ? "" : ": " + transition.reason();
    return times.exact(transition.at()) + "  " + transition.stateName() + reason;
  }

  private static String reason(Job job) {
    List<Transition> all = job.transitions();
    return all.isEmpty() ? "" : Objects.toString(all.get(all.size() - 1).reason(), "");
  }
}
