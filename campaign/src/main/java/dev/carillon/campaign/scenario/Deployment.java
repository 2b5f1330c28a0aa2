package dev.carillon.campaign.scenario;

import dev.carillon.campaign.judge.Deploying.Action;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Wish;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Something that a user wants of the app.
 *
 * @param at not before this, in epoch milliseconds
 * @param documents by the names of their schedules; of a PRUNE those whose programs stay, of a
 *     PROGRAM the one whose program is deleted, of a SUSPEND or RESUME the one that is meant
 * @param mode of a SUSPEND
 * @param givesUp whether the user lets it be when another changes the app at that moment
 */
public record Deployment(
    long at, Action action, Map<String, Wish> documents, @Nullable Mode mode, boolean givesUp) {

  /** The app's name. */
  public static final String APP = "shop";

  public Deployment {
    documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
  }

  /** One that is tried until it is done. */
  Deployment(long at, Action action, Map<String, Wish> documents) {
    this(at, action, documents, null, false);
  }
}
