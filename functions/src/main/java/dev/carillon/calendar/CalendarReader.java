package dev.carillon.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.calendar.NamedCalendar.Range;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses calendar documents and finds all their faults. */
public final class CalendarReader {

  /** A calendar has at most this many dates, this many ranges and this many windows. */
  static final int MOST_ENTRIES = 1_000;

  private static final TextForm DESCRIPTION =
      new TextForm(1_000, Pattern.compile("(?s).*"), "give a text of at most 1000 characters");
  private static final Pattern TIME =
      Pattern.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?|24:00(?::00)?");
  private static final LocalDate FIRST = LocalDate.of(1970, 1, 1);
  private static final LocalDate LAST = LocalDate.of(9999, 12, 30);
  private static final String RANGE = "from 1970-01-01 to 9999-12-30";
  private static final List<String> DAYS = List.of("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

  private final ZoneId defaultZone;

  /**
   * @param defaultZone the zone of documents that name none
   */
  public CalendarReader(ZoneId defaultZone) {
    this.defaultZone = defaultZone;
  }

  /**
   * @throws InvalidDocument with every fault
   */
  public NamedCalendar read(JsonNode document) {
    Fault whole = Fields.wholeAnswer(document, "calendar");
    if (whole != null) {
      throw new InvalidDocument(List.of(whole));
    }
    Faults faults = new Faults();
    Bounds.checkContent(document, "", faults);
    NamedCalendar read = new Reading(document, faults).read();
    // The size with all defaults, because a stored calendar is read in the same way.
    Bounds.checkSize(Json.write(read.document()), "", faults);
    if (!faults.none()) {
      throw new InvalidDocument(faults.found());
    }
    return read;
  }

  /** Reads one document. */
  private final class Reading {
    private final Faults faults;
    private final Fields fields;
    private final ObjectNode written = Json.object();

    Reading(JsonNode document, Faults faults) {
      this.faults = faults;
      this.fields = Fields.of(document, "", faults);
    }

    NamedCalendar read() {
      fields.allowOnly(List.of("description", "zone", "dates", "ranges", "weekly"));
      String description = fields.optionalText("description", DESCRIPTION);
      ZoneId given = fields.optionalZone("zone");
      ZoneId zone = given == null ? defaultZone : given;
      written.put("description", description == null ? "" : description).put("zone", zone.getId());
      Set<LocalDate> dates = dates();
      List<Range> ranges = ranges();
      List<WeeklyWindow> weekly = weekly();
      if (faults.none() && WeeklyWindow.coverTheWeek(weekly)) {
        faults.add("/weekly", "the windows cover the whole week; leave some time uncovered");
      }
      return new NamedCalendar(
          zone, Set.copyOf(dates), List.copyOf(ranges), List.copyOf(weekly), written);
    }

    private void each(String name, String what, BiConsumer<JsonNode, String> reading) {
      if (!fields.has(name)) {
        return;
      }
      JsonNode list = fields.get(name);
      if (!list.isArray() || list.size() > MOST_ENTRIES) {
        String found = list.isArray() ? ", not " + list.size() : "";
        fields.refuse(name, "give a list of at most " + MOST_ENTRIES + " " + what + found);
        return;
      }
      for (int index = 0; index < list.size(); index++) {
        reading.accept(list.get(index), fields.at(name) + "/" + index);
      }
    }

    private Set<LocalDate> dates() {
      Set<LocalDate> dates = new TreeSet<>();
      each(
          "dates",
          "dates",
          (value, pointer) -> {
            LocalDate date = date(value.isTextual() ? value.textValue() : "");
            if (date == null) {
              faults.add(
                  pointer,
                  Faults.shown(value) + " is not a date; give one like \"2030-12-25\", " + RANGE);
            } else {
              dates.add(date);
            }
          });
      ArrayNode canonical = written.putArray("dates");
      dates.forEach(date -> canonical.add(date.toString()));
      return dates;
    }

    private List<Range> ranges() {
      List<Range> ranges = new ArrayList<>();
      ArrayNode canonical = written.putArray("ranges");
      each(
          "ranges",
          "ranges",
          (value, pointer) -> {
            Fields range = Fields.of(value, pointer, faults);
            range.allowOnly(List.of("from", "to"));
            LocalDateTime from = boundary(range, "from", 0);
            LocalDateTime to = boundary(range, "to", 1);
            if (from != null && to != null && !from.isBefore(to)) {
              range.refuse("to", "it is not after \"from\"; give a later time");
            }
            if (from != null && to != null) {
              ranges.add(new Range(from, to));
              canonical
                  .addObject()
                  .put("from", range.get("from").asText())
                  .put("to", range.get("to").asText());
            }
          });
      return ranges;
    }

    /** A date means its start; as the end of a range it means the start of the next day. */
    private @Nullable LocalDateTime boundary(Fields range, String name, int days) {
      String text = range.get(name).isTextual() ? range.get(name).textValue() : "";
      LocalDate date = date(text);
      if (date != null) {
        return date.plusDays(days).atStartOfDay();
      }
      LocalDateTime local = localTime(text);
      if (local == null) {
        range.refuse(
            name,
            "give a date like \"2030-12-24\" or a local time of whole seconds like"
                + " \"2030-12-24T18:00\", "
                + RANGE);
      }
      return local;
    }

    private List<WeeklyWindow> weekly() {
      List<WeeklyWindow> windows = new ArrayList<>();
      ArrayNode canonical = written.putArray("weekly");
      each(
          "weekly",
          "windows",
          (value, pointer) -> {
            Fields window = Fields.of(value, pointer, faults);
            window.allowOnly(List.of("days", "from", "to"));
            Set<DayOfWeek> days = days(window);
            int from = second(window, "from", "00:00");
            int to = second(window, "to", "24:00");
            if (from == to) {
              window.refuse("to", "it equals \"from\", so the window is empty; give another time");
            } else if (from == WeeklyWindow.DAY) {
              window.refuse("from", "a window cannot open at the end of a day; give \"00:00\"");
            }
            windows.add(new WeeklyWindow(days, from, to));
            ObjectNode node = canonical.addObject();
            ArrayNode names = node.putArray("days");
            days.forEach(day -> names.add(name(day)));
            node.put("from", window.get("from").asText("00:00"))
                .put("to", window.get("to").asText("24:00"));
          });
      return windows;
    }

    private Set<DayOfWeek> days(Fields window) {
      Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
      if (!window.has("days")) {
        return EnumSet.allOf(DayOfWeek.class);
      }
      JsonNode list = window.get("days");
      if (!list.isArray() || list.isEmpty()) {
        window.refuse("days", "give a list of one or more of " + String.join(", ", DAYS));
        return EnumSet.of(DayOfWeek.MONDAY);
      }
      for (int index = 0; index < list.size(); index++) {
        int day = DAYS.indexOf(list.get(index).asText());
        if (day < 0) {
          faults.add(
              window.at("days") + "/" + index,
              Faults.shown(list.get(index))
                  + " is not a day; use one of "
                  + String.join(", ", DAYS));
        } else {
          days.add(DayOfWeek.of(day + 1));
        }
      }
      return days;
    }

    private int second(Fields window, String name, String usual) {
      String text = window.has(name) ? window.get(name).asText() : usual;
      if (!TIME.matcher(text).matches()) {
        window.refuse(name, "give a time of day like \"08:30\" or \"23:59:59\", at most \"24:00\"");
        return name.equals("from") ? 0 : 1;
      }
      String[] parts = text.split(":", -1);
      int seconds = parts.length == 3 ? Integer.parseInt(parts[2]) : 0;
      return Integer.parseInt(parts[0]) * 3_600 + Integer.parseInt(parts[1]) * 60 + seconds;
    }
  }

  private static String name(DayOfWeek day) {
    return day.name().substring(0, 3).toUpperCase(Locale.ROOT);
  }

  private static boolean isWithin(LocalDate date) {
    return !date.isBefore(FIRST) && !date.isAfter(LAST);
  }

  private static @Nullable LocalDate date(String text) {
    try {
      LocalDate date = LocalDate.parse(text);
      return isWithin(date) ? date : null;
    } catch (DateTimeException noDate) {
      return null;
    }
  }

  private static @Nullable LocalDateTime localTime(String text) {
    try {
      LocalDateTime local = LocalDateTime.parse(text);
      boolean whole = local.equals(local.truncatedTo(ChronoUnit.SECONDS));
      return whole && isWithin(local.toLocalDate()) ? local : null;
    } catch (DateTimeException noLocalTime) {
      return null;
    }
  }
}
