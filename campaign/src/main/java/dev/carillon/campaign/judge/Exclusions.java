package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.CalendarDeletion;
import dev.carillon.campaign.judge.History.CalendarVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * The times that a calendar excludes while users change it. The version that existed when a fire
 * was due decides about the fire; if a late reader no longer finds it, the oldest version that is
 * kept decides.
 *
 * @param calendarVersions the versions of the calendar in order, a deletion as a version that
 *     excludes nothing; empty if there is no calendar
 * @param withoutFormer the versions that do not keep the versions before them, because they
 *     replaced an unreadable calendar
 */
record Exclusions(List<CalendarVersion> calendarVersions, Set<CalendarVersion> withoutFormer) {

  /** How many former versions a calendar keeps. */
  private static final int KEPT = 8;

  static Exclusions of(
      List<CalendarVersion> calendarVersions, List<CalendarDeletion> calendarDeletions) {
    List<CalendarVersion> all = new ArrayList<>(calendarVersions);
    Set<CalendarVersion> deletions = new HashSet<>();
    for (CalendarDeletion deletion : calendarDeletions) {
      if (deletion.done()) {
        deletions.add(new CalendarVersion(deletion.called(), deletion.returned(), List.of()));
      }
    }
    all.addAll(deletions);
    all.sort(Comparator.comparingLong(CalendarVersion::called));
    Set<CalendarVersion> withoutFormer = new HashSet<>(deletions);
    all.stream().filter(version -> !version.keepsFormer()).forEach(withoutFormer::add);
    for (int i = 1; i < all.size(); i++) {
      if (deletions.contains(all.get(i - 1))) {
        withoutFormer.add(all.get(i));
      }
    }
    return new Exclusions(all, withoutFormer);
  }

  /**
   * Whether every version that may apply excludes a fire, if the fire is decided on at {@code
   * until} at the latest.
   */
  boolean isExcluded(ScheduleSpec spec, long fire, long until) {
    return spec.excludes() && known(fire, until).stream().allMatch(it -> excludes(it, fire));
  }

  /**
   * Whether any version that may apply excludes a fire, if the fire is decided on at {@code until}
   * at the latest.
   */
  boolean mayBeExcluded(ScheduleSpec spec, long fire, long until) {
    return spec.excludes() && known(fire, until).stream().anyMatch(it -> excludes(it, fire));
  }

  /** The given fires that are not certainly excluded. */
  NavigableSet<Long> possible(ScheduleSpec spec, NavigableSet<Long> fires, long until) {
    return without(fires, fire -> isExcluded(spec, fire, until));
  }

  /** The given fires that no version can exclude. */
  NavigableSet<Long> certain(ScheduleSpec spec, NavigableSet<Long> fires, long until) {
    return without(fires, fire -> mayBeExcluded(spec, fire, until));
  }

  private static NavigableSet<Long> without(NavigableSet<Long> fires, LongPredicate excluded) {
    NavigableSet<Long> rest = new TreeSet<>(fires);
    rest.removeIf(excluded::test);
    return rest;
  }

  private static boolean excludes(CalendarVersion calendarVersion, long fire) {
    return calendarVersion.excludes().stream().anyMatch(timeRange -> timeRange.contains(fire));
  }

  private List<CalendarVersion> known(long fire, long until) {
    int first = 0;
    int last = 0;
    for (int i = 1; i < calendarVersions.size(); i++) {
      CalendarVersion calendarVersion = calendarVersions.get(i);
      if (calendarVersion.returned() + Judge.SKEW < fire) {
        first = i;
      }
      boolean mayHold = calendarVersion.called() - Judge.SKEW <= fire;
      int lastWithIt = i + KEPT;
      boolean isOldest =
          lastWithIt < calendarVersions.size()
              && calendarVersions.get(lastWithIt).called() <= until;
      boolean dropsFormer =
          withoutFormer.contains(calendarVersion) && calendarVersion.called() <= until;
      if (mayHold || isOldest || dropsFormer) {
        last = i;
      }
    }
    return calendarVersions.subList(first, last + 1);
  }
}
