package dev.carillon.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import java.time.Instant;

/** The jobs that one call retries or cancels; all given conditions must match. */
public final class JobSelection {

  private final ObjectNode body;

  private JobSelection(ObjectNode body) {
    this.body = body;
  }

  /** Jobs of a schedule, even if the schedule has been deleted. */
  public static JobSelection ofSchedule(String schedule) {
    return new JobSelection(Json.object().put("schedule", schedule));
  }

  /** Jobs of the schedules that launch a program. */
  public static JobSelection ofProgram(String program) {
    return new JobSelection(Json.object().put("program", program));
  }

  /** Jobs of a link. */
  public static JobSelection ofLink(String linkId) {
    return new JobSelection(Json.object().put("linkId", linkId));
  }

  /**
   * Jobs in this state. Without a state, a retry selects FAILED jobs, and a cancellation all
   * unfinished jobs.
   */
  public JobSelection withState(Job.State state) {
    return with("state", Known.sent(state, Job.State.UNRECOGNIZED, "/state").name());
  }

  /** Jobs scheduled for this instant or later. */
  public JobSelection from(Instant from) {
    return with("from", from.toString());
  }

  /** Jobs scheduled for an earlier instant. */
  public JobSelection to(Instant to) {
    return with("to", to.toString());
  }

  /** Only counts the selected jobs, without changing them. */
  public JobSelection dryRun() {
    return new JobSelection(body.deepCopy().put("dryRun", true));
  }

  private JobSelection with(String name, String value) {
    return new JobSelection(body.deepCopy().put(name, value));
  }

  ObjectNode body() {
    return body.deepCopy();
  }
}
