package dev.carillon.campaign.system;

import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.check.CheckQueue;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.event.IngestQueue;
import dev.carillon.gate.Slots;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.StatusStore;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/**
 * Replaces the ports of a function instance, so that a test can break the protocol and check that
 * the campaign finds it. The defaults change nothing.
 */
public interface Tampering {

  /** Changes nothing. */
  Tampering NONE = new Tampering() {};

  default Schedules schedules(FunctionName function, Schedules real) {
    return real;
  }

  default Jobs jobs(FunctionName function, Jobs real) {
    return real;
  }

  default Backfills backfills(FunctionName function, Backfills real) {
    return real;
  }

  default Gates gates(FunctionName function, Gates real) {
    return real;
  }

  default Pools pools(FunctionName function, Pools real) {
    return real;
  }

  default Calendars calendars(FunctionName function, Calendars real) {
    return real;
  }

  default Apps apps(FunctionName function, Apps real) {
    return real;
  }

  default StatusStore status(FunctionName function, StatusStore real) {
    return real;
  }

  default Timers timers(FunctionName function, Timers real) {
    return real;
  }

  default CheckQueue checks(FunctionName function, CheckQueue real) {
    return real;
  }

  default IngestQueue ingest(FunctionName function, IngestQueue real) {
    return real;
  }

  default TargetQueues targets(FunctionName function, TargetQueues real) {
    return real;
  }

  default InstantSource clock(FunctionName function, InstantSource real) {
    return real;
  }

  /** The message or request as the function reads it. */
  default String received(FunctionName function, String body) {
    return body;
  }

  /** The deadline at which an invocation stops and sends its remaining work in messages. */
  default Deadline deadline(FunctionName function, Deadline real) {
    return real;
  }

  /**
   * The time from the moment when a gate lets a job through to the instant at which the gate counts
   * the launch.
   */
  default Duration sendingTime(Duration real) {
    return real;
  }

  /** The deduplication id with which a request is sent to a FIFO queue. */
  default String deduplicationId(LaunchRequest request) {
    return request.deduplicationId();
  }

  /** How many slots a gate's item takes; further slots have items of their own. */
  default int roomForSlots() {
    return Slots.ROOM;
  }

  /** Makes the checker handle a batch; returns the ids of the messages that failed. */
  default Set<String> check(CheckMessages messages, List<Message> batch, Deadline deadline) {
    return messages.handle(batch, deadline);
  }

  /** A row that a newer version has stored, as a function of this version reads it. */
  default Object ofNewerVersion(Object row) {
    return row;
  }

  /** Called before the checker handles a batch. */
  default void beforeCheck(List<JobId> jobs) {}

  /** Whether messages are deleted before they are handled. */
  default boolean acknowledgesEarly() {
    return false;
  }

  /** Whether messages that were reported as failed are deleted. */
  default boolean acknowledgesFailures() {
    return false;
  }

  /** Whether a client that repeats a conditional write recognizes its own first write. */
  default boolean recognisesOwnWrites() {
    return true;
  }
}
