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
 * @param schedules the names of all schedules that a deployment has made, or may have made before
 *     it died; some may be gone, and none is missing because an index lags
 * @param version counts the stored changes, from the clock of the first (milliseconds of the
 *     epoch), so that the versions of an app that was deleted do not come again
 * @param deployedAt when the last deployment ended; null before the first has
 * @param deployedBy whose that was
 * @param deploying the deployment or deletion that is under way; null if none is
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
   * How long whoever changes an app has it alone: longer than the API's function lives, by what
   * clocks differ.
   */
  static final Duration LEASE = Duration.ofSeconds(40);

  /** Who changes an app, since when, and until when it is theirs alone. */
  public record Lease(String by, Instant since, Instant until) {}

  public App {
    programs = List.copyOf(programs);
    schedules = new TreeSet<>(schedules);
  }

  /**
   * What is stored before the first schedule is touched.
   *
   * @param stored null for a new app
   * @param more names of schedules that may be made
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

  /** Who has it alone just now, or null. A lease that has ended is one of somebody who died. */
  public @Nullable Lease leaseAt(Instant now) {
    return deploying != null && now.isBefore(deploying.until()) ? deploying : null;
  }

  /** What is stored once every schedule is as wanted. */
  public App deployed(
      Collection<String> newPrograms, Collection<String> newSchedules, Instant now, String by) {
    return new App(
        id, List.copyOf(newPrograms), new TreeSet<>(newSchedules), version + 1, now, by, null);
  }

  /** What is stored by who could not finish, so that the next need not wait. */
  public App released() {
    return new App(id, programs, schedules, version + 1, deployedAt, deployedBy, null);
  }
}
