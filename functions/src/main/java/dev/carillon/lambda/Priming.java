package dev.carillon.lambda;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.collect.Collected;
import dev.carillon.collect.CollectingPass;
import dev.carillon.collect.CollectingSnapshot;
import dev.carillon.collect.OtherJobs;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.StoreWarmup;
import dev.carillon.event.Event;
import dev.carillon.event.EventParser;
import dev.carillon.event.ParsedMessage.Events;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.Requests.Ready;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules.Change;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The code that functions run before their snapshot is taken, so that restored copies are already
 * warm.
 */
public final class Priming {

  /**
   * The id of a schedule that cannot exist, because a name that consists only of dots is refused.
   */
  public static final ScheduleId ABSENT_SCHEDULE = new ScheduleId("default", ".");

  /** An event key that no trigger can have, because it is longer than keys may be. */
  private static final String ABSENT_KEY = "p".repeat(300);

  private static final String ABSENT_QUEUE = "arn:aws:sqs:us-east-1:000000000000:nowhere";

  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  private static final ObjectNode DOCUMENT =
      Json.readObject(
          """
          {"trigger": {"type": "or", "triggers": [
             {"type": "cron", "expression": "0 0 3 * * ?", "zone": "Europe/Berlin"},
             {"type": "rate", "every": "PT1H"},
             {"type": "event", "key": "k", "filter": {"a": [{"prefix": "b"}]}}]},
           "target": {"queue": "q", "template": {"date": "${yesterdaysDate}", "t": "${trigger}"},
             "attributes": {"kind": "x"}, "groupId": "${customer}"},
           "customer": "c", "state": "ACTIVE"}
          """);

  private Priming() {}

  /** An event that no schedule waits for. */
  public static Event event() {
    ObjectNode document = Json.object().put("id", "priming").put("eventType", ABSENT_KEY);
    document.putObject("payload").put("a", "b");
    return ((Events) EventParser.parse(Json.write(document), "", THEN, Optional.empty()))
        .events()
        .get(0);
  }

  /** What the warm-up stores, and the request that it sends. */
  record Sample(StoreWarmup.Sample stored, LaunchRequest request) {}

  /**
   * Runs the model in memory: reads a schedule, counts an event for it, and renders its launch
   * requests.
   */
  static Sample model(ScheduleParser parser, Requests requests) {
    Schedule schedule = parser.parse(new ScheduleId("default", "priming"), DOCUMENT, THEN);
    Change created = Lifecycle.create(null, schedule, THEN, "priming");
    Compiled compiled = new Compiled(Objects.requireNonNull(created.definition()), schedule);
    CollectingSnapshot known = new CollectingSnapshot(compiled, created.after(), null, null, THEN);
    ObjectNode payload = Json.object().put("a", "b");
    Event event = new Event("e", "default", THEN, "k", payload, Map.of("event:k", 1L));
    Collected pass = CollectingPass.collect(known, OtherJobs.NONE, List.of(event), Instant.MIN);
    JobId id = JobId.ofFire(schedule.id(), 1, created.timers().get(0).dueAt());
    Job job = NewJob.launchingFire(id, 1, "priming", id.at(), id.at());
    pass.jobs().forEach(counted -> requests.of(compiled, counted));
    StoreWarmup.Sample stored = new StoreWarmup.Sample(created, job, pass.after(), pass.jobs());
    return new Sample(stored, request(requests, compiled, job));
  }

  /** The request of a job; a substitute if the deployment does not allow its queue. */
  private static LaunchRequest request(Requests requests, Compiled compiled, Job job) {
    return requests.of(compiled, job) instanceof Ready ready
        ? ready.request()
        : new LaunchRequest(job.id(), job.attempt(), ABSENT_QUEUE, "{}", Map.of("kind", "x"), "c");
  }
}
