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
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
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
  static final Map<String, Function<Variables, JsonNode>> FIXED = fixed();

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
    Function<Variables, JsonNode> fixed = FIXED.get(name);
    if (fixed != null) {
      return fixed.apply(this);
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

  private static Map<String, Function<Variables, JsonNode>> fixed() {
    Map<String, Function<Variables, JsonNode>> fixed = new TreeMap<>();
    fixed.putAll(times());
    fixed.put("jobId", of -> text(of.job.id().toString()));
    fixed.put("attempt", of -> IntNode.valueOf(of.job.attempt()));
    fixed.put("namespace", of -> text(of.schedule.id().namespace()));
    fixed.put("schedule", of -> text(of.schedule.id().name()));
    fixed.put("program", of -> text(of.job.program()));
    fixed.put("customer", of -> text(of.job.customer()));
    fixed.put("priority", of -> IntNode.valueOf(of.job.priority()));
    fixed.put(PROPERTIES, Variables::properties);
    fixed.put(PAYLOAD, of -> of.launchNow().path(PAYLOAD));
    fixed.put("trigger", of -> TriggerInformation.of(of.schedule, of.job, of.times::fires));
    return fixed;
  }

  private static Map<String, Function<Variables, JsonNode>> times() {
    Map<String, Function<Variables, JsonNode>> times = new TreeMap<>();
    times.put("endOfPreviousDay", of -> time(of.local.endOfPreviousDay()));
    times.put("processTime", of -> of.instant(of.job.scheduledFor()));
    times.put("startOfDay", of -> time(of.local.startOfDay()));
    times.put("startOfDayOneWeekAgo", of -> time(of.local.startOfDayOneWeekAgo()));
    times.put("startOfHour", of -> time(of.local.startOfHour()));
    times.put("startOfPreviousDay", of -> time(of.local.startOfPreviousDay()));
    times.put("todaysDate", of -> text(of.local.today().toString()));
    times.put("yesterdaysDate", of -> text(of.local.yesterday().toString()));
    times.put("scheduledFor", of -> of.instant(of.job.scheduledFor()));
    times.put("previousScheduledFor", of -> of.previousScheduledFor());
    times.put("triggeredAt", of -> of.instant(of.job.triggeredAt()));
    return times;
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
