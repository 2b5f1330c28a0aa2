package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MOMENT;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondarySortKey;

import dev.carillon.gate.DemandCounts;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Period;
import dev.carillon.schedule.Periods;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.schedule.SuspendedBy;
import dev.carillon.time.Timestamps;
import java.util.Arrays;
import java.util.stream.Collectors;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A schedule's head as an item. A deleted schedule lacks {@code namespace} and {@code name}, the
 * keys of the index that lists schedules.
 */
final class HeadItem {

  static final String ITEM = "head";

  /** The index of the heads that are not deleted. */
  static final String INDEX = "namespace";

  static final String NAME = "name";
  static final String VERSION = "version";
  static final String PROGRAM = "program";
  static final String APP = "app";
  static final String LIMITS = "limits";

  static final String SCHEDULE = "schedule";
  static final TableSchema<ScheduleId> KEY = key(ITEM);

  private static final AttributeConverter<Periods> PERIODS =
      Forms.text(Periods.class, HeadItem::write, HeadItem::periods);

  private static final TableSchema<Life> LIFE =
      Schema.of(Life.class, LifeBuilder.class, LifeBuilder::builder, LifeBuilder::build)
          .with("generation", NUMBER, Life::generation, LifeBuilder::generation)
          .with("state", Forms.named(ScheduleState.class), Life::state, LifeBuilder::state)
          .with("activation", NUMBER, Life::activation, LifeBuilder::activation)
          .with(
              "minLiveActivation", NUMBER, Life::minLiveActivation, LifeBuilder::minLiveActivation)
          .optional(
              "heldSince",
              NUMBER,
              life -> Schema.unlessDefault(0L, life.heldSince()),
              LifeBuilder::heldSince)
          .with("periods", PERIODS, Life::periods, LifeBuilder::periods)
          .optional("suspendedUntil", MOMENT, Life::until, LifeBuilder::until)
          .build();

  private static final TableSchema<SuspendedBy> SUSPENDED_BY =
      Schema.of(
              SuspendedBy.class,
              SuspendedByBuilder.class,
              SuspendedByBuilder::builder,
              SuspendedByBuilder::build)
          .with("suspendedBy", TEXT, SuspendedBy::caller, SuspendedByBuilder::caller)
          .optional("suspensionReason", TEXT, SuspendedBy::reason, SuspendedByBuilder::reason)
          .with("suspendedAt", MOMENT, SuspendedBy::at, SuspendedByBuilder::at)
          .build();

  static final TableSchema<Head> SCHEMA =
      Schema.of(Head.class, HeadBuilder.class, HeadBuilder::builder, HeadBuilder::build)
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
          .with(VERSION, NUMBER, Head::version, HeadBuilder::version)
          .flat(LIFE, Head::life, HeadBuilder::life)
          .flat(SUSPENDED_BY, Head::suspendedBy, HeadBuilder::suspendedBy)
          .with(PROGRAM, TEXT, Head::program, HeadBuilder::program)
          .optional(APP, TEXT, Head::app, HeadBuilder::app)
          .optional(LIMITS, TEXT, Head::limits, HeadBuilder::limits)
          .build();

  private HeadItem() {}

  /** The key of one of a schedule's items. */
  static TableSchema<ScheduleId> key(String name) {
    return Schema.ofKey(
        ScheduleId.class,
        SCHEDULE,
        ScheduleId::toString,
        "item",
        id -> name,
        (schedule, item) -> ScheduleId.parse(schedule));
  }

  /**
   * Writes the first instant of each period. If the period is a suspension, its mode precedes the
   * instant. The text is short because DynamoDB counts write units by size.
   */
  private static String write(Periods periods) {
    return periods.all().stream().map(HeadItem::write).collect(Collectors.joining(","));
  }

  private static String write(Period period) {
    String from = Timestamps.shortText(period.from());
    return period.mode() == null ? from : period.mode().text() + ":" + from;
  }

  private static Periods periods(String text) {
    return new Periods(Arrays.stream(text.split(",", -1)).map(HeadItem::period).toList());
  }

  private static Period period(String text) {
    int colon = text.indexOf(':');
    SuspendMode mode = colon < 0 ? null : SuspendMode.of(text.substring(0, colon));
    return new Period(mode, Timestamps.ofShortText(text.substring(colon + 1)));
  }

  /**
   * The counts of an unreadable head at gates; none if its program or its limits cannot be read
   * either.
   */
  static DemandCounts demands(Item<Head> damaged) {
    AttributeValue program = damaged.attributes().get(PROGRAM);
    AttributeValue limits = damaged.attributes().get(LIMITS);
    return program == null || limits == null || program.s() == null
        ? DemandCounts.NONE
        : DemandCounts.of(damaged.as(KEY).record().namespace(), program.s(), limits.s());
  }
}
