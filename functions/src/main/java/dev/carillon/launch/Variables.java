package dev.carillon.launch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.Json;
import dev.carillon.job.Job;
import dev.carillon.schedule.Schedule;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The values of the variables for one attempt of a job, each computed when it is first used.
 *
 * <p>{@code properties.NAME} is the property with exactly that name, dots included, or else a path
 * through the properties. {@code events[i]} counts over the events that the job has kept. An
 * event's {@code timestamp} is a number, in epoch milliseconds.
 */
final class Variables {

  static final String PROPERTIES = "properties";
  static final String PAYLOAD = "payload";
  static final String EVENTS = "events";

  /** The variables whose whole name is fixed. */
  static final SortedSet<String> FIXED =
      Collections.unmodifiableSortedSet(
          new TreeSet<>(
              List.of(
                  "attempt",
                  "customer",
                  "endOfPreviousDay",
                  "jobId",
                  "namespace",
                  PAYLOAD,
                  "previousScheduledFor",
                  "priority",
                  "processTime",
                  "program",
                  PROPERTIES,
                  "schedule",
                  "scheduledFor",
                  "startOfDay",
                  "startOfDayOneWeekAgo",
                  "startOfHour",
                  "startOfPreviousDay",
                  "todaysDate",
                  "trigger",
                  "triggeredAt",
                  "yesterdaysDate")));

  private final Schedule schedule;
  private final Job job;
  private final JobTimes times;
  private final LocalTimes local;
  private final Map<String, JsonNode> known = new HashMap<>();

  Variables(Schedule schedule, Job job, JobTimes times) {
    this.schedule = schedule;
    this.job = job;
    this.times = times;
    this.local = LocalTimes.of(job.scheduledFor(), schedule.zone());
  }

  /** The value of a variable with a valid name; the missing node if there is none. */
  JsonNode value(String name) {
    JsonNode before = known.get(name);
    if (before != null) {
      return before;
    }
    JsonNode value = computed(name);
    known.put(name, value);
    return value;
  }

  private JsonNode computed(String name) {
    if (FIXED.contains(name)) {
      return fixed(name);
    }
    String root = VariableName.root(name);
    String path = name.substring(root.length());
    return switch (root) {
      case PROPERTIES -> property(path);
      case PAYLOAD -> in(launchNow().path(PAYLOAD), path);
      case EVENTS -> in(events(), path);
      default -> MissingNode.getInstance();
    };
  }

  private static JsonNode in(JsonNode root, String path) {
    return JsonPath.parse(path).map(parsed -> parsed.in(root)).orElseGet(MissingNode::getInstance);
  }

  private JsonNode property(String path) {
    JsonNode properties = value(PROPERTIES);
    String name = path.substring(1);
    return properties.has(name) ? properties.path(name) : in(properties, path);
  }

  private ObjectNode properties() {
    ObjectNode merged = schedule.properties().deepCopy();
    if (launchNow().path(PROPERTIES) instanceof ObjectNode given) {
      merged.setAll(given);
    }
    return merged;
  }

  private ObjectNode launchNow() {
    ObjectNode given = job.launchNow();
    return given == null ? Json.object() : given;
  }

  private ArrayNode events() {
    ArrayNode events = Json.object().arrayNode();
    TriggerInformation.eventsOf(job).forEach(event -> events.add(TriggerInformation.json(event)));
    return events;
  }

  private JsonNode fixed(String name) {
    return switch (name) {
      case "attempt" -> IntNode.valueOf(job.attempt());
      case "customer" -> text(job.customer());
      case "endOfPreviousDay" -> time(local.endOfPreviousDay());
      case "jobId" -> text(job.id().toString());
      case "namespace" -> text(schedule.id().namespace());
      case PAYLOAD -> launchNow().path(PAYLOAD);
      case "previousScheduledFor" -> previousScheduledFor();
      case "priority" -> IntNode.valueOf(job.priority());
      case "processTime", "scheduledFor" -> instant(job.scheduledFor());
      case "program" -> text(job.program());
      case PROPERTIES -> properties();
      case "schedule" -> text(schedule.id().name());
      case "startOfDay" -> time(local.startOfDay());
      case "startOfDayOneWeekAgo" -> time(local.startOfDayOneWeekAgo());
      case "startOfHour" -> time(local.startOfHour());
      case "startOfPreviousDay" -> time(local.startOfPreviousDay());
      case "todaysDate" -> text(local.today().toString());
      case "trigger" -> TriggerInformation.of(schedule, job, times::fires);
      case "triggeredAt" -> instant(job.triggeredAt());
      case "yesterdaysDate" -> text(local.yesterday().toString());
      default -> throw new IllegalArgumentException("there is no variable " + name);
    };
  }

  private JsonNode previousScheduledFor() {
    return times.previousScheduledFor().map(this::instant).orElseGet(MissingNode::getInstance);
  }

  private JsonNode instant(Instant instant) {
    return text(LocalTimes.text(instant, schedule.zone()));
  }

  private static JsonNode time(OffsetDateTime time) {
    return text(LocalTimes.text(time));
  }

  private static JsonNode text(@Nullable String text) {
    return text == null ? MissingNode.getInstance() : TextNode.valueOf(text);
  }
}
