package dev.carillon.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of one submitted JSON object. Adds a fault for each invalid member and returns
 * a valid placeholder, so that reading continues and finds every fault. The result must be used
 * only if there are no faults. A member that is null counts as absent. A misspelt member gets one
 * fault, under the name that the document gives.
 */
public final class Fields {

  private static final int LONGEST_ISO = 64;
  private static final Pattern CALENDAR_UNITS = Pattern.compile("(?i)[+-]?P[^TYMW]*[YMW].*");

  private final JsonNode object;
  private final String pointer;
  private final Faults faults;
  private final Set<String> misspelt = new HashSet<>();

  private Fields(JsonNode object, String pointer, Faults faults) {
    this.object = object;
    this.pointer = pointer;
    this.faults = faults;
  }

  /**
   * The members of a value. If the value is not an object, adds one fault and treats all members as
   * absent.
   */
  public static Fields of(JsonNode value, String pointer, Faults faults) {
    if (value.isObject()) {
      return new Fields(value, pointer, faults);
    }
    faults.add(pointer, Faults.shown(value) + " is not an object; give {…}");
    return new Fields(Json.object(), pointer, new Faults());
  }

  /**
   * The fault of a document that is the whole answer of a GET; null if it is not such an answer.
   * Only one member of the answer can be sent back, and no other fault of the document matters.
   */
  public static @Nullable Fault wholeAnswer(JsonNode document, String member) {
    boolean isAnswer = document.path(member).isObject() && document.has("namespace");
    return isAnswer
        ? new Fault(
            Faults.member("", member),
            "the document is the whole answer of a GET; send only its member \"" + member + "\"")
        : null;
  }

  /** The members of an object within this one; no members if it is absent. */
  public Fields object(String name) {
    return of(has(name) ? get(name) : Json.object(), at(name), faults);
  }

  /** The members of a required object within this one. */
  public Fields requiredObject(String name) {
    if (!has(name)) {
      refuse(name, "give an object {…}");
      return new Fields(Json.object(), at(name), new Faults());
    }
    return object(name);
  }

  public boolean has(String name) {
    return !get(name).isMissingNode();
  }

  /** The value of a member; a missing node if it is absent. */
  public JsonNode get(String name) {
    JsonNode value = object.path(name);
    return value.isNull() ? MissingNode.getInstance() : value;
  }

  /** The names of all members, including those that are null. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** The JSON pointer of a member. */
  public String at(String name) {
    return Faults.member(pointer, name);
  }

  /**
   * Whether the value returned for a member is a placeholder, so that other values cannot be
   * validated against it.
   */
  public boolean isRefused(String name) {
    return misspelt.contains(name) || faults.existAt(at(name));
  }

  /** Adds a fault that names a member and its value, followed by {@code remedy}. */
  public void refuse(String name, String remedy) {
    if (!has(name) && misspelt.contains(name)) {
      return;
    }
    String value = has(name) ? "is " + Faults.shown(get(name)) : "is missing";
    faults.add(at(name), Faults.quoted(name) + " " + value + "; " + remedy);
  }

  /** Adds faults within a member. Their pointers are relative to it. */
  public void include(String name, List<Fault> within) {
    within.forEach(fault -> faults.add(at(name) + fault.pointer(), fault.detail()));
  }

  /** Refuses all other members. */
  public void allowOnly(Collection<String> known) {
    for (String name : names()) {
      if (!known.contains(name)) {
        Optional<String> near = Nearest.to(name, known);
        near.ifPresent(misspelt::add);
        String remedy = near.map(Fields::didYouMean).orElseGet(() -> knownFields(known));
        faults.add(at(name), Faults.quoted(name) + " is an unknown field; " + remedy);
      }
    }
  }

  private static String knownFields(Collection<String> known) {
    return known.isEmpty()
        ? "no fields are allowed here; remove it"
        : "the known fields are " + listed(known);
  }

  private static String listed(Collection<String> words) {
    return words.stream().map(Faults::quoted).collect(Collectors.joining(", "));
  }

  /** A required text. */
  public String text(String name, TextForm form) {
    JsonNode value = get(name);
    if (value.isTextual() && form.fits(value.textValue())) {
      return value.textValue();
    }
    refuse(name, form.remedy());
    return "";
  }

  /** An optional text; null if it is absent. */
  public @Nullable String optionalText(String name, TextForm form) {
    return has(name) ? text(name, form) : null;
  }

