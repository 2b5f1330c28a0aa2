package dev.carillon.client.schedule;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The condition for a launch. {@link #and} and {@link #or} combine triggers. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Trigger.Cron.class, name = "cron"),
  @JsonSubTypes.Type(value = Trigger.Rate.class, name = "rate"),
  @JsonSubTypes.Type(value = Trigger.At.class, name = "at"),
  @JsonSubTypes.Type(value = Trigger.Partition.class, name = "partition"),
  @JsonSubTypes.Type(value = Trigger.Size.class, name = "size"),
  @JsonSubTypes.Type(value = Trigger.ProgramStatus.class, name = "programStatus"),
  @JsonSubTypes.Type(value = Trigger.AnyEvent.class, name = "event"),
  @JsonSubTypes.Type(value = Trigger.Elapsed.class, name = "elapsed"),
  @JsonSubTypes.Type(value = Trigger.Quiet.class, name = "quiet"),
  @JsonSubTypes.Type(value = Trigger.Manual.class, name = "manual"),
  @JsonSubTypes.Type(value = Trigger.And.class, name = "and"),
  @JsonSubTypes.Type(value = Trigger.Or.class, name = "or")
})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public sealed interface Trigger {

  /** Fires according to a Quartz expression (6 or 7 fields), in the schedule's zone. */
  static Cron cron(String expression) {
    return new Cron(expression, null, Dialect.QUARTZ, null, List.of(), null);
  }

  /** Fires at anchor + k·every. The anchor is the instant at which the document was stored. */
  static Rate every(Duration every) {
    return new Rate(every, null, List.of(), null);
  }

  /** Fires once. */
  static At at(Instant time) {
    return new At(time.toString(), null);
  }

  /**
   * Fires once, at a local time. A time in a gap of the clock means the first instant after the
   * gap.
   */
  static At at(LocalDateTime time, ZoneId zone) {
    return new At(time.toString(), zone);
  }

  /** Satisfied when {@code count} partitions of a data set were announced. */
  static Partition partition(String dataset, long count) {
    return new Partition(dataset, count);
  }

  /** Satisfied when that many bytes of a stream were announced. */
  static Size size(String stream, long bytes) {
    return new Size(stream, bytes);
  }

  /** Satisfied when a program reported one of these statuses. */
  static ProgramStatus programStatus(String program, Status first, Status... others) {
    return new ProgramStatus(program, EnumSet.of(first, others), 1);
  }

  /**
   * Satisfied when an event with this key arrived.
   *
   * @param key the part after {@code event:}, like {@code orders} or {@code aws.s3:Object Created}
   */
  static AnyEvent event(String key) {
    return new AnyEvent(key, 1, null);
  }

  /**
   * Fires when this time has passed since the schedule's last launch. Before the first launch, the
   * time counts from the beginning of the schedule.
   */
  static Elapsed elapsedSinceLastLaunch(Duration duration) {
    return new Elapsed(null, duration);
  }

  /**
   * Fires when this time has passed since the last event that {@code since} names.
   *
   * @param since a trigger that names events
   */
  static Elapsed elapsedSince(Trigger since, Duration duration) {
    return new Elapsed(since, duration);
  }

  /**
   * Satisfied when an event that {@code of} names has arrived, and none has followed for {@code
   * period}.
   *
   * @param of a trigger that names events
   */
  static Quiet quiet(Trigger of, Duration period) {
    return new Quiet(of, period, null);
  }

  /** Launches only manually. */
  static Manual manual() {
    return new Manual();
  }

  /** Satisfied when all of the triggers are satisfied. */
  static And and(Trigger... triggers) {
    return new And(List.of(triggers));
  }

  /** Satisfied when any of the triggers is satisfied. */
  static Or or(Trigger... triggers) {
    return new Or(List.of(triggers));
  }

  /** The dialects of cron expressions. */
  enum Dialect {
    /** 6 or 7 fields, beginning with seconds; exactly one of the day fields is {@code ?}. */
    @JsonProperty("quartz")
    QUARTZ,
    /** 5 fields; 0 and 7 are Sunday. */
    @JsonProperty("unix")
    UNIX,
    /** EventBridge's 6 fields. */
    @JsonProperty("aws")
    AWS
  }

  /** The statuses of a program. */
  enum Status {
    STARTED,
    SUCCEEDED,
    FAILED,
    CANCELLED
  }

  /**
   * The effect of clock changes on fires.
   *
   * @param gap the rule for fires whose local time does not exist; null for the default
   * @param overlap the rule for fires whose local time exists twice; null for the default
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Dst(@Nullable Gap gap, @Nullable Overlap overlap) {

    /** The rules for fires whose local time does not exist. */
    public enum Gap {
      /** These times fire at the first instant after the gap. */
      @JsonProperty("shift")
      SHIFT,
      /** These times do not fire. */
      @JsonProperty("skip")
      SKIP
    }

    /** The rules for fires whose local time exists twice. */
    public enum Overlap {
      /** Such a time fires at the first of its two instants. */
      @JsonProperty("first")
      FIRST,
      /** Such a time fires at the second of its two instants. */
      @JsonProperty("second")
      SECOND,
      /** Such a time fires at both instants. */
      @JsonProperty("both")
      BOTH
    }
  }

  /**
   * @param zone null for the zone of the schedule
   * @param dst null for the default rules
   * @param exclude the names of calendars that exclude fires
   * @param flexible the time over which the fires of many schedules are spread; null for none
   */
  record Cron(
      String expression,
      @Nullable ZoneId zone,
      Dialect dialect,
      @Nullable Dst dst,
      List<String> exclude,
      @Nullable Duration flexible)
      implements Trigger {

    /** Applies the defaults. */
    public Cron {
      dialect = dialect == null ? Dialect.QUARTZ : dialect;
      exclude = exclude == null ? List.of() : List.copyOf(exclude);
    }

    public Cron withZone(ZoneId zone) {
      return new Cron(expression, zone, dialect, dst, exclude, flexible);
    }

    public Cron withDialect(Dialect dialect) {
      return new Cron(expression, zone, dialect, dst, exclude, flexible);
    }

    public Cron withDst(Dst dst) {
      return new Cron(expression, zone, dialect, dst, exclude, flexible);
    }

    public Cron excluding(String... calendars) {
      return new Cron(expression, zone, dialect, dst, List.of(calendars), flexible);
    }

    public Cron flexible(Duration flexible) {
      return new Cron(expression, zone, dialect, dst, exclude, flexible);
    }
  }

  /**
   * @param every at least a second
   * @param anchor null for the instant at which the document was stored
   * @param exclude the names of calendars that exclude fires
   * @param flexible the time over which the fires of many schedules are spread; null for none
   */
  record Rate(
      Duration every, @Nullable Instant anchor, List<String> exclude, @Nullable Duration flexible)
      implements Trigger {

    /** Applies the defaults. */
    public Rate {
      exclude = exclude == null ? List.of() : List.copyOf(exclude);
    }

    public Rate withAnchor(Instant anchor) {
      return new Rate(every, anchor, exclude, flexible);
    }

    public Rate excluding(String... calendars) {
      return new Rate(every, anchor, List.of(calendars), flexible);
    }

    public Rate flexible(Duration flexible) {
      return new Rate(every, anchor, exclude, flexible);
    }
  }

  /**
   * @param time an instant, or a local date and time
   * @param zone the zone of a local time; null for the zone of the schedule
   */
  record At(String time, @Nullable ZoneId zone) implements Trigger {}

  /** Partitions of a data set. */
  record Partition(String dataset, long count) implements Trigger {

    public Partition {
      Counts.check(count);
    }

    @JsonCreator
    static Partition read(
        @JsonProperty("dataset") String dataset, @JsonProperty("count") @Nullable Long count) {
      return new Partition(dataset, Counts.orOne(count));
    }
  }

  /** Bytes of a stream. */
  record Size(String stream, long bytes) implements Trigger {

    public Size {
      Counts.check(bytes);
    }
  }

  /**
   * @param program a program name, or {@code namespace/program} of the schedule's own namespace
   */
  record ProgramStatus(String program, Set<Status> statuses, long count) implements Trigger {

    /** Sorts the statuses. */
    public ProgramStatus {
      statuses = Counts.inOrder(statuses);
      Counts.check(count);
    }

    public ProgramStatus times(long count) {
      return new ProgramStatus(program, statuses, count);
    }

    @JsonCreator
    static ProgramStatus read(
        @JsonProperty("program") String program,
        @JsonProperty("statuses") Set<Status> statuses,
        @JsonProperty("count") @Nullable Long count) {
      return new ProgramStatus(program, statuses, Counts.orOne(count));
    }
  }

  /**
   * @param filter an EventBridge event pattern over the payload; null for every event
   */
  record AnyEvent(String key, long count, @Nullable JsonNode filter) implements Trigger {

    public AnyEvent {
      Counts.check(count);
    }

    public AnyEvent times(long count) {
      return new AnyEvent(key, count, filter);
    }

    public AnyEvent matching(JsonNode filter) {
      return new AnyEvent(key, count, filter);
    }

    @JsonCreator
    static AnyEvent read(
        @JsonProperty("key") String key,
        @JsonProperty("count") @Nullable Long count,
        @JsonProperty("filter") @Nullable JsonNode filter) {
      return new AnyEvent(
          key, Counts.orOne(count), filter == null || filter.isNull() ? null : filter);
    }
  }

  /**
   * @param since a trigger that names events; null for the schedule's last launch
   */
  record Elapsed(
      @JsonSerialize(nullsUsing = LastLaunch.Writer.class)
          @JsonDeserialize(using = LastLaunch.Reader.class)
          @JsonInclude(JsonInclude.Include.ALWAYS)
          @Nullable Trigger since,
      Duration duration)
      implements Trigger {}

  /**
   * @param of a trigger that names events
   * @param atMost the time since the first event after which the trigger is satisfied, even if
   *     events keep arriving; null for no bound
   */
  record Quiet(Trigger of, Duration period, @Nullable Duration atMost) implements Trigger {

    public Quiet atMost(Duration atMost) {
      return new Quiet(of, period, atMost);
    }
  }

  /** No trigger: only manual launches. */
  record Manual() implements Trigger {}

  /** All triggers must be satisfied. */
  record And(List<Trigger> triggers) implements Trigger {

    public And {
      triggers = List.copyOf(triggers);
    }
  }

  /** Any trigger must be satisfied. */
  record Or(List<Trigger> triggers) implements Trigger {

    public Or {
      triggers = List.copyOf(triggers);
    }
  }
}
