package dev.carillon.dynamodb;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs.SuspendedJob;
import java.util.Locale;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/** A held job as an item that consists only of its key: {@code held#activation#job}. */
final class HeldItem {

  /** The lower bound of all keys. */
  static final String FIRST = "held#";

  static final TableSchema<SuspendedJob> SCHEMA =
      Schema.ofKey(
          SuspendedJob.class,
          JobItem.SCHEDULE,
          held -> held.job().schedule().toString(),
          JobItem.ITEM,
          held -> endBelow(held.activation()) + held.job().sortKey(),
          HeldItem::read);

  private HeldItem() {}

  /** The upper bound of the keys of jobs that were held under smaller activations. */
  static String endBelow(long activation) {
    return String.format(Locale.ROOT, "%s%015d#", FIRST, activation);
  }

  private static SuspendedJob read(String schedule, String item) {
    String[] parts = item.split("#", 3);
    return new SuspendedJob(
        JobItem.id(ScheduleId.parse(schedule), parts[2]), Long.parseLong(parts[1]));
  }
}
