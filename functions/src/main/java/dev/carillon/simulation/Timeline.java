package dev.carillon.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.document.Json;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Transition;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.simulation.RecordingTargets.Delivery;
import dev.carillon.simulation.Runs.Run;
import dev.carillon.time.Timestamps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The result of a simulation. */
final class Timeline {

  private static final Comparator<Job> BY_INSTANT =
      Comparator.comparing(Job::scheduledFor).thenComparing(job -> job.id().toString());

  private final MemoryJobs jobs;
  private final RecordingTargets targets;
  private final Runs runs;

  Timeline(MemoryJobs jobs, RecordingTargets targets, Runs runs) {
    this.jobs = jobs;
    this.targets = targets;
    this.runs = runs;
  }

  /** The jobs by scheduledFor. Collecting jobs come last. */
  ObjectNode document() {
    ObjectNode document = Json.object();
    ArrayNode list = document.putArray("jobs");
    jobs.all().stream().sorted(BY_INSTANT).forEach(job -> list.add(job(job)));
    jobs.collectingJobs().forEach(collectingJob -> addOpen(collectingJob, list));
    return document;
  }

  private ObjectNode job(Job job) {
    Optional<Run> run = runs.of(job.id());
    List<Transition> transitions = run.map(it -> withRun(job, it)).orElse(job.transitions());
    JobState state =
        run.isPresent() ? transitions.get(transitions.size() - 1).state() : job.state();
    ObjectNode view =
        Json.object()
            .put("schedule", job.id().schedule().toString())
            .put("jobId", job.id().toString())
            .put("scheduledFor", Timestamps.text(job.scheduledFor()))
            .put("state", state.name());
    ArrayNode launches = view.putArray("launches");
    targets.of(job.id(), false).forEach(delivery -> launches.add(sent(delivery)));
    if (job.callback() != null) {
      ArrayNode callbacks = view.putArray("callbacks");
      targets.of(job.id(), true).forEach(delivery -> callbacks.add(sent(delivery)));
    }
    view.set("transitions", transitions(transitions));
    return view;
  }

  /** Whether the job has failed because its run had lasted too long without a report of its end. */
  private static boolean isEndMissing(Job job) {
    Reason why = job.newestReason();
    return job.isEnded() && why != null && why.code() == ReasonCode.RUN_END_MISSING;
  }

  /** Adds the transitions that the worker of a simulated run would have reported. */
  private static List<Transition> withRun(Job job, Run run) {
    if (isEndMissing(job)) {
      List<Transition> all = new ArrayList<>(job.transitions());
      all.add(all.size() - 1, new Transition(run.startedAt, JobState.RUNNING, null));
      return all;
    }
    List<Transition> all = new ArrayList<>();
    for (Transition transition : job.transitions()) {
      all.add(transition);
      if (transition.state() == JobState.PENDING_LAUNCH
          && !transition.at().isBefore(run.startedAt)) {
        break;
      }
    }
    all.add(new Transition(run.startedAt, JobState.ENQUEUED, null));
    all.add(new Transition(run.startedAt, JobState.RUNNING, null));
    if (run.endedAt != null && run.outcome != null) {
      all.add(new Transition(run.endedAt, JobState.valueOf(run.outcome), null));
    }
    return all;
  }

  private static ObjectNode sent(Delivery delivery) {
    ObjectNode sent =
        Json.object()
            .put("at", Timestamps.text(delivery.at()))
            .put("queue", delivery.request().queueArn());
    return sent.set("body", body(delivery.request().body()));
  }

  /** The body of a request: as JSON if it is JSON, otherwise as text. */
  private static JsonNode body(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException plain) {
      return TextNode.valueOf(text);
    }
  }

  private static void addOpen(CollectingJob collectingJob, ArrayNode list) {
    CollectingJob.OpenJob open = collectingJob.open();
    if (open != null) {
      ObjectNode view =
          list.addObject()
              .put("schedule", collectingJob.schedule().toString())
              .put("jobId", open.id().toString())
              .putNull("scheduledFor")
              .put("state", JobState.PENDING_TRIGGER.name());
      view.putArray("launches");
      view.set(
          "transitions",
          transitions(List.of(new Transition(open.openedAt(), JobState.PENDING_TRIGGER, null))));
    }
  }

  private static ArrayNode transitions(List<Transition> transitions) {
    ArrayNode list = Json.object().arrayNode();
    for (Transition transition : Transition.inOrderOfTime(transitions)) {
      list.addObject()
          .put("at", Timestamps.text(transition.at()))
          .put("state", transition.state().name())
          .put("reason", transition.reasonText())
          .put("reasonCode", transition.reasonCode());
    }
    return list;
  }
}
