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
    if (stored == null) {
      return new App(id, List.of(), new TreeSet<>(more), now.toEpochMilli(), null, null, lease);
    }
    SortedSet<String> all = new TreeSet<>(stored.schedules);
    all.addAll(more);
    return new App(
        id, stored.programs, all, stored.version + 1, stored.deployedAt, stored.deployedBy, lease);
  }

  /** The live lease, or null. A lease that has expired belonged to a deployment that crashed. */
  public @Nullable Lease leaseAt(Instant now) {
    return deploying != null && now.isBefore(deploying.until()) ? deploying : null;
  }

  /** The app as it is stored after every schedule was changed. */
  public App deployed(
      Collection<String> newPrograms, Collection<String> newSchedules, Instant now, String by) {
    return new App(
        id, List.copyOf(newPrograms), new TreeSet<>(newSchedules), version + 1, now, by, null);
  }

  /** The app as it is stored after a failed deployment, so that the next one need not wait. */
  public App released() {
    return new App(id, programs, schedules, version + 1, deployedAt, deployedBy, null);
  }
}
