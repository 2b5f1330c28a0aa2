package dev.carillon.constraint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.GaugeWithin.Side;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the constraints of a schedule from their JSON form. Errors are added to the faults; the
 * result is valid only if there were none.
 */
public final class ConstraintReader {

  private static final List<String> TYPES =
      List.of("concurrency", "rate", "delay", "timeWindow", "sinceLastRun", "resource");
  private static final String AT_MOST = "atMost";
  private static final String AT_LEAST = "atLeast";
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(366);
  private static final String TIME = "give a time of the day like \"06:00\" or \"18:30:15\"";

  private final ZoneId zone;
  private final @Nullable Instant now;
  private final Faults faults;

  /**
   * @param zone the schedule's zone
   * @param now the instant after which the constraints must be able to hold; null for a stored
   *     document, which was validated earlier
   */
  public ConstraintReader(ZoneId zone, @Nullable Instant now, Faults faults) {
    this.zone = zone;
    this.now = now;
    this.faults = faults;
  }

  /** Reads the member {@code name} of a document; no constraints if it is absent. */
  public Constraints read(Fields document, String name) {
    JsonNode list = document.get(name);
    List<Constraint> read = new ArrayList<>();
    if (document.has(name) && (!list.isArray() || list.size() > Constraints.MOST)) {
      String found = list.isArray() ? ", not " + list.size() : "";
      document.refuse(name, "give a list of at most " + Constraints.MOST + " constraints" + found);
    } else {
      for (int index = 0; index < list.size(); index++) {
        Fields fields = Fields.of(list.get(index), document.at(name) + "/" + index, faults);
        read(fields).ifPresent(read::add);
      }
    }
    Constraints constraints = new Constraints(List.copyOf(read), zone);
    // A job that has passed its windows with "skip" can be launched by its time-out.
    boolean isLaunchedLate = document.get("timeout").path("action").asText().equals("launch");
    if (now != null && isSound(document, name) && !constraints.canHold(now, !isLaunchedLate)) {
      document.refuse(name, "the time windows are never open at the same time; widen one of them");
    }
    return constraints;
  }

  private static boolean isSound(Fields document, String name) {
    return !document.isRefused(name) && !document.isRefused("zone");
  }

  private Optional<Constraint> read(Fields fields) {
    return fields.choice("type", TYPES).map(type -> read(type, fields));
  }

  private Constraint read(String type, Fields fields) {
    return switch (type) {
      case "concurrency" -> concurrency(fields);
      case "rate" -> rate(fields);
      case "delay" -> delay(fields);
      case "timeWindow" -> timeWindow(fields);
      case "resource" -> resource(fields);
      default -> sinceLastRun(fields);
    };
  }

  private static Constraint concurrency(Fields fields) {
    fields.allowOnly(List.of("type", "max", "group", "onUnmet"));
    int max = (int) fields.whole("max", 1, Unfinished.MOST);
    Limit limit = new Unfinished(max, fields.optionalText("group", TextForm.NAME));
    return new GateConstraint(limit, onUnmet(fields));
  }

  private static Constraint rate(Fields fields) {
    fields.allowOnly(List.of("type", "max", "per", "group", "onUnmet"));
    Limit limit =
        new Launches(
            (int) fields.whole("max", 1, Launches.MOST),
            fields.duration("per", SHORTEST, LONGEST),
            fields.optionalText("group", TextForm.NAME));
    return new GateConstraint(limit, onUnmet(fields));
  }

  private static Constraint sinceLastRun(Fields fields) {
    fields.allowOnly(List.of("type", "duration", "onUnmet"));
    Limit limit = new SinceSuccess(fields.duration("duration", SHORTEST, LONGEST));
    return new GateConstraint(limit, onUnmet(fields));
  }

  private static Constraint resource(Fields fields) {
    fields.allowOnly(List.of("type", "name", AT_MOST, AT_LEAST, "ifUnknown", "onUnmet"));
    Side side = fields.has(AT_LEAST) ? Side.AT_LEAST : Side.AT_MOST;
    if (fields.has(AT_LEAST) == fields.has(AT_MOST) && !fields.isRefused(AT_LEAST)) {
      fields.refuse(AT_MOST, "give either \"atMost\" or \"atLeast\", the bound of the gauge");
    }
    String bound = side == Side.AT_MOST ? AT_MOST : AT_LEAST;
    String unknown = fields.choice("ifUnknown", List.of("wait", "allow"), "wait");
    Limit limit =
        new GaugeWithin(
            fields.text("name", TextForm.NAME),
            side,
            fields.has(bound) ? fields.decimal(bound, Gauge.MOST_DIGITS) : BigDecimal.ZERO,
            unknown.equals("allow"));
    return new GateConstraint(limit, onUnmet(fields));
  }

  private static Delay delay(Fields fields) {
    fields.allowOnly(List.of("type", "duration", "onUnmet"));
    if (onUnmet(fields) == OnUnmet.SKIP) {
      fields.refuse("onUnmet", "with \"skip\" the delay would skip every job; leave it out");
    }
    return new Delay(fields.duration("duration", SHORTEST, LONGEST));
  }

  private TimeWindow timeWindow(Fields fields) {
    fields.allowOnly(List.of("type", "from", "to", "zone", "days", "onUnmet"));
    int from = fields.parsed("from", ClockTime::parse, 0, TIME);
    int to =
        fields.parsed("to", ClockTime::parseEnd, TimeWindow.END_OF_DAY, TIME + ", or \"24:00\"");
    if (from == to && !fields.isRefused("from") && !fields.isRefused("to")) {
      fields.refuse(
          "to",
          "the window is never open, because \"to\" equals \"from\"; for whole days give \"00:00\""
              + " and \"24:00\"");
    }
    return new TimeWindow(from, to, fields.optionalZone("zone"), days(fields), onUnmet(fields));
  }

  private static OnUnmet onUnmet(Fields fields) {
    String word = fields.choice("onUnmet", List.of("wait", "skip"), "wait");
    return word.equals("skip") ? OnUnmet.SKIP : OnUnmet.WAIT;
  }

  private Set<DayOfWeek> days(Fields fields) {
    if (!fields.has("days")) {
      return Days.ALL;
    }
    String known = String.join(", ", Days.NAMES);
    JsonNode list = fields.get("days");
    if (!list.isArray() || list.isEmpty()) {
      fields.refuse("days", "give a list of one or more of " + known);
      return Days.ALL;
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (int index = 0; index < list.size(); index++) {
      JsonNode day = list.get(index);
      String pointer = fields.at("days") + "/" + index;
      if (!day.isTextual() || !Days.NAMES.contains(day.textValue())) {
        faults.add(pointer, Faults.shown(day) + " is not a day; use one of " + known);
      } else if (!days.add(Days.named(day.textValue()))) {
        faults.add(pointer, Faults.shown(day) + " is repeated; name each day once");
      }
    }
    return days.isEmpty() ? Days.ALL : Collections.unmodifiableSet(days);
  }
}
