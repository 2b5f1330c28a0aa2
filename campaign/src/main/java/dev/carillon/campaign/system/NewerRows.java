package dev.carillon.campaign.system;

import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.system.Functions.Stores;
import dev.carillon.dynamodb.NewerItems;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slots;
import dev.carillon.id.Page;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.StoredCollectingJob;
import dev.carillon.pool.Pools;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.timer.Timers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores that answer as if a newer version had written about half of their records: these records
 * are read from items with further attributes.
 */
public final class NewerRows {

  private final SeededRandom random;
  private final UnaryOperator<Object> reader;

  /**
   * @param reader reads a row of the newer version in the way in which the functions read it
   */
  public NewerRows(SeededRandom random, UnaryOperator<Object> reader) {
    this.random = random;
    this.reader = reader;
  }

  /** The stores, also read by the functions of the present version. */
  public Stores over(Stores real) {
    return new Stores(
        port(Schedules.class, real.schedules()),
        port(Apps.class, real.apps()),
        port(Calendars.class, real.calendars()),
        port(Jobs.class, real.jobs()),
        real.lists(),
        port(Backfills.class, real.backfills()),
        port(Gates.class, real.gates()),
        port(Pools.class, real.pools()),
        port(Timers.class, real.timers()),
        real.status(),
        real.queues(),
        real.targets());
  }

  private <P> P port(Class<P> type, P real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object answer = answer(real, method, arguments);
              return answer == null || random.oneIn(2) ? answer : read(answer);
            }));
  }

  private static @Nullable Object answer(
      Object real, Method method, @Nullable Object @Nullable [] arguments) {
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

  private Object read(Object answer) {
    if (answer instanceof Optional<?> one) {
      return one.map(this::read);
    }
    if (answer instanceof List<?> some) {
      return some.stream().map(this::read).toList();
    }
    if (answer instanceof Map<?, ?> found) {
      return readValues(found);
    }
    if (answer instanceof Page<?> page) {
      return new Page<>(page.items().stream().map(this::read).toList(), page.next());
    }
    if (answer instanceof StoredSchedule stored) {
      return new StoredSchedule(one(stored.head()), one(stored.definition()));
    }
    if (answer instanceof StoredCollectingJob stored) {
      return new StoredCollectingJob(one(stored.collectingJob()), stored.seen(), stored.window());
    }
    if (answer instanceof Launching read) {
      return new Launching(
          readValues(read.heads()), read.limited(), readValues(read.definitions()));
    }
    return answer instanceof JobLost lost ? new JobLost(one(lost.present())) : row(answer);
  }

  private <K, V> Map<K, V> readValues(Map<K, V> found) {
    Map<K, V> rows = new LinkedHashMap<>();
    found.forEach((key, row) -> rows.put(key, one(row)));
    return Collections.unmodifiableMap(rows);
  }

  @SuppressWarnings("unchecked")
  private <T> T one(T record) {
    return (T) read(record);
  }

  private Object row(Object record) {
    if (record instanceof Gate gate && gate.slots().room() != Slots.ROOM) {
      return record;
    }
    return NewerItems.read(record).map(reader).orElse(record);
  }
}
