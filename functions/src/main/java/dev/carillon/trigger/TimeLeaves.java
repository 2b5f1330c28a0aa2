package dev.carillon.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.InvalidDocument;
import dev.carillon.id.ScheduleId;
import dev.carillon.time.AtTimes;
import dev.carillon.time.CronTimes;
import dev.carillon.time.FireTimes;
import dev.carillon.time.RateTimes;
import dev.carillon.time.ShiftedTimes;
import dev.carillon.trigger.Trigger.At;
import dev.carillon.trigger.Trigger.Cron;
import dev.carillon.trigger.Trigger.Rate;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/** Computes when the time leaves of triggers fire. */
public final class TimeLeaves {

  private TimeLeaves() {}

  /**
   * @param id the schedule; its name determines the offset of its fires if the trigger spreads
   *     fires
   * @param scheduleZone the zone of a cron that names none
   * @param generationSince the anchor of a rate that names none
   * @throws IllegalArgumentException if the leaf is a cron that cannot be read; the message says
   *     why
   */
  public static FireTimes fireTimes(
      TimeLeaf leaf, ScheduleId id, ZoneId scheduleZone, Instant generationSince) {
    return ofResolved(resolved(leaf, scheduleZone, generationSince), id);
  }

  /**
   * Whether the leaf fires forever. This is decided without a search, so some endless leaves are
   * not recognised.
   */
  public static boolean isEndless(TimeLeaf leaf) {
    return leaf instanceof Rate
        || (leaf instanceof Cron cron && !CronTimes.namesYears(cron.expression(), cron.dialect()));
  }

  /** The leaf as JSON, complete with its zone or anchor. */
  public static ObjectNode timerDocument(
      TimeLeaf leaf, ZoneId scheduleZone, Instant generationSince) {
    return TriggerWriter.write(resolved(leaf, scheduleZone, generationSince));
  }

  /** The fires of a document that {@link #timerDocument} wrote for this schedule. */
  public static FireTimes ofTimerDocument(ScheduleId id, ObjectNode document) {
    Faults faults = new Faults();
    Trigger leaf = new TriggerReader(id, ZoneOffset.UTC, null, faults).read(document, "");
    if (!faults.none() || !(leaf instanceof TimeLeaf time)) {
      throw new IllegalStateException(
          "a stored timer is damaged", new InvalidDocument(faults.found()));
    }
    return ofResolved(time, id);
  }

  private static TimeLeaf resolved(TimeLeaf leaf, ZoneId scheduleZone, Instant generationSince) {
    if (leaf instanceof Cron cron && cron.zone() == null) {
      return new Cron(
          cron.expression(), cron.dialect(), scheduleZone, cron.dst(), cron.adjustment());
    }
    if (leaf instanceof Rate rate && rate.anchor() == null) {
      Instant anchor = generationSince.truncatedTo(ChronoUnit.MILLIS);
      return new Rate(rate.every(), anchor, rate.adjustment());
    }
    return leaf;
  }

  private static FireTimes ofResolved(TimeLeaf leaf, ScheduleId id) {
    Duration flexible = leaf.adjustment().flexible();
    return flexible.isZero()
        ? nominal(leaf)
        : new ShiftedTimes(nominal(leaf), Flexible.offset(id, flexible));
  }

  private static FireTimes nominal(TimeLeaf leaf) {
    if (leaf instanceof Cron cron) {
      ZoneId zone = Objects.requireNonNull(cron.zone());
      return CronTimes.parse(cron.expression(), cron.dialect(), zone, cron.dst());
    }
    if (leaf instanceof Rate rate) {
      return new RateTimes(rate.every(), Objects.requireNonNull(rate.anchor()));
    }
    return new AtTimes(((At) leaf).time());
  }
}
