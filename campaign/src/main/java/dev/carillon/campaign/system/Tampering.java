package dev.carillon.campaign.system;

import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.JobId;
import dev.carillon.ingest.IngestQueue;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.launch.TargetQueues;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.InstantSource;
import java.util.List;

/**
 * Stands between one instance of a function and what it calls, so that a test can break the
 * protocol and see that the campaign finds it. As it is here it changes nothing.
 */
public interface Tampering {

  /** Changes nothing. */
  Tampering NONE = new Tampering() {};

  default Schedules schedules(Part part, Schedules real) {
    return real;
  }

  default Jobs jobs(Part part, Jobs real) {
    return real;
  }

  default Backfills backfills(Part part, Backfills real) {
    return real;
  }

  default Gates gates(Part part, Gates real) {
    return real;
  }

  default Calendars calendars(Part part, Calendars real) {
    return real;
  }

  default Apps apps(Part part, Apps real) {
    return real;
  }

  default Timers timers(Part part, Timers real) {
    return real;
  }

  default CheckQueue checks(Part part, CheckQueue real) {
    return real;
  }

  default IngestQueue ingest(Part part, IngestQueue real) {
    return real;
  }

  default TargetQueues targets(Part part, TargetQueues real) {
    return real;
  }

  default InstantSource clock(Part part, InstantSource real) {
    return real;
  }

  /** Told before the checker handles a batch. */
  default void beforeCheck(List<JobId> jobs) {}

  /** Whether messages are deleted before they are handled. */
  default boolean acknowledgesEarly() {
    return false;
  }

  /** Whether messages are deleted that were reported as failed. */
  default boolean acknowledgesFailures() {
    return false;
  }

  /** Whether a conditional write that was repeated knows its own first try. */
  default boolean recognisesOwnWrites() {
    return true;
  }
}
