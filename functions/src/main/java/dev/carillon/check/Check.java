package dev.carillon.check;

import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message of the check queue. It names subjects that the checker processes, all within one
 * second.
 *
 * @param due the checker processes no subject earlier; a fire whose id names a later instant is
 *     processed at that instant
 * @param subjects at most {@link #MOST_SUBJECTS}
 */
public record Check(Instant due, List<? extends Subject> subjects) {

  /**
   * The limit keeps a check message far below the size limit of SQS, and keeps a redelivery cheap.
   */
  public static final int MOST_SUBJECTS = 100;

  private static final Comparator<Instant> EARLIEST_FIRST = Comparator.naturalOrder();

  public Check {
    subjects = List.copyOf(subjects);
  }

  /** The subjects, each with the instant at which it is processed. */
  public List<Wakeup> wakeups() {
    List<Wakeup> wakeups = new ArrayList<>();
    for (Subject subject : subjects) {
      boolean isLaterFire = subject instanceof JobId job && job.isFire() && job.at().isAfter(due);
      wakeups.add(new Wakeup(subject, isLaterFire ? ((JobId) subject).at() : due));
    }
    return wakeups;
  }

  /** Splits subjects that are due at one instant into as many checks as they need. */
  public static List<Check> of(Instant due, List<? extends Subject> subjects) {
    List<Check> checks = new ArrayList<>();
    for (int start = 0; start < subjects.size(); start += MOST_SUBJECTS) {
      int end = Math.min(start + MOST_SUBJECTS, subjects.size());
      checks.add(new Check(due, subjects.subList(start, end)));
    }
    return checks;
  }

  /**
   * Groups wake-ups into as few checks as possible: one for each second, and one for all that are
   * due by {@code now}, in the order given. Fires have checks of their own. A check of fires is due
   * with its first fire, because the ids name the instants of the other fires. A check of other
   * subjects is due with the last of them, so that none is processed early.
   */
  public static List<Check> of(Collection<Wakeup> wakeups, Instant now) {
    Map<Instant, List<Wakeup>> fires = new TreeMap<>();
    Map<Instant, List<Wakeup>> others = new TreeMap<>();
    for (Wakeup wakeup : wakeups) {
      Instant second =
          wakeup.at().isAfter(now)
              ? Instant.ofEpochSecond(wakeup.at().getEpochSecond())
              : Instant.MIN;
      (wakeup.isOfFire() ? fires : others)
          .computeIfAbsent(second, any -> new ArrayList<>())
          .add(wakeup);
    }
    List<Check> checks = new ArrayList<>();
    others.values().forEach(group -> checks.addAll(together(group, EARLIEST_FIRST.reversed())));
    fires.values().forEach(group -> checks.addAll(together(group, EARLIEST_FIRST)));
    return checks;
  }

  /**
   * Puts the wake-ups into checks that are due at one instant: the first of the wake-ups' instants
   * in the given order.
   */
  private static List<Check> together(List<Wakeup> group, Comparator<Instant> order) {
    Instant due = group.stream().map(Wakeup::at).min(order).orElseThrow();
    return of(due, group.stream().map(Wakeup::subject).toList());
  }
}
