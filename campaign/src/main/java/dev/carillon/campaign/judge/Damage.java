package dev.carillon.campaign.judge;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * An item could not be read for a while. What needs it is late by that; everything else is judged
 * as if nothing had happened.
 *
 * @param schedules the names of the schedules that need the item
 * @param from when it became unreadable
 * @param to when it was readable again, or replaced; {@link History#NEVER} if it was not
 */
public record Damage(Set<String> schedules, long from, long to) {

  /** What is not required of a schedule with an item that stays unreadable. */
  private static final Set<Finding.Kind> NOT_REQUIRED =
      EnumSet.of(
          Finding.Kind.LOST,
          Finding.Kind.LATE,
          Finding.Kind.STUCK,
          Finding.Kind.MISCOUNTED,
          Finding.Kind.LIMIT);

  /** The history by which a schedule is judged: the damage is a fault if the schedule needs it. */
  static History seenBy(String schedule, History history, List<Damage> damages) {
    History seen = history;
    for (Damage damage : damages) {
      if (damage.schedules.contains(schedule) && damage.to != History.NEVER) {
        seen =
            seen.withFaults(
                Math.min(seen.faultsFrom(), damage.from), Math.max(seen.faultsTo(), damage.to));
      }
    }
    return seen;
  }

  /** Whether a finding is explained by damage that no caller repaired. */
  static boolean excuses(Finding finding, List<Damage> damages) {
    return damages.stream()
        .anyMatch(
            damage ->
                damage.to == History.NEVER
                    && (isBlocked(finding)
                        || (NOT_REQUIRED.contains(finding.kind())
                            && damage.schedules.contains(finding.about()))));
  }

  /** PUT and DELETE replace what cannot be read, so they are always answered. */
  private static boolean isBlocked(Finding finding) {
    return finding.kind() == Finding.Kind.BROKEN
        && !finding.about().startsWith("PUT ")
        && !finding.about().startsWith("DELETE ");
  }
}