  /** A required whole number. */
  public long whole(String name, long least, long most) {
    return whole(name, least, most, "give a whole number from " + least + " to " + most);
  }

  /** A required whole number, with the remedy for any other value. */
  public long whole(String name, long least, long most, String remedy) {
    JsonNode value = get(name);
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      long number = value.longValue();
      if (least <= number && number <= most) {
        return number;
      }
    }
    refuse(name, remedy);
    return least;
  }

  public long whole(String name, long least, long most, long fallback) {
    return has(name) ? whole(name, least, most) : fallback;
  }

  /** A required number with a limited number of digits before and after its decimal point. */
  public BigDecimal decimal(String name, int mostDigits) {
    if (get(name).isNumber()) {
      BigDecimal given = get(name).decimalValue();
      boolean isShort = (long) given.precision() - given.scale() <= mostDigits;
      BigDecimal number = isShort ? given.stripTrailingZeros() : BigDecimal.ZERO;
      if (isShort && number.scale() <= mostDigits) {
        return number.scale() < 0 ? number.setScale(0) : number;
      }
    }
    refuse(
        name,
        "give a number like 3 or 0.75, with at most %d digits before and after the decimal point"
            .formatted(mostDigits));
    return BigDecimal.ZERO;
  }

  /** One of the available words. */
  public Optional<String> choice(String name, List<String> available) {
    String given = get(name).isTextual() ? get(name).textValue() : "";
    if (available.contains(given)) {
      return Optional.of(given);
    }
    String remedy = "use " + (available.size() == 1 ? "" : "one of ") + listed(available);
    refuse(name, Nearest.to(given, available).map(Fields::didYouMean).orElse(remedy));
    return Optional.empty();
  }

  static String didYouMean(String near) {
    return "did you mean \"" + near + "\"?";
  }

  public String choice(String name, List<String> available, String fallback) {
    return has(name) ? choice(name, available).orElse(fallback) : fallback;
  }

  /** A required duration in whole milliseconds. */
  public Duration duration(String name, Duration least, Duration most) {
    String given = get(name).asText();
    boolean hasCalendarUnits =
        given.length() <= LONGEST_ISO && CALENDAR_UNITS.matcher(given).matches();
    String remedy =
        hasCalendarUnits
            ? "weeks, months and years are not supported; give days or smaller units, like \"P7D\""
            : "give an ISO-8601 duration of whole milliseconds from %s to %s, like \"PT5M\" or \"P1D\""
                .formatted(text(least), text(most));
    return parsed(name, text -> within(Duration.parse(text), least, most), least, remedy);
  }

  /** The duration in days if it is a whole number of days. */
  private static String text(Duration bound) {
    boolean isWholeDays = !bound.isZero() && bound.equals(Duration.ofDays(bound.toDays()));
    return isWholeDays ? "P" + bound.toDays() + "D" : bound.toString();
  }

  private static Duration within(Duration duration, Duration least, Duration most) {
    boolean fits = duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0;
    if (!fits || !duration.equals(duration.truncatedTo(ChronoUnit.MILLIS))) {
      throw new DateTimeException("out of bounds");
    }
    return duration;
  }

  /** An optional instant in the {@link InstantRange}; null if it is absent. */
  public @Nullable Instant optionalInstant(String name) {
    if (!has(name)) {
      return null;
    }
    String remedy =
        "give an ISO-8601 instant of whole milliseconds like \"2030-01-31T08:00:00Z\", "
            + InstantRange.TEXT;
    return parsed(name, text -> InstantRange.bounded(Instant.parse(text)), Instant.EPOCH, remedy);
  }

  /** An optional time zone; null if it is absent. */
  public @Nullable ZoneId optionalZone(String name) {
    if (!has(name)) {
      return null;
    }
    String given = get(name).isTextual() ? get(name).textValue() : "";
    try {
      return ZoneId.of(given);
    } catch (DateTimeException unknown) {
      refuse(name, Zones.remedy(given));
      return ZoneId.of("UTC");
    }
  }

  /** A required text that {@code parse} accepts. */
  public <T> T parsed(String name, Function<String, T> parse, T fallback, String remedy) {
    JsonNode value = get(name);
    if (value.isTextual() && value.textValue().length() <= LONGEST_ISO) {
      try {
        return parse.apply(value.textValue());
      } catch (DateTimeException | ArithmeticException invalid) {
        refuse(name, remedy);
        return fallback;
      }
    }
    refuse(name, remedy);
    return fallback;
  }
}
