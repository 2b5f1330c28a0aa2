package dev.carillon.campaign.system;

import static java.util.Objects.requireNonNull;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.scenario.DamagePlan.Item;
import dev.carillon.campaign.system.Functions.Stores;
import dev.carillon.gate.Gate;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.master.StatusStore;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.pool.Pools;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores with an item that cannot be read for a while. They answer as the adapters of DynamoDB do.
 */
public final class DamagedStores {

  private static final ScheduleParser PARSER = new ScheduleParser(ZoneOffset.UTC);

  private final DamagedItem item;

  public DamagedStores(DamagedItem item) {
    this.item = item;
  }

  /** The stores in which the item can be unreadable. */
  public Stores over(Stores real) {
    return new Stores(
        port(Schedules.class, real.schedules(), this::schedules),
        port(Apps.class, real.apps(), this::apps),
        port(Calendars.class, real.calendars(), this::calendars),
        port(Jobs.class, real.jobs(), this::jobs),
        real.lists(),
        port(Backfills.class, real.backfills(), this::backfills),
        port(Gates.class, real.gates(), this::gates),
        port(Pools.class, real.pools(), new DamagedPools(item)::answer),
        port(Timers.class, real.timers(), this::timers),
        port(StatusStore.class, real.status(), this::status),
        real.queues(),
        real.targets());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T as(@Nullable Object answer) {
    return (T) requireNonNull(answer);
  }

  static RuntimeException cause() {
    return new IllegalStateException("an attribute has an unknown form");
  }

  /** A call of a port, which can be passed on with other arguments. */
  interface Call {
    @Nullable Object make(@Nullable Object... arguments);
  }

  private interface Filter<P> {
    @Nullable Object answer(P real, String method, @Nullable Object[] arguments, Call call);
  }

  private static <P> P port(Class<P> type, P real, Filter<P> filter) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              @Nullable Object[] given = arguments == null ? new Object[0] : arguments;
              return filter.answer(
                  real, method.getName(), given, others -> invoke(real, method, others));
            }));
  }

  private static @Nullable Object invoke(
      Object real, Method method, @Nullable Object... arguments) {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw (Error) thrown.getCause();
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object schedules(
      Schedules real, String method, @Nullable Object[] arguments, Call call) {
    Object first = arguments[0];
    return switch (method) {
      case "heads", "recentHeads", "forLaunch" -> {
        Object answer = call.make(arguments);
        throwIfDamaged(item.among(Item.HEAD, (Collection<ScheduleId>) first));
        yield answer;
      }
      case "find" -> {
        Object answer = call.make(arguments);
        Set<ScheduleId> ids = item.among(Item.HEAD, List.of((ScheduleId) first));
        ids.addAll(item.among(Item.DEFINITION, List.of((ScheduleId) first)));
        throwIfDamaged(ids);
        yield answer;
      }
      case "definitions", "recentDefinitions" -> {
        Map<ScheduleId, Definition> found =
            new HashMap<>(DamagedStores.<Map<ScheduleId, Definition>>as(call.make(arguments)));
        found.keySet().removeAll(item.among(Item.DEFINITION, List.copyOf(found.keySet())));
        yield found;
      }
      case "list" -> {
        Page<StoredSchedule> page = as(call.make(arguments));
        yield new Page<>(
            page.items().stream()
                .filter(it -> !item.is(Item.HEAD, it.head().id()))
                .filter(it -> !item.is(Item.DEFINITION, it.head().id()))
                .toList(),
            page.next());
      }
      case "save" ->
          item.replace(() -> real.save(whole((Change) first, ((Change) first).before())));
      case "overwrite" -> item.replace(() -> overwritten(real, (Change) first));
      default -> call.make(arguments);
    };
  }

  private static void throwIfDamaged(Set<ScheduleId> ids) {
    if (!ids.isEmpty()) {
      throw new UnreadableSchedules(ids, cause());
    }
  }

  private boolean overwritten(Schedules real, Change change) {
    ScheduleId id = change.after().id();
    Head stored = real.heads(List.of(id)).get(id);
    return item.is(Item.HEAD, id) && real.save(whole(change, stored));
  }

  /**
   * The change, with the keys of the generation that ends. An adapter finds these keys by itself.
   */
  private Change whole(Change change, @Nullable Head before) {
    Definition lost = item.contents().definition(change.after().id());
    Set<String> stale = change.staleKeys();
    if (stale == null) {
      stale = lost == null ? Set.of() : PARSER.parseStored(lost).trigger().indexKeys();
    }
    return new Change(
        before,
        change.after(),
        change.definition(),
        stale,
        change.keys(),
        change.timers(),
        change.former());
  }

  private @Nullable Object apps(Apps real, String method, @Nullable Object[] arguments, Call call) {
    return switch (method) {
      case "find" -> {
        Object answer = call.make(arguments);
        if (item.is(Item.APP, arguments[0])) {
          throw new UnreadableItems(Set.of(DamagedItem.APP), cause());
        }
        yield answer;
      }
      case "overwrite" -> {
        App after = as(arguments[0]);
        App stored = item.contents().app(after.id());
        yield item.is(Item.APP, after.id()) && item.replace(() -> real.save(stored, after));
      }
      default -> call.make(arguments);
    };
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object calendars(
      Calendars real, String method, @Nullable Object[] arguments, Call call) {
    return switch (method) {
      case "find" -> unless(Item.CALENDAR, arguments, call);
      case "overwrite" -> {
        StoredCalendar after = (StoredCalendar) arguments[0];
        StoredCalendar stored = real.find(List.of(after.id())).get(after.id());
        yield item.is(Item.CALENDAR, after.id()) && item.replace(() -> real.save(stored, after));
      }
      case "list" -> {
        Page<StoredCalendar> page = as(call.make(arguments));
        yield new Page<>(
            page.items().stream().filter(it -> !item.is(Item.CALENDAR, it.id())).toList(),
            page.next());
      }
      default -> call.make(arguments);
    };
  }

  /** The answer to a read of several items by their keys, if all of them can be read. */
  private @Nullable Object unless(Item kind, @Nullable Object[] arguments, Call call) {
    Object answer = call.make(arguments);
    Set<?> keys = item.among(kind, (Collection<?>) arguments[0]);
    if (!keys.isEmpty()) {
      throw new UnreadableItems(keys, cause());
    }
    return answer;
  }

  private @Nullable Object gates(
      Gates real, String method, @Nullable Object[] arguments, Call call) {
    return switch (method) {
      case "find" -> {
        item.among(Item.LIMIT, (Collection<?>) requireNonNull(arguments[0]));
        yield unless(Item.GATE, arguments, call);
      }
      case "overwrite" -> {
        Gate after = (Gate) requireNonNull(arguments[0]);
        Gate stored = requireNonNull(real.find(List.of(after.key())).get(after.key()));
        yield item.is(Item.GATE, after.key())
            && item.replace(() -> real.update(stored, after.demanding(stored.demands())));
      }
      default -> call.make(arguments);
    };
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object timers(
      Timers real, String method, @Nullable Object[] arguments, Call call) {
    Object answer = call.make(arguments);
    return method.equals("due")
        ? DamagedStores.<List<Timer>>as(answer).stream()
            .filter(timer -> !item.is(Item.TIMER, timer.key()))
            .toList()
        : answer;
  }

  private @Nullable Object backfills(
      Backfills real, String method, @Nullable Object[] arguments, Call call) {
    if (method.equals("backfills")) {
      return unless(Item.BACKFILL, arguments, call);
    }
    Object answer = call.make(arguments);
    if (method.equals("openBackfills")
        && DamagedStores.<List<Backfill>>as(answer).stream()
            .anyMatch(it -> item.is(Item.BACKFILL, it.id()))) {
      throw cause();
    }
    return answer;
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object jobs(Jobs real, String method, @Nullable Object[] arguments, Call call) {
    Object answer = call.make(arguments);
    return switch (method) {
      case "insert", "update" -> outcomes(as(answer));
      case "find" -> {
        throwIfUnreadable(item.among(Item.JOB, (Collection<JobId>) arguments[0]));
        yield answer;
      }
      case "skippedUpTo" -> {
        throwIfUnreadable(
            item.among(
                Item.JOB, DamagedStores.<List<Job>>as(answer).stream().map(Job::id).toList()));
        yield answer;
      }
      case "ofSchedule" -> {
        Page<Job> page = as(answer);
        yield new Page<>(
            page.items().stream().filter(job -> !item.is(Item.JOB, job.id())).toList(),
            page.next());
      }
      case "collectingJob" -> {
        ScheduleId id = as(arguments[0]);
        if (isCollectingJob(id)) {
          throw new UnreadableItems(Set.of(new CollectingJobId(id)), cause());
        }
        yield answer;
      }
      case "overwrite" -> {
        CollectingJob after = as(arguments[0]);
        CollectingJob stored = item.contents().collectingJob(after.schedule());
        yield isCollectingJob(after.schedule())
            && item.replace(() -> real.save(stored, after, Set.of(), List.of(), as(arguments[1])));
      }
      default -> answer;
    };
  }

  private boolean isCollectingJob(ScheduleId id) {
    return item.is(Item.COLLECTING_JOB, id) || item.is(Item.SEEN_IDS, id);
  }

  /**
   * Handles calls of the status: a tick replaces the shards, progress or audit that it cannot read.
   */
  private @Nullable Object status(
      StatusStore real, String method, @Nullable Object[] arguments, Call call) {
    if (method.equals("read")) {
      return readable(as(call.make(arguments)));
    }
    if (method.equals("saveAudit")) {
      Status before = as(arguments[0]);
      boolean replaces = before.audit() == null && item.is(Item.AUDIT, DamagedItem.AUDIT);
      return real.saveAudit(
          replaces ? requireNonNull(item.contents().masterStatus()) : before, as(arguments[1]));
    }
    boolean isUnreadable = item.is(Item.SHARDS, DamagedItem.SHARDS);
    if (isUnreadable && method.equals("shards")) {
      throw new UnreadableItems(Set.of(DamagedItem.SHARDS), cause());
    }
    return isUnreadable && method.equals("saveShards") && arguments[0] == null
        ? real.saveShards(item.contents().shards(), as(arguments[1]))
        : call.make(arguments);
  }

  private Optional<Status> readable(Optional<Status> stored) {
    boolean isWithoutAudit = item.is(Item.AUDIT, DamagedItem.AUDIT);
    return stored
        .filter(status -> !item.is(Item.PROGRESS, DamagedItem.PROGRESS))
        .map(status -> isWithoutAudit ? new Status(status.lastProcessedTime(), null) : status);
  }

  private static void throwIfUnreadable(Set<JobId> ids) {
    if (!ids.isEmpty()) {
      throw new UnreadableJobs(ids, cause());
    }
  }

  /** The stored jobs that kept other jobs from being written. */
  private List<Optional<Job>> outcomes(List<Optional<Job>> others) {
    Set<JobId> unreadable = new HashSet<>();
    List<Optional<Job>> readable = new ArrayList<>();
    for (Optional<Job> other : others) {
      boolean isUnreadable = other.filter(job -> item.is(Item.JOB, job.id())).isPresent();
      if (isUnreadable) {
        unreadable.add(other.orElseThrow().id());
      }
      readable.add(isUnreadable ? Optional.empty() : other);
    }
    if (!unreadable.isEmpty()) {
      throw new UnreadableJobs(unreadable, cause(), readable);
    }
    return others;
  }
}
