package dev.carillon.campaign.scenario;

import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.ScheduleSpec;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An action of a user on the app.
 *
 * @param at the earliest instant, in epoch milliseconds
 * @param documents the documents by schedule name. For PRUNE: the schedules whose programs stay.
 *     For PROGRAM: the schedule whose program is deleted. For SUSPEND and RESUME: the schedule
 *     concerned
 * @param mode the mode of a SUSPEND
 * @param givesUp whether the user gives up when another change of the app is in progress
 */
public record Deployment(
    long at,
    Action action,
    Map<String, ScheduleSpec> documents,
    @Nullable Mode mode,
    boolean givesUp) {

  /** The app's name. */
  public static final String APP = "shop";

  public Deployment {
    documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
  }

  /** An action that is repeated until it succeeds. */
  Deployment(long at, Action action, Map<String, ScheduleSpec> documents) {
    this(at, action, documents, null, false);
  }
}
