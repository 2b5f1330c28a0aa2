package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Limits.GateLimit;
import dev.carillon.campaign.judge.Limits.Pause;
import dev.carillon.campaign.judge.Limits.RateLimit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The launches of all programs with limits, and which of them a limit certainly counts.
 *
 * @param all in the order in which they were sent
 */
record LimitedLaunches(History history, List<Schedule> schedules, List<LimitedLaunch> all) {

  /**
   * The longest time from the decision to launch a job until its request is sent, measured by
   * clocks that differ.
   */
  static final long DECIDED_BEFORE = Judge.IN_FLIGHT + 2 * Judge.SKEW;

  /**
   * A launch of a program with limits.
   *
   * @param isHeld whether the limits of its document could hold the launch back; false if it was
   *     interrupted and repeated, or took place at the time-out
   */
  record LimitedLaunch(Schedule schedule, ScheduleSpec spec, Launch launch, boolean isHeld) {
    /** When the request was sent; it may arrive later. */
    long at() {
      return launch.arrival().sent();
    }

    String jobId() {
      return launch.arrival().jobId();
    }

    Limits limits() {
      return spec.limits();
    }
  }

  static LimitedLaunches of(History history, List<Schedule> schedules) {
    List<LimitedLaunch> all = new ArrayList<>();
    for (Schedule schedule : schedules) {
      for (Launch launch : schedule.launches()) {
        schedule.documents().stream()
            .map(Span::spec)
            .filter(spec -> spec.version() == launch.version())
            .filter(spec -> !spec.limits().program().isEmpty())
            .findFirst()
            .ifPresent(
                spec ->
                    all.add(
                        new LimitedLaunch(schedule, spec, launch, isHeld(history, spec, launch))));
      }
    }
    all.sort(Comparator.comparingLong(LimitedLaunch::at));
    return new LimitedLaunches(history, schedules, all);
  }

  private static boolean isHeld(History history, ScheduleSpec spec, Launch launch) {
    return !history.limits().interrupted().contains(launch.arrival().jobId())
        && !spec.waits().launchesAnyway();
  }

  /**
   * Whether the decision to launch one job certainly counted the launch of another at a gate.
   *
   * <p>It did so if this limit or a stricter one could hold back both launches, because then the
   * later decision counted the other launch. It also did so if the other request was sent long
   * before. In both cases the limit must have been stored earlier, because a gate only remembers
   * what its limits need.
   */
  boolean certainlyCounts(GateLimit limit, LimitedLaunch decided, LimitedLaunch other) {
    long since = other.at() - DECIDED_BEFORE;
    return !other.launch().arrival().explained()
        && isKnown(decided.schedule(), limit, since, decided.at())
        && isMember(limit, decided, other, since)
        && (isHeldBy(limit, decided, other) || other.at() < decided.at() - DECIDED_BEFORE);
  }

  private boolean isMember(
      GateLimit limit, LimitedLaunch decided, LimitedLaunch other, long since) {
    String program = other.limits().program();
    if (program.equals(decided.limits().program())) {
      return true;
    }
    return !limit.group().isEmpty()
        && schedules.stream()
            .anyMatch(schedule -> names(schedule, program, limit.group(), since, decided.at()));
  }

  /** Whether a schedule of a program certainly named a group from one instant to another. */
  private static boolean names(
      Schedule schedule, String program, String group, long from, long to) {
    return isStored(
        schedule,
        from,
        to,
        limits ->
            limits.program().equals(program)
                && limits.of(GateLimit.class).stream().anyMatch(it -> it.group().equals(group)));
  }

  /** Whether a schedule certainly had a limit from one instant to another. */
  static boolean isKnown(Schedule schedule, GateLimit limit, long from, long to) {
    return isStored(schedule, from, to, limits -> limits.all().contains(limit));
  }

  private static boolean isStored(Schedule schedule, long from, long to, Predicate<Limits> so) {
    long known = History.NEVER;
    long until = 0;
    for (Span span : schedule.documents()) {
      if (!so.test(span.spec().limits())) {
        continue;
      }
      boolean continues = span.beginsFrom() == until;
      known = continues ? known : span.beginsBy();
      until = span.endsFrom();
      if (known <= from && until >= to) {
        return true;
      }
    }
    return false;
  }

  /** Whether a limit at the same gate, at least as strict, could hold back the other launch. */
  private static boolean isHeldBy(GateLimit limit, LimitedLaunch decided, LimitedLaunch other) {
    boolean isSameGate =
        !limit.group().isEmpty() || other.limits().program().equals(decided.limits().program());
    return isSameGate
        && other.isHeld()
        && other.limits().of(GateLimit.class).stream()
            .filter(it -> it.group().equals(limit.group()))
            .anyMatch(it -> isAsStrict(it, limit));
  }

  private static boolean isAsStrict(GateLimit one, GateLimit other) {
    if (one instanceof RateLimit rate && other instanceof RateLimit bound) {
      return rate.max() <= bound.max() && rate.per() >= bound.per();
    }
    if (one instanceof RunLimit runs && other instanceof RunLimit bound) {
      return runs.max() <= bound.max();
    }
    return one instanceof Pause && !(other instanceof RateLimit);
  }
}
