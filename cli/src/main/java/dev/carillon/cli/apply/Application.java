package dev.carillon.cli.apply;

import dev.carillon.cli.output.CommandFault;
import dev.carillon.client.Calendars;
import dev.carillon.client.Cancelled;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Namespace;
import dev.carillon.client.Pools;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.schedule.Schedule;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan, change by change. If a change fails, the remaining changes are not made; the
 * next plan contains them.
 */
public final class Application {

  private final CarillonClient client;
  private final BiConsumer<Change, Optional<Cancelled>> done;

  /**
   * @param done called after each change, with the jobs that it cancels; empty for a calendar or a
   *     pool, and if the server does not count them
   */
  public Application(CarillonClient client, BiConsumer<Change, Optional<Cancelled>> done) {
    this.client = client;
    this.done = done;
  }

  /**
   * @throws CommandFault if another caller changed a schedule or pool of the plan after the plan
   *     was made
   */
  public void carryOut(Plan plan) {
    for (Change change : plan.effective()) {
      Optional<Cancelled> cancelled;
      try {
        cancelled = carryOut(change);
      } catch (CarillonException.Stale stale) {
        throw new CommandFault(
            change.id() + " was changed since the plan was made; apply again to see the new plan",
            stale);
      }
      done.accept(change, cancelled);
    }
  }

  private Optional<Cancelled> carryOut(Change change) {
    Namespace namespace = client.namespace(change.namespace());
    SourceDocument source = change.source();
    if (source == null) {
      return delete(namespace, change.name(), Objects.requireNonNull(change.etag()));
    }
    switch (change.kind()) {
      case CALENDAR -> store(namespace.calendars(), source, change.etag());
      case POOL -> store(namespace.pools(), source, change.etag());
      case SCHEDULE -> {
        return Optional.ofNullable(stored(namespace, source.schedule(), change.etag()).cancelled());
      }
    }
    return Optional.empty();
  }

  private static void store(Calendars calendars, SourceDocument source, @Nullable String etag) {
    if (etag == null) {
      calendars.create(source.name(), source.document());
    } else {
      calendars.replace(source.name(), source.document(), etag);
    }
  }

  private static void store(Pools pools, SourceDocument source, @Nullable String etag) {
    if (etag == null) {
      pools.create(source.name(), source.document());
    } else {
      pools.replace(source.name(), source.document(), etag);
    }
  }

  private static StoredSchedule stored(
      Namespace namespace, Schedule schedule, @Nullable String etag) {
    return etag == null ? namespace.create(schedule) : namespace.replace(schedule, etag);
  }

  /**
   * Deletes a schedule in the version that the plan showed. If another caller has deleted it
   * already, there is nothing to do; the API calls a deleted version stale.
   */
  private static Optional<Cancelled> delete(Namespace namespace, String name, String etag) {
    try {
      return namespace.delete(name, etag);
    } catch (CarillonException.Stale stale) {
      if (exists(namespace, name)) {
        throw stale;
      }
      return Optional.empty();
    }
  }

  private static boolean exists(Namespace namespace, String name) {
    try {
      namespace.schedule(name);
      return true;
    } catch (CarillonException.NotFound deleted) {
      return false;
    }
  }
}
