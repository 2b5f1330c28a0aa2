package dev.carillon.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.exports.Entry;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A schedule document that is being made, with notes about its differences from the source. */
public final class Draft {

  private static final int LONGEST_DESCRIPTION = 1_000;
  private static final int MOST_BYTES = 64 * 1024;
  private static final String BEGINNING = "1970-01-01";
  private static final String END = "9999-12-30";

  private final Place place;
  private final String item;
  private final String namespace;
  private final String name;
  private final ObjectNode document = Json.object();
  private final List<String> notes = new ArrayList<>();
  private final List<Entry> calendars = new ArrayList<>();

  /**
   * @param namespace the namespace in the source
   * @param name the name in the source
   */
  public Draft(Place place, String item, String namespace, String name) {
    this.place = place;
    this.item = item;
    this.namespace = Names.namespace(namespace);
    this.name = Names.name(name);
    noteChange("namespace", namespace, this.namespace);
    noteChange("name", name, this.name);
  }

  private void noteChange(String what, String given, String taken) {
    if (!given.equals(taken)) {
      note("the %s \"%s\" becomes \"%s\"".formatted(what, given, taken));
    }
  }

  public ObjectNode document() {
    return document;
  }

  /** Adds a note about a difference from the source. */
  public void note(String difference) {
    notes.add(difference);
  }

  public void describe(String text) {
    String bare = text.strip();
    if (bare.length() > LONGEST_DESCRIPTION) {
      note("the description is cut to " + LONGEST_DESCRIPTION + " characters");
      bare = bare.substring(0, LONGEST_DESCRIPTION - 1) + "…";
    }
    if (!bare.isEmpty()) {
      document.put("description", bare);
    }
  }

  /**
   * Sets the zone.
   *
   * @throws NotCarried if the zone is not known
   */
  public ZoneId zone(String zone) {
    try {
      document.put("zone", zone);
      return ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      throw new NotCarried("the zone \"" + zone + "\" is unknown; give one like Europe/Berlin");
    }
  }

  /** Sets a trigger of this type, to which the caller adds the other members. */
  public ObjectNode trigger(String type) {
    return document.putObject("trigger").put("type", type);
  }

  /**
   * Sets the target.
   *
   * @param queue the queue that the source names; null if it names none
   * @throws NotCarried if the caller names no queue either
   */
  public ObjectNode target(@Nullable String queue, JsonNode template, Conversion how) {
    String taken = queue == null ? how.queue() : queue;
    if (taken == null) {
      throw new NotCarried("it names no SQS queue; give --queue NAME");
    }
    ObjectNode target = document.putObject("target").put("queue", taken);
    target.set("template", template);
    return target;
  }

  public void state(boolean active) {
    document.put("state", active ? "ACTIVE" : "SUSPENDED");
  }

  /**
   * Limits the trigger to a range of time. For this, the trigger excludes a calendar with all other
   * times. The calendar is in UTC, where no local time occurs twice.
   *
   * @param trigger a cron or rate
   * @param from the inclusive beginning; null for no bound
   * @param to the exclusive end; null for no bound
   */
  public void bound(ObjectNode trigger, @Nullable Instant from, @Nullable Instant to) {
    ObjectNode calendar = Json.object().put("zone", "UTC");
    calendar.put("description", "The time outside the dates of " + name);
    var ranges = calendar.putArray("ranges");
    if (from != null) {
      ranges.addObject().put("from", BEGINNING).put("to", utc(from));
    }
    if (to != null) {
      ranges.addObject().put("from", utc(to)).put("to", END);
    }
    if (!ranges.isEmpty()) {
      String own = Names.suffixed(name, "-dates");
      trigger.putArray("exclude").add(own);
      calendars.add(Entry.calendar(namespace, own, calendar));
      note("its start and end dates are the calendar \"" + own + "\"");
    }
  }

  /** The time in UTC; seconds are always written, so that it is never read as a whole day. */
  private static String utc(Instant instant) {
    LocalDateTime time =
        LocalDateTime.ofInstant(instant, ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
    return "%sT%02d:%02d:%02d"
        .formatted(time.toLocalDate(), time.getHour(), time.getMinute(), time.getSecond());
  }

  /**
   * The converted item.
   *
   * @throws NotCarried if the document is too large
   */
  public Outcome.Converted done() {
    int bytes = Json.write(document).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      throw new NotCarried(
          "its document has %d bytes, and Carillon stores %d; move its payload into a file"
              .formatted(bytes, MOST_BYTES));
    }
    Entry schedule = Entry.schedule(namespace, name, document);
    return new Outcome.Converted(place, item, schedule, calendars, notes);
  }
}
