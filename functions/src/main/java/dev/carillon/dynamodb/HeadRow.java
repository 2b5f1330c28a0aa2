package dev.carillon.dynamodb;

import static java.util.Objects.requireNonNull;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;

import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.ScheduleState;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;

/**
 * A schedule's head as an item. Only that of a schedule that is not deleted has {@code namespace}
 * and {@code name}, the keys of the index that lists schedules.
 */
final class HeadRow {

  static final String ITEM = "head";

  static final TableSchema<Head> SCHEMA = schema();

  private @Nullable ScheduleId id;
  private long generation;
  private @Nullable ScheduleState state;
  private long activation;
  private long cancelBelow;
  private @Nullable Instant activeSince;
  private long version;
  private @Nullable String suspensionMode;
  private @Nullable String suspensionReason;
  private @Nullable String suspendedBy;
  private @Nullable Instant suspendedAt;
  private @Nullable String program;
  private @Nullable String app;

  private Head build() {
    return new Head(
        requireNonNull(id),
        generation,
        requireNonNull(state),
        activation,
        cancelBelow,
        requireNonNull(activeSince),
        version,
        suspension(),
        requireNonNull(program),
        app);
  }

  private @Nullable Suspension suspension() {
    return suspensionMode == null
        ? null
        : new Suspension(
            suspensionMode,
            suspensionReason,
            requireNonNull(suspendedBy),
            requireNonNull(suspendedAt));
  }

  private static <T> Function<Head, @Nullable T> ofSuspension(
      Function<Suspension, @Nullable T> part) {
    return head -> head.suspension() == null ? null : part.apply(head.suspension());
  }

  private static Function<Head, @Nullable String> whileListed(Function<ScheduleId, String> part) {
    return head -> head.isDeleted() ? null : part.apply(head.id());
  }

  private static TableSchema<Head> schema() {
    StaticImmutableTableSchema.Builder<Head, HeadRow> schema =
        StaticImmutableTableSchema.builder(Head.class, HeadRow.class)
            .newItemBuilder(HeadRow::new, HeadRow::build);
    schema.addAttribute(
        String.class,
        a ->
            a.name("schedule")
                .getter(head -> head.id().toString())
                .setter((row, it) -> row.id = ScheduleId.parse(it))
                .tags(primaryPartitionKey()));
    schema.addAttribute(
        String.class,
        a -> a.name("item").getter(head -> ITEM).setter((row, it) -> {}).tags(primarySortKey()));
    schema.addAttribute(
        String.class,
        a ->
            a.name("namespace").getter(whileListed(ScheduleId::namespace)).setter((row, it) -> {}));
    schema.addAttribute(
        String.class,
        a -> a.name("name").getter(whileListed(ScheduleId::name)).setter((row, it) -> {}));
    schema.addAttribute(
        Long.class,
        a ->
            a.name("generation").getter(Head::generation).setter((row, it) -> row.generation = it));
    schema.addAttribute(
        String.class,
        a ->
            a.name("state")
                .getter(head -> head.state().name())
                .setter((row, it) -> row.state = ScheduleState.valueOf(it)));
    schema.addAttribute(
        Long.class,
        a ->
            a.name("activation").getter(Head::activation).setter((row, it) -> row.activation = it));
    schema.addAttribute(
        Long.class,
        a ->
            a.name("cancelBelow")
                .getter(Head::cancelBelow)
                .setter((row, it) -> row.cancelBelow = it));
    schema.addAttribute(
        Instant.class,
        a ->
            a.name("activeSince")
                .getter(Head::activeSince)
                .setter((row, it) -> row.activeSince = it));
    schema.addAttribute(
        Long.class,
        a -> a.name("version").getter(Head::version).setter((row, it) -> row.version = it));
    schema.addAttribute(
        String.class,
        a ->
            a.name("suspensionMode")
                .getter(ofSuspension(Suspension::mode))
                .setter((row, it) -> row.suspensionMode = it));
    schema.addAttribute(
        String.class,
        a ->
            a.name("suspensionReason")
                .getter(ofSuspension(Suspension::reason))
                .setter((row, it) -> row.suspensionReason = it));
    schema.addAttribute(
        String.class,
        a ->
            a.name("suspendedBy")
                .getter(ofSuspension(Suspension::by))
                .setter((row, it) -> row.suspendedBy = it));
    schema.addAttribute(
        Instant.class,
        a ->
            a.name("suspendedAt")
                .getter(ofSuspension(Suspension::at))
                .setter((row, it) -> row.suspendedAt = it));
    schema.addAttribute(
        String.class,
        a -> a.name("program").getter(Head::program).setter((row, it) -> row.program = it));
    schema.addAttribute(
        String.class, a -> a.name("app").getter(Head::app).setter((row, it) -> row.app = it));
    return schema.build();
  }
}
