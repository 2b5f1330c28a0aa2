package dev.carillon.dynamodb;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs.Held;
import java.util.Locale;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/** A job that is held back as an item that is all key: {@code held#activation#job}. */
final class HeldRow {

  /** What no key is below. */
  static final String FIRST = "held#";

  static final TableSchema<Held> SCHEMA =
      Schema.ofKey(
          Held.class,
          JobRow.SCHEDULE,
          held -> held.job().schedule().toString(),
          JobRow.ITEM,
          held -> endBelow(held.activation()) + held.job().sortKey(),
          HeldRow::read);

  private HeldRow() {}

  /** What the keys of all are below that were held back under smaller activations. */
  static String endBelow(long activation) {
    return String.format(Locale.ROOT, "%s%015d#", FIRST, activation);
  }

  private static Held read(String schedule, String item) {
    String[] parts = item.split("#", 3);
    return new Held(JobRow.id(ScheduleId.parse(schedule), parts[2]), Long.parseLong(parts[1]));
  }
}
