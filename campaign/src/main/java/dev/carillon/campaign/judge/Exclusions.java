package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Opening;
import dev.carillon.campaign.judge.History.Removal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * What a calendar excludes that users change. A fire meets it as it was when the fire fell due; who
 * looks late may know no more than what it was before its last change.
 *
 * @param openings what it was, in order, where it was deleted as one that excludes nothing; empty
 *     if there is none
 * @param forgetting those of them who know nothing of what was before
 */
record Exclusions(List<Opening> openings, Set<Opening> forgetting) {

  static Exclusions of(List<Opening> openings, List<Removal> removals) {
    List<Opening> all = new ArrayList<>(openings);
    Set<Opening> gone = new HashSet<>();
    for (Removal removal : removals) {
      if (removal.done()) {
        gone.add(new Opening(removal.called(), removal.returned(), List.of()));
      }
    }
    all.addAll(gone);
    all.sort(Comparator.comparingLong(Opening::called));
    Set<Opening> forgetting = new HashSet<>(gone);
    for (int i = 1; i < all.size(); i++) {
      if (gone.contains(all.get(i - 1))) {
        forgetting.add(all.get(i));
      }
    }
    return new Exclusions(all, forgetting);
  }

  /** Whether a fire that is looked at until then is excluded, whatever is known of the calendar. */
  boolean must(Wish wish, long fire, long until) {
    return wish.excludes() && known(fire, until).stream().allMatch(it -> excludes(it, fire));
  }

  /** Whether there is anything by which such a fire is excluded. */
  boolean may(Wish wish, long fire, long until) {
    return wish.excludes() && known(fire, until).stream().anyMatch(it -> excludes(it, fire));
  }

  /** Of some fires those that are not excluded for certain. */
  NavigableSet<Long> possible(Wish wish, NavigableSet<Long> fires, long until) {
    return without(fires, fire -> must(wish, fire, until));
  }

  /** Of some fires those that nothing can exclude. */
  NavigableSet<Long> certain(Wish wish, NavigableSet<Long> fires, long until) {
    return without(fires, fire -> may(wish, fire, until));
  }

  private static NavigableSet<Long> without(NavigableSet<Long> fires, LongPredicate excluded) {
    NavigableSet<Long> rest = new TreeSet<>(fires);
    rest.removeIf(excluded::test);
    return rest;
  }

  private static boolean excludes(Opening opening, long fire) {
    return opening.excludes().stream().anyMatch(stretch -> stretch.contains(fire));
  }

  private List<Opening> known(long fire, long until) {
    int first = 0;
    int last = 0;
    for (int i = 1; i < openings.size(); i++) {
      Opening opening = openings.get(i);
      if (opening.returned() + Judge.SKEW < fire) {
        first = i;
      }
      boolean mayHold = opening.called() - Judge.SKEW <= fire;
      boolean isForgotten = i + 1 < openings.size() && openings.get(i + 1).called() <= until;
      boolean forgets = forgetting.contains(opening) && opening.called() <= until;
      if (mayHold || isForgotten || forgets) {
        last = i;
      }
    }
    return openings.subList(first, last + 1);
  }
}
