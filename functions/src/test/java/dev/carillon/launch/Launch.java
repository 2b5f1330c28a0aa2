package dev.carillon.launch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.constraint.Constraints;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Delivery;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Origin;
import dev.carillon.job.Precedence;
import dev.carillon.job.TriggerState;
import dev.carillon.job.Wait;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Target;
import dev.carillon.schedule.WhilePending;
import dev.carillon.timer.CatchUp;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds a launch of a job of schedule default/report at 2018-03-22T00:09Z. */
final class Launch implements JobTimes {

  static final String STANDARD_QUEUE = "arn:aws:sqs:eu-west-1:123456789012:exports";
  static final String FIFO_QUEUE = STANDARD_QUEUE + ".fifo";
  static final Trigger.TimeLeaf LEAF = new Trigger.At(Instant.parse("2018-03-22T00:09:00Z"));

  ScheduleId id = new ScheduleId("default", "report");
  String zone = "America/Los_Angeles";
  Instant scheduledFor = Instant.parse("2018-03-22T00:09:00Z");
  Instant triggeredAt = Instant.parse("2018-03-22T00:09:01.250Z");
  Optional<Instant> previous = Optional.empty();
  Trigger trigger = LEAF;
  Set<Trigger> fired = Set.of(LEAF);
  Target onEnd;
  String queue = "exports";
  JsonNode template = TextNode.valueOf("go");
  Map<String, String> attributes = Map.of();
  String groupId;
  String scheduleCustomer;
  JsonNode schedulePriority = IntNode.valueOf(5);
  ObjectNode properties = Json.object();
  String customer;
  int priority = 5;
  TriggerState triggerState;
  ObjectNode launchNow;
  String queueArn = STANDARD_QUEUE;
  private final List<Event> events = new ArrayList<>();

  static JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException fault) {
      throw new IllegalArgumentException(text, fault);
    }
  }

  static ObjectNode object(String text) {
    return (ObjectNode) json(text);
  }

  static Launch ofJson(String template) {
    Launch launch = new Launch();
    launch.template = json(template);
    return launch;
  }

  static Launch ofText(String template) {
    Launch launch = new Launch();
    launch.template = TextNode.valueOf(template);
    return launch;
  }

  Launch at(String instant) {
    scheduledFor = Instant.parse(instant);
    return this;
  }

  Launch in(String newZone) {
    zone = newZone;
    return this;
  }

  Launch withProperties(String json) {
    properties = object(json);
    return this;
  }

  Launch launchedWith(String json) {
    launchNow = object(json);
    return this;
  }

  Launch withEvent(String eventId, String payload) {
    events.add(
        new Event(
            eventId,
            "default",
            Instant.ofEpochMilli(1_700_000_000_123L),
            "PARTITION",
            json(payload),
            Map.of("partition:ns.purchases", 1L)));
    triggerState = new TriggerState(List.of(new LeafCount(1, events.size(), null)), events, 0);
    return this;
  }

  Schedule schedule() {
    Target target = new Target(queue, template, attributes, groupId);
    return new Schedule(
        id,
        "exporter",
        null,
        Map.of(),
        scheduleCustomer,
        ZoneId.of(zone),
        trigger,
        new Constraints(List.of(), ZoneId.of(zone)),
        target,
        null,
        onEnd,
        schedulePriority,
        properties,
        CatchUp.EVERYTHING,
        null,
        WhilePending.QUEUE,
        null,
        false,
        null,
        Json.object());
  }

  Job job() {
    JobId jobId =
        launchNow == null
            ? JobId.ofFire(id, 7, scheduledFor)
            : JobId.ofLaunchNow(id, 7, scheduledFor, "abcd");
    return new Job(
        jobId,
        1,
        JobState.PENDING_CONSTRAINT,
        new Origin(1, "exporter", scheduledFor, triggeredAt, launchNow),
        new Precedence(customer, priority, null),
        new Delivery(1, null, 0, null, null),
        new Wait.Check(null),
        triggerState,
        null,
        List.of());
  }

  Rendering rendering() {
    return LaunchRenderer.render(schedule(), job(), queueArn, this);
  }

  Rendering.Rendered rendered() {
    return (Rendering.Rendered) rendering();
  }

  LaunchRequest request() {
    return rendered().request();
  }

  String body() {
    return request().body();
  }

  List<String> notes() {
    return rendered().notes();
  }

  String unsendable() {
    return ((Rendering.Unsendable) rendering()).reason();
  }

  @Override
  public Optional<Instant> previousScheduledFor() {
    return previous;
  }

  @Override
  public boolean fires(Trigger.TimeLeaf leaf) {
    return fired.contains(leaf);
  }
}
