package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.StrandedJob;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The time in which an item could not be read. Whatever needs the item may be late by the length of
 * this time. Everything else is judged as if nothing had happened.
 *
 * @param schedule the schedule to which the item belongs; any of them if several share it
 * @param schedules the names of the schedules that need the item
 * @param job the job if the item is a job; null for another item
 * @param owner the owner of the item
 * @param lost the information that was lost when a caller replaced the item at {@code to}
 * @param from when the item became unreadable
 * @param to when the item was readable again, or was replaced; {@link History#NEVER} if neither
 *     happened
 */
public record Damage(
    String schedule,
    Set<String> schedules,
    @Nullable String job,
    Owner owner,
    Lost lost,
    long from,
    long to) {

  /** The owner of an item. */
  public enum Owner {
    SCHEDULES,
    /** The pool: the item is the pool, its state or its activity. */
    POOL,
    /** The app: the next deployment replaces the item. */
    APP,
    /** The master: the next tick replaces the item. */
    MASTER
  }

  /** The information that is lost when an item is replaced. */
  public enum Lost {
    NOTHING,
    /**
     * The life of a schedule, or the document with which a repeated PUT would be compared. Such a
     * PUT then begins another life, which cancels the schedule's jobs.
     */
    LIFE,
    /** The launches that a gate counted. */
    LAUNCHES,
    /** What a calendar excluded before its last change. */
    FORMER_CALENDAR,
    /** Which events a collecting job has counted. */
    COUNTS,
    /** How many requests a pool has moved. It then relies on the late count of its queue. */
    MOVES
  }

  /** The kinds of findings that do not count for a schedule with an item that stays unreadable. */
  private static final Set<Finding.Kind> NOT_REQUIRED =
      EnumSet.of(
          Finding.Kind.LOST,
          Finding.Kind.LATE,
          Finding.Kind.STUCK,
          Finding.Kind.MISCOUNTED,
          Finding.Kind.LIMIT);

  /**
   * The milliseconds after which an item that could not be read is checked again, including the
   * error of clocks.
   */
  private static final long PAUSE = 60_000 + 5_000;

  /**
   * This damage, with its end. If nothing else ended it, it ended when a caller stored or deleted
   * the schedule, because that replaces whatever cannot be read.
   */
  Damage endedBy(List<Operation> operations) {
    return operations.stream()
        .filter(it -> to == History.NEVER && it.schedule().equals(schedule) && it.called() >= from)
        .filter(it -> it.kind() == History.Kind.PUT || it.kind() == History.Kind.DELETE)
        .filter(Operation::done)
        .mapToLong(Operation::returned)
        .min()
        .stream()
        .mapToObj(end -> new Damage(schedule, schedules, job, owner, lost, from, end))
        .findFirst()
        .orElse(this);
  }

  /** The history by which a schedule is judged: the damage is a fault if the schedule needs it. */
  static History seenBy(String schedule, History history, List<Damage> damages) {
    History seen = history;
    for (Damage damage : damages) {
      if (damage.schedules.contains(schedule) && damage.to != History.NEVER) {
        boolean isAlone = seen.faultsFrom() == History.NEVER;
        long last = isAlone ? damage.to : Math.max(seen.faultsTo(), damage.to);
        seen = seen.withFaults(Math.min(seen.faultsFrom(), damage.from), last);
        seen = damage.lost == Lost.FORMER_CALENDAR ? seen.withUnreadableCalendar(damage.to) : seen;
      }
    }
    return seen;
  }

  /** Whether this damage delays the next check of a job that waits at a gate. */
  boolean postpones(StrandedJob waiting) {
    return schedules.contains(waiting.schedule())
        && (job == null || job.equals(waiting.jobId()))
        && waiting.at() >= from
        && waiting.next() <= waiting.at() + PAUSE
        && (to == History.NEVER || waiting.next() <= to + PAUSE);
  }

  /** Whether the replacement of a schedule's head or definition may have cancelled a job. */
  boolean mayCancel(StoredJob stored) {
    return lost == Lost.LIFE
        && schedule.equals(stored.schedule())
        && stored.began() <= to + Judge.SKEW
        && stored.changed() >= to - Judge.SKEW;
  }

  /** Whether a list of the schedule's jobs may have left out a job at some instant. */
  boolean hides(@Nullable String listed, long at) {
    return job != null
        && job.equals(listed)
        && at >= from - Judge.SKEW
        && (to == History.NEVER || at <= to + Judge.SKEW);
  }

  /** The instant up to which gates that were replaced have lost launches. */
  static long forgottenUntil(List<Damage> damages, long inFlight) {
    return damages.stream()
        .filter(damage -> damage.lost == Lost.LAUNCHES)
        .mapToLong(damage -> damage.to + inFlight)
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /** Whether a finding is explained by damage that no caller repaired, or by lost information. */
  static boolean excuses(Finding finding, List<Damage> damages) {
    return damages.stream().anyMatch(damage -> damage.excuses(finding));
  }

  private boolean excuses(Finding finding) {
    boolean isOfLost =
        lost == Lost.COUNTS
            && (finding.kind() == Finding.Kind.MISCOUNTED || finding.kind() == Finding.Kind.LOST);
    boolean isTooDeep =
        lost == Lost.MOVES
            && finding.kind() == Finding.Kind.LIMIT
            && finding.about().equals(PoolJudge.DEPTH);
    return isTooDeep || (isOfLost && finding.about().equals(schedule)) || isUnrepaired(finding);
  }

  private boolean isUnrepaired(Finding finding) {
    return to == History.NEVER
        && owner != Owner.APP
        && owner != Owner.MASTER
        && (isBlocked(finding)
            || (NOT_REQUIRED.contains(finding.kind()) && schedules.contains(finding.about())));
  }

  /** Finds the unreadable items that a deployment or a tick should have replaced, but did not. */
  void judgeReplacement(List<DeploymentAttempt> deployments, List<Finding> findings) {
    boolean wasTried =
        switch (owner) {
          case APP -> deployments.stream().anyMatch(this::replaces);
          case MASTER -> true;
          default -> false;
        };
    if (wasTried && to == History.NEVER) {
      findings.add(
          new Finding(
              Finding.Kind.STUCK, "-", null, "an item of the " + owner + " stays unreadable"));
    }
  }

  private boolean replaces(DeploymentAttempt attempt) {
    return attempt.action().takesApp()
        && attempt.answer() == DeploymentAttempt.Answer.DONE
        && attempt.called() >= from;
  }

  /** The history by which the pool is judged. */
  static History seenByPool(History history, List<Damage> damages) {
    return damages.stream()
        .filter(damage -> damage.owner == Owner.POOL)
        .map(damage -> seenBy(damage.schedule, history, damages))
        .findFirst()
        .orElse(history);
  }

  /** PUT and DELETE replace what cannot be read, so they are always answered. */
  private static boolean isBlocked(Finding finding) {
    return finding.kind() == Finding.Kind.BROKEN
        && !finding.about().startsWith("PUT ")
        && !finding.about().startsWith("DELETE ");
  }
}
