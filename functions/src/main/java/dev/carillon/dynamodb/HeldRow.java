package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs.Held;
import java.util.Locale;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A job that is held back as an item that is all key: {@code held#activation#job}. */
final class HeldRow {

  private static final String PREFIX = "held#";

  private HeldRow() {}

  static Map<String, AttributeValue> of(Held held) {
    return Map.of(
        JobRow.SCHEDULE,
        text(held.job().schedule().toString()),
        JobRow.ITEM,
        text(prefix(held.activation()) + held.job().sortKey()));
  }

  /** What the keys of all are below that were held back under smaller activations. */
  static AttributeValue endBelow(long activation) {
    return text(prefix(activation));
  }

  /** What no key is below. */
  static AttributeValue first() {
    return text(PREFIX);
  }

  private static String prefix(long activation) {
    return String.format(Locale.ROOT, "%s%015d#", PREFIX, activation);
  }

  static Held read(Map<String, AttributeValue> item) {
    String[] parts = textOf(item, JobRow.ITEM).split("#", 3);
    ScheduleId schedule = ScheduleId.parse(textOf(item, JobRow.SCHEDULE));
    return new Held(JobRow.id(schedule, parts[2]), Long.parseLong(parts[1]));
  }
}
