package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Mode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One try of a user to change the app.
 *
 * @param number tells apart what users want; a repeated try has that of the first
 * @param documents by the names of their schedules; of a PRUNE those whose programs stay, of a
 *     PROGRAM the one whose program is deleted, of a SUSPEND or RESUME the one that is meant
 * @param mode of a SUSPEND
 * @param called when it was asked for
 * @param ended when it was answered, or was over without an answer
 */
public record Deploying(
    int number,
    Action action,
    Map<String, Wish> documents,
    @Nullable Mode mode,
    long called,
    long ended,
    Answer answer) {

  /** What can be done to an app and its schedules. */
  public enum Action {
    /** Its schedules shall be those of the documents. */
    DEPLOY,
    /** The same with a document that has to be refused. */
    FAULTY,
    /** Without updating schedules: but those of programs that are not listed any more go. */
    PRUNE,
    DELETE,
    /** The deletion of one program, which leaves the schedules of apps. */
    PROGRAM,
    /** Of one schedule, which stays as it is when the app is deployed again. */
    SUSPEND,
    RESUME;

    /** Whether it is refused while another changes the app. */
    boolean takesApp() {
      return this == DEPLOY || this == PRUNE || this == DELETE;
    }
  }

  /** What its user was told. */
  public enum Answer {
    DONE,
    /** The request was wrong, or the app is another's just now: nothing may have changed. */
    REFUSED,
    UNKNOWN
  }
}
