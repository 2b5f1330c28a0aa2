package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.RunAttempt;
import dev.carillon.job.Transition;
import dev.carillon.run.Run;
import dev.carillon.schedule.LinkId;
import dev.carillon.time.Timestamps;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON form of a job. */
final class JobView {

  private JobView() {}

  static ObjectNode of(Job job) {
    ObjectNode view =
        begun(job.id(), job.program())
            .put("customer", job.customer())
            .put("priority", job.priority())
            .put("generation", job.id().generation())
            .put("state", job.state().name())
            .put("attempt", job.attempt())
            .put("scheduledFor", ScheduleView.text(job.scheduledFor()))
            .put("triggeredAt", ScheduleView.text(job.triggeredAt()))
            .put("launchedAt", ScheduleView.text(job.launchedAt()));
    if (job.linkId() != null) {
      view.put(LinkId.NAME, job.linkId());
    }
    ended(view, job.run(), job.version(), job.transitions());
    if (job.run() != null) {
      addAttempts(view.putArray("attempts"), job);
    }
    if (job.callback() != null) {
      view.set("callback", CallbackView.of(job.callback(), job));
    }
    return view;
  }

  private static void addAttempts(ArrayNode list, Job job) {
    for (RunAttempt attempt : RunAttempt.of(job)) {
      list.addObject()
          .put("attempt", attempt.number())
          .put("worker", attempt.worker())
          .put("claimedAt", ScheduleView.text(attempt.claimedAt()))
          .put("startedAt", ScheduleView.text(attempt.startedAt()))
          .put("endedAt", ScheduleView.text(attempt.endedAt()))
          .put("end", attempt.why() == null ? null : attempt.why().text());
    }
  }

  /**
   * The view of a collecting job. Its {@code scheduledFor}, customer, priority and attempts are not
   * known until its trigger is satisfied.
   */
  static ObjectNode ofOpen(CollectingJob collectingJob, OpenJob job, @Nullable String program) {
    ObjectNode view =
        begun(job.id(), program)
            .put("generation", job.id().generation())
            .put("state", JobState.PENDING_TRIGGER.name())
            .putNull("scheduledFor")
            .putNull("triggeredAt")
            .putNull("launchedAt");
    Transition opened = new Transition(job.openedAt(), JobState.PENDING_TRIGGER, null);
    return ended(view, null, collectingJob.version(), List.of(opened));
  }

  private static ObjectNode begun(JobId id, @Nullable String program) {
    return Json.object()
        .put("jobId", id.toString())
        .put("namespace", id.schedule().namespace())
        .put("schedule", id.schedule().name())
        .put("program", program);
  }

  private static ObjectNode ended(
      ObjectNode view, @Nullable Run run, long version, List<Transition> transitions) {
    if (run != null) {
      view.put("worker", run.claim() == null ? null : run.claim().worker());
      view.set("progress", run.progress());
      view.set("output", run.output());
      view.put("error", run.error());
      if (!run.operations().isEmpty()) {
        view.set("operations", OperationsView.list(run.operations()));
      }
    }
    view.put("version", version);
    ArrayNode history = view.putArray("transitions");
    for (Transition transition : Transition.inOrderOfTime(transitions)) {
      history
          .addObject()
          .put("at", Timestamps.text(transition.at()))
          .put("state", transition.state().name())
          .put("reason", transition.reasonText())
          .put("reasonCode", transition.reasonCode());
    }
    return view;
  }
}
