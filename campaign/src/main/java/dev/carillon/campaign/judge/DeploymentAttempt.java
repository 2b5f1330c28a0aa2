package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Mode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a user to change the app.
 *
 * @param number identifies the intended change; a repeated attempt has the same number as the first
 *     attempt
 * @param documents the documents by schedule name. For PRUNE: the schedules whose programs stay.
 *     For PROGRAM: the schedule whose program is deleted. For SUSPEND and RESUME: the schedule
 *     concerned
 * @param mode the mode of a SUSPEND
 * @param called when it was first called
 * @param ended when it was answered, or ended without an answer
 */
public record DeploymentAttempt(
    int number,
    Action action,
    Map<String, ScheduleSpec> documents,
    @Nullable Mode mode,
    long called,
    long ended,
    Answer answer) {

  /** The changes of an app and its schedules. */
  public enum Action {
    /** Deploys the documents as the schedules of the app. */
    DEPLOY,
    /** A deployment with an invalid document, which must be refused. */
    FAULTY,
    /**
     * Deploys without updating schedules; schedules of programs that are no longer listed are
     * deleted.
     */
    PRUNE,
    DELETE,
    /** Deletes one program; the schedules that belong to apps stay. */
    PROGRAM,
    /** Suspends one schedule; it stays suspended when the app is deployed again. */
    SUSPEND,
    RESUME;

    /** Whether the action is refused while another change of the app is in progress. */
    boolean takesApp() {
      return this == DEPLOY || this == PRUNE || this == DELETE;
    }
  }

  /** The answer that the user received. */
  public enum Answer {
    DONE,
    /** The request was invalid, or another change was in progress: nothing may have changed. */
    REFUSED,
    UNKNOWN
  }
}
