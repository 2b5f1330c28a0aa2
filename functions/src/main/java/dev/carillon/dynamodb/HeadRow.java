package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.moment;
import static dev.carillon.dynamodb.Values.momentOf;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;
import static dev.carillon.dynamodb.Values.textOrNull;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Pause;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A schedule's head as an item. Only that of a schedule that is not deleted has {@code namespace}
 * and {@code name}, the keys of the index that lists schedules.
 */
final class HeadRow {

  static final String ITEM = "head";

  private static final String SCHEDULE = "schedule";
  private static final String GENERATION = "generation";
  private static final String STATE = "state";
  private static final String ACTIVATION = "activation";
  private static final String CANCEL_BELOW = "cancelBelow";
  private static final String ACTIVE_SINCE = "activeSince";
  private static final String VERSION = "version";
  private static final String SUSPENSION_MODE = "suspensionMode";
  private static final String SUSPENSION_REASON = "suspensionReason";
  private static final String SUSPENDED_UNTIL = "suspendedUntil";
  private static final String SUSPENDED_BY = "suspendedBy";
  private static final String SUSPENDED_AT = "suspendedAt";
  private static final String PAUSES = "pauses";
  private static final String PROGRAM = "program";
  private static final String APP = "app";

  private HeadRow() {}

  static Map<String, AttributeValue> of(Head head) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(SCHEDULE, text(head.id().toString()));
    item.put("item", text(ITEM));
    if (!head.isDeleted()) {
      item.put("namespace", text(head.id().namespace()));
      item.put("name", text(head.id().name()));
    }
    item.put(GENERATION, number(head.generation()));
    item.put(STATE, text(head.state().name()));
    item.put(ACTIVATION, number(head.activation()));
    item.put(CANCEL_BELOW, number(head.cancelBelow()));
    item.put(ACTIVE_SINCE, moment(head.activeSince()));
    item.put(VERSION, number(head.version()));
    if (head.suspension() != null) {
      put(item, head.suspension());
    }
    if (!head.pauses().isEmpty()) {
      item.put(PAUSES, text(write(head.pauses())));
    }
    item.put(PROGRAM, text(head.program()));
    putUnlessNull(item, APP, head.app());
    return item;
  }

  private static void put(Map<String, AttributeValue> item, Suspension suspension) {
    item.put(SUSPENSION_MODE, text(suspension.mode().text()));
    putUnlessNull(item, SUSPENSION_REASON, suspension.reason());
    if (suspension.until() != null) {
      item.put(SUSPENDED_UNTIL, moment(suspension.until()));
    }
    item.put(SUSPENDED_BY, text(suspension.by()));
    item.put(SUSPENDED_AT, moment(suspension.at()));
  }

  private static void putUnlessNull(
      Map<String, AttributeValue> item, String name, @Nullable String value) {
    if (value != null) {
      item.put(name, text(value));
    }
  }

  static Head read(Map<String, AttributeValue> item) {
    return new Head(
        ScheduleId.parse(textOf(item, SCHEDULE)),
        numberOf(item, GENERATION),
        ScheduleState.valueOf(textOf(item, STATE)),
        numberOf(item, ACTIVATION),
        numberOf(item, CANCEL_BELOW),
        momentOf(item, ACTIVE_SINCE),
        numberOf(item, VERSION),
        suspension(item),
        item.containsKey(PAUSES) ? pauses(textOf(item, PAUSES)) : List.of(),
        textOf(item, PROGRAM),
        textOrNull(item, APP));
  }

  private static @Nullable Suspension suspension(Map<String, AttributeValue> item) {
    String mode = textOrNull(item, SUSPENSION_MODE);
    return mode == null
        ? null
        : new Suspension(
            SuspendMode.of(mode),
            textOrNull(item, SUSPENSION_REASON),
            item.containsKey(SUSPENDED_UNTIL) ? momentOf(item, SUSPENDED_UNTIL) : null,
            textOf(item, SUSPENDED_BY),
            momentOf(item, SUSPENDED_AT));
  }

  /** Each as mode and milliseconds, as short as can be. */
  private static String write(List<Pause> pauses) {
    return pauses.stream()
        .map(
            pause ->
                "%s:%d:%d"
                    .formatted(
                        pause.mode().text(),
                        pause.from().toEpochMilli(),
                        pause.to().toEpochMilli()))
        .collect(Collectors.joining(","));
  }

  private static List<Pause> pauses(String text) {
    return Arrays.stream(text.split(",", -1)).map(HeadRow::pause).toList();
  }

  private static Pause pause(String text) {
    String[] parts = text.split(":", -1);
    return new Pause(
        SuspendMode.of(parts[0]),
        Instant.ofEpochMilli(Long.parseLong(parts[1])),
        Instant.ofEpochMilli(Long.parseLong(parts[2])));
  }
}
