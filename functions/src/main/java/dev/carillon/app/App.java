package dev.carillon.app;

import dev.carillon.id.AppId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An app: programs that are deployed together with their schedules.
 *
 * @param schedules the names of all schedules that a deployment created, or may have created before
 *     it crashed. Some may have been deleted. None is missing: the list is not read from an index,
 *     which can lag
 * @param claimed those of the schedules that only deployments name that have not ended. A
 *     deployment that crashed may not have stored them
 * @param version grows by one with each stored change. The first version is the time of the first
 *     change in epoch milliseconds, so that an app that was deleted and created again does not
 *     repeat versions
 * @param deployedAt when the last deployment ended; null before the first has ended
 * @param deployedBy the caller of the last deployment
 * @param deploying the lease of the running deployment or deletion; null if there is none
 */
public record App(
    AppId id,
    List<String> programs,
    SortedSet<String> schedules,
    SortedSet<String> claimed,
    long version,
    @Nullable Instant deployedAt,
    @Nullable String deployedBy,
    @Nullable Lease deploying) {

  /**
   * The length of a deployment's lease: longer than an invocation of the API function, plus clock
   * skew.
   */
  static final Duration LEASE = Duration.ofSeconds(40);

  /** The exclusive right of a caller to change an app. */
  public record Lease(String by, Instant since, Instant until) {}

  public App {
    programs = List.copyOf(programs);
    schedules = new TreeSet<>(schedules);
    claimed = new TreeSet<>(claimed);
  }

  /**
   * The app as it is stored before the first schedule is changed.
   *
   * @param stored null for a new app
   * @param more names of schedules that the deployment may create
   */
  public static App claimed(
      AppId id, @Nullable App stored, Collection<String> more, Instant now, String by) {
    Lease lease = new Lease(by, now, now.plus(LEASE));
    SortedSet<String> all = new TreeSet<>(more);
    SortedSet<String> claimed = new TreeSet<>(more);
    if (stored == null) {
      return new App(id, List.of(), all, claimed, now.toEpochMilli(), null, null, lease);
    }
    all.addAll(stored.schedules);
    claimed.removeAll(stored.schedules);
    claimed.addAll(stored.claimed);
    return new App(
        id,
        stored.programs,
        all,
        claimed,
        stored.version + 1,
        stored.deployedAt,
        stored.deployedBy,
        lease);
  }

  /** The live lease, or null. A lease that has expired belonged to a deployment that crashed. */
  public @Nullable Lease leaseAt(Instant now) {
    return deploying != null && now.isBefore(deploying.until()) ? deploying : null;
  }

  /** The app as it is stored after every schedule was changed. */
  public App deployed(
      Collection<String> newPrograms, Collection<String> newSchedules, Instant now, String by) {
    return new App(
        id,
        List.copyOf(newPrograms),
        new TreeSet<>(newSchedules),
        new TreeSet<>(),
        version + 1,
        now,
        by,
        null);
  }

  /** The app as it is stored after a failed deployment, so that the next one need not wait. */
  public App released() {
    return new App(id, programs, schedules, claimed, version + 1, deployedAt, deployedBy, null);
  }
}
