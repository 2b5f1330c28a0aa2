package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MOMENT;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Schema.unless;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondarySortKey;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Pause;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import java.time.Instant;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * A schedule's head as an item. Only that of a schedule that is not deleted has {@code namespace}
 * and {@code name}, the keys of the index that lists schedules.
 */
final class HeadRow {

  static final String ITEM = "head";

  /** The index of those that are not deleted. */
  static final String INDEX = "namespace";

  static final String NAME = "name";
  static final String VERSION = "version";
  static final String PROGRAM = "program";

  static final TableSchema<ScheduleId> KEY = key(ITEM);

  private static final AttributeConverter<SuspendMode> MODE =
      Forms.text(SuspendMode.class, SuspendMode::text, SuspendMode::of);

  private static final AttributeConverter<List<Pause>> PAUSES =
      Forms.joined(",", Pause.class, HeadRow::write, HeadRow::pause);

  private static final TableSchema<Suspension> SUSPENSION =
      Schema.of(
              Suspension.class,
              HeadSuspensionBuilder.class,
              HeadSuspensionBuilder::builder,
              HeadSuspensionBuilder::build)
          .with("suspensionMode", MODE, Suspension::mode, HeadSuspensionBuilder::mode)
          .optional("suspensionReason", TEXT, Suspension::reason, HeadSuspensionBuilder::reason)
          .optional("suspendedUntil", MOMENT, Suspension::until, HeadSuspensionBuilder::until)
          .with("suspendedBy", TEXT, Suspension::by, HeadSuspensionBuilder::by)
          .with("suspendedAt", MOMENT, Suspension::at, HeadSuspensionBuilder::at)
          .build();

  static final TableSchema<Head> SCHEMA =
      Schema.of(
              Head.class,
              HeadBuilder.class,
              () -> HeadBuilder.builder().pauses(List.of()),
              HeadBuilder::build)
          .flat(KEY, Head::id, HeadBuilder::id)
          .written(
              INDEX,
              TEXT,
              head -> head.isDeleted() ? null : head.id().namespace(),
              secondaryPartitionKey(INDEX))
          .written(
              NAME,
              TEXT,
              head -> head.isDeleted() ? null : head.id().name(),
              secondarySortKey(INDEX))
          .with("generation", NUMBER, Head::generation, HeadBuilder::generation)
          .with("state", Forms.named(ScheduleState.class), Head::state, HeadBuilder::state)
          .with("activation", NUMBER, Head::activation, HeadBuilder::activation)
          .with("cancelBelow", NUMBER, Head::cancelBelow, HeadBuilder::cancelBelow)
          .with("activeSince", MOMENT, Head::activeSince, HeadBuilder::activeSince)
          .with(VERSION, NUMBER, Head::version, HeadBuilder::version)
          .flat(SUSPENSION, Head::suspension, HeadBuilder::suspension)
          .optional("pauses", PAUSES, it -> unless(List.of(), it.pauses()), HeadBuilder::pauses)
          .with(PROGRAM, TEXT, Head::program, HeadBuilder::program)
          .optional("app", TEXT, Head::app, HeadBuilder::app)
          .build();

  private HeadRow() {}

  /** The key of one of a schedule's own items. */
  static TableSchema<ScheduleId> key(String name) {
    return Schema.ofKey(
        ScheduleId.class,
        "schedule",
        ScheduleId::toString,
        "item",
        id -> name,
        (schedule, item) -> ScheduleId.parse(schedule));
  }

  /** As mode and milliseconds, as short as can be. */
  private static String write(Pause pause) {
    String times = pause.from().toEpochMilli() + ":" + pause.to().toEpochMilli();
    return pause.mode().text() + ":" + times;
  }

  private static Pause pause(String text) {
    String[] parts = text.split(":", -1);
    return new Pause(
        SuspendMode.of(parts[0]),
        Instant.ofEpochMilli(Long.parseLong(parts[1])),
        Instant.ofEpochMilli(Long.parseLong(parts[2])));
  }
}
