package dev.carillon.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import org.jspecify.annotations.Nullable;

/**
 * The work that is left to do for an event. Ingest sends it to its own queue when it could not do
 * all of the work.
 *
 * @param receivedAt when the event was received; null except in a repeated search and in the
 *     messages that follow from it. A schedule that began after this instant does not count the
 *     event
 */
public record Resend(Event event, Work work, @Nullable Instant receivedAt) {

  /** The most schedules of one message, which leaves room for an event of the largest size. */
  public static final int MOST_SCHEDULES = 500;

  private static final String FIELD = "carillonResend";
  private static final String PREFIX = "{\"" + FIELD + "\":";
  private static final String REPORTS = "reports";
  private static final String RECEIVED_AT = "receivedAt";
  private static final String COUNTED = "carillonCounted";
  private static final String COUNTED_PREFIX = "{\"" + COUNTED + "\":true,";
  private static final String SEARCH = "carillonSearch";
  private static final String SEARCH_PREFIX = "{\"" + SEARCH + "\":{";

  public Resend(Event event, Work work) {
    this(event, work, null);
  }

  /** What is left to do. */
  public sealed interface Work {}

  /**
   * Some schedules have not counted the event.
   *
   * @param schedules schedules of the event's namespace
   * @param reports whether the outcome of the event must still be reported
   */
  public record Count(List<ScheduleId> schedules, boolean reports) implements Work {}

  /** All schedules have counted the event; the run that it reports on must be ended. */
  public record EndRun() implements Work {}

  /** For one of the event's keys, the schedules were read only up to a certain name. */
  public record SearchRest(String key, String after) implements Work {}

  /**
   * The search found no schedule, perhaps because the index did not yet show a schedule that had
   * just been stored.
   */
  public record SearchAgain() implements Work {}

  /**
   * Splits the schedules into as many messages as needed.
   *
   * @param reports whether the outcome of the event must still be reported; the first message
   *     decides on it
   * @param receivedAt as in the record {@link Resend}
   */
  public static List<Resend> of(
      Event event,
      Collection<ScheduleId> schedules,
      boolean reports,
      @Nullable Instant receivedAt) {
    List<ScheduleId> all = List.copyOf(schedules);
    List<Resend> resends = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MOST_SCHEDULES) {
      int to = Math.min(all.size(), from + MOST_SCHEDULES);
      Count count = new Count(all.subList(from, to), reports && from == 0);
      resends.add(new Resend(event, count, receivedAt));
    }
    return List.copyOf(resends);
  }

  /**
   * Serializes the message. To an older version of Carillon, a message without schedules is also a
   * valid event. That version counts it; by the event's id, it recognises the schedules that have
   * counted the event already.
   */
  public String write() {
    if (work instanceof Count count) {
      return write(count);
    }
    ObjectNode message = Json.object();
    if (work instanceof EndRun) {
      message.put(COUNTED, true);
    } else if (work instanceof SearchRest search) {
      stamp(message.putObject(SEARCH).put("key", search.key()).put("after", search.after()));
    } else {
      stamp(message.putObject(SEARCH).put("again", true));
    }
    return Json.write(message.setAll(event.document()));
  }

  private void stamp(ObjectNode content) {
    if (receivedAt != null) {
      content.put(RECEIVED_AT, receivedAt.toEpochMilli());
    }
  }

  private static @Nullable Instant receivedAt(JsonNode content) {
    JsonNode millis = content.path(RECEIVED_AT);
    return millis.isIntegralNumber() ? Instant.ofEpochMilli(millis.longValue()) : null;
  }

  private String write(Count count) {
    ObjectNode message = Json.object();
    ObjectNode content = message.putObject(FIELD);
    ArrayNode names = content.putArray("schedules");
    count.schedules().forEach(schedule -> names.add(schedule.toString()));
    if (count.reports()) {
      content.put(REPORTS, true);
    }
    stamp(content);
    content.set("event", event.document());
    return Json.write(message);
  }

  /** Parses a message of {@link #write}; empty for any other message. */
  public static Optional<Resend> read(String message) {
    boolean isCounted = message.startsWith(COUNTED_PREFIX);
    boolean isSearch = message.startsWith(SEARCH_PREFIX);
    if (!isCounted && !isSearch && !message.startsWith(PREFIX)) {
      return Optional.empty();
    }
    try {
      JsonNode document = Json.read(message);
      if (isCounted) {
        return event(document).map(event -> new Resend(event, new EndRun()));
      }
      if (isSearch) {
        return event(document).flatMap(event -> search(event, document.path(SEARCH)));
      }
      JsonNode content = document.path(FIELD);
      return event(content.path("event")).flatMap(event -> count(event, content));
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  private static Optional<Event> event(JsonNode document) {
    Faults faults = new Faults();
    Fields fields = Fields.of(document, "", faults);
    fields.text("namespace", TextForm.NAMESPACE);
    fields.text("id", EventReader.ID);
    fields.whole("timestamp", 0, Long.MAX_VALUE);
    EventReader reader = new EventReader("", Instant.EPOCH, Optional.empty(), false, faults);
    List<Event> events = reader.read(document, "");
    return faults.none() && events.size() == 1 ? Optional.of(events.get(0)) : Optional.empty();
  }

  private static Optional<Resend> search(Event event, JsonNode search) {
    if (search.path("again").booleanValue()) {
      return Optional.of(new Resend(event, new SearchAgain(), receivedAt(search)));
    }
    String key = search.path("key").asText();
    String after = search.path("after").asText();
    return event.weights().containsKey(key) && TextForm.NAME.fits(after)
        ? Optional.of(new Resend(event, new SearchRest(key, after), receivedAt(search)))
        : Optional.empty();
  }

  private static Optional<Resend> count(Event event, JsonNode content) {
    List<ScheduleId> schedules = new ArrayList<>();
    for (JsonNode name : content.path("schedules")) {
      String text = name.asText();
      String bare = text.substring(text.indexOf('/') + 1);
      ScheduleId id = new ScheduleId(event.namespace(), bare);
      if (!id.toString().equals(text) || !TextForm.NAME.fits(bare)) {
        return Optional.empty();
      }
      schedules.add(id);
    }
    boolean reports = content.path(REPORTS).booleanValue();
    Count count = new Count(List.copyOf(schedules), reports);
    return Optional.of(new Resend(event, count, receivedAt(content)));
  }
}
