package dev.carillon.launch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.document.Json;
import dev.carillon.job.Job;
import dev.carillon.schedule.Schedule;
import dev.carillon.template.JsonPath;
import dev.carillon.template.Template;
import dev.carillon.template.VariableName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of the variables for one attempt of a job. Each value is computed on first use.
 *
 * <p>{@code properties.NAME} is the property with exactly this name, which can include dots. If
 * there is none, {@code NAME} is a path through the properties. {@code events[i]} refers to the
 * events that the job has kept. The {@code timestamp} of an event is a number in epoch
 * milliseconds.
 */
final class Variables implements Template.Values {

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

  @Override
  public JsonNode value(String name) {
    JsonNode before = known.get(name);
    if (before != null) {
      return before;
    }
    JsonNode value = computed(name);
    known.put(name, value);
    return value;
  }

  private JsonNode computed(String name) {
    if (VariableName.FIXED.contains(name)) {
      return fixed(name);
    }
    String root = VariableName.root(name);
    String path = name.substring(root.length());
    return switch (root) {
      case VariableName.PROPERTIES -> property(path);
      case VariableName.PAYLOAD -> in(launchNow().path(VariableName.PAYLOAD), path);
      case VariableName.EVENTS -> in(events(), path);
      default -> MissingNode.getInstance();
    };
  }

  private static JsonNode in(JsonNode root, String path) {
    return JsonPath.parse(path).map(parsed -> parsed.in(root)).orElseGet(MissingNode::getInstance);
  }

  private JsonNode property(String path) {
    JsonNode properties = value(VariableName.PROPERTIES);
    String name = path.substring(1);
    return properties.has(name) ? properties.path(name) : in(properties, path);
  }

  private ObjectNode properties() {
    ObjectNode merged = schedule.properties().deepCopy();
    if (launchNow().path(VariableName.PROPERTIES) instanceof ObjectNode given) {
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
      case VariableName.PAYLOAD -> launchNow().path(VariableName.PAYLOAD);
      case "previousScheduledFor" -> previousScheduledFor();
      case "priority" -> IntNode.valueOf(job.priority());
      case "processTime", "scheduledFor" -> instant(job.scheduledFor());
      case "program" -> text(job.program());
      case VariableName.PROPERTIES -> properties();
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
