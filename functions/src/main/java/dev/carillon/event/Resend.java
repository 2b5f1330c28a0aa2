package dev.carillon.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.ScheduleId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What is left to do about an event: what Carillon sends to its own ingest queue when some of it is
 * done already.
 *
 * @param schedules of the event's namespace, which still have to count it; none if all have, and
 *     only the run that it reports on has yet to be ended
 */
public record Resend(List<ScheduleId> schedules, Event event) {

  /** Keeps the message far below what SQS takes, next to an event of the largest size. */
  public static final int MOST_SCHEDULES = 500;

  private static final String FIELD = "carillonResend";
  private static final String BEGINNING = "{\"" + FIELD + "\":";
  private static final String COUNTED = "carillonCounted";
  private static final String BEGINNING_OF_COUNTED = "{\"" + COUNTED + "\":true,";

  /** For so many schedules, as many as are needed. */
  public static List<Resend> of(Event event, Collection<ScheduleId> schedules) {
    List<ScheduleId> all = List.copyOf(schedules);
    List<Resend> resends = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MOST_SCHEDULES) {
      int to = Math.min(all.size(), from + MOST_SCHEDULES);
      resends.add(new Resend(all.subList(from, to), event));
    }
    return List.copyOf(resends);
  }

  /** For the end of the run alone. */
  public static Resend counted(Event event) {
    return new Resend(List.of(), event);
  }

  /**
   * The message. One that names no schedule is an event to a version that does not know of such: it
   * ends the run, and the event's id tells that it was counted.
   */
  public String write() {
    if (schedules.isEmpty()) {
      return Json.write(Json.object().put(COUNTED, true).setAll(event.document()));
    }
    ObjectNode message = Json.object();
    ObjectNode content = message.putObject(FIELD);
    ArrayNode names = content.putArray("schedules");
    schedules.forEach(schedule -> names.add(schedule.toString()));
    content.set("event", event.document());
    return Json.write(message);
  }

  /** What {@link #write} wrote; empty if the message is anything else. */
  public static Optional<Resend> read(String message) {
    boolean isCounted = message.startsWith(BEGINNING_OF_COUNTED);
    if (!isCounted && !message.startsWith(BEGINNING)) {
      return Optional.empty();
    }
    try {
      JsonNode document = Json.read(message);
      return isCounted
          ? read(document, MissingNode.getInstance())
          : read(document.path(FIELD).path("event"), document.path(FIELD).path("schedules"));
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  private static Optional<Resend> read(JsonNode document, JsonNode names) {
    Faults faults = new Faults();
    Fields event = Fields.of(document, "", faults);
    String namespace = event.text("namespace", TextForm.NAMESPACE);
    event.text("id", EventReader.ID);
    event.whole("timestamp", 0, Long.MAX_VALUE);
    EventReader reader = new EventReader("", Instant.EPOCH, Optional.empty(), faults);
    List<Event> events = reader.read(document, "");
    List<ScheduleId> schedules = schedules(names, namespace, faults);
    return faults.none() && events.size() == 1
        ? Optional.of(new Resend(schedules, events.get(0)))
        : Optional.empty();
  }

  private static List<ScheduleId> schedules(JsonNode names, String namespace, Faults faults) {
    List<ScheduleId> schedules = new ArrayList<>();
    for (JsonNode name : names) {
      String text = name.asText();
      String bare = text.substring(text.indexOf('/') + 1);
      ScheduleId id = new ScheduleId(namespace, bare);
      if (!id.toString().equals(text) || !TextForm.NAME.fits(bare)) {
        faults.add("/schedules", Faults.shown(name) + " is no schedule of " + namespace);
      }
      schedules.add(id);
    }
    return List.copyOf(schedules);
  }
}
