package dev.carillon.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Json;
import dev.carillon.schedule.Faults;
import dev.carillon.schedule.Fields;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.TextForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * An event that only some schedules still have to count: what Carillon sends to its own ingest
 * queue when the others have counted it already.
 *
 * @param schedules of the event's namespace
 */
public record Resend(List<ScheduleId> schedules, Event event) {

  /** Keeps the message far below what SQS takes, next to an event of the largest size. */
  public static final int MOST_SCHEDULES = 500;

  private static final String FIELD = "carillonResend";
  private static final String BEGINNING = "{\"" + FIELD + "\":";

  /** As many as are needed for so many schedules. */
  public static List<Resend> of(Event event, Collection<ScheduleId> schedules) {
    List<ScheduleId> all = List.copyOf(schedules);
    List<Resend> resends = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MOST_SCHEDULES) {
      int to = Math.min(all.size(), from + MOST_SCHEDULES);
      resends.add(new Resend(all.subList(from, to), event));
    }
    return List.copyOf(resends);
  }

  /** The message. */
  public String write() {
    ObjectNode message = Json.object();
    ObjectNode content = message.putObject(FIELD);
    ArrayNode names = content.putArray("schedules");
    schedules.forEach(schedule -> names.add(schedule.toString()));
    content.set("event", event.document());
    return Json.write(message);
  }

  /** What {@link #write} wrote; empty if the message is anything else. */
  public static Optional<Resend> read(String message) {
    if (!message.startsWith(BEGINNING)) {
      return Optional.empty();
    }
    try {
      return read(Json.read(message).path(FIELD));
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  private static Optional<Resend> read(JsonNode content) {
    Faults faults = new Faults();
    Fields event = Fields.of(content.path("event"), "", faults);
    String namespace = event.text("namespace", TextForm.NAMESPACE);
    event.text("id", EventReader.ID);
    event.whole("timestamp", 0, Long.MAX_VALUE);
    EventReader reader = new EventReader("", Instant.EPOCH, Optional.empty(), faults);
    List<Event> events = reader.read(content.path("event"), "");
    List<ScheduleId> schedules = schedules(content.path("schedules"), namespace, faults);
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
