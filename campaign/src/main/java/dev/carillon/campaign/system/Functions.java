package dev.carillon.campaign.system;

import dev.carillon.api.Api;
import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SkewedClock;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.engine.Unavailable;
import dev.carillon.check.Shared;
import dev.carillon.checker.Checker;
import dev.carillon.ingest.Ingest;
import dev.carillon.ingest.IngestQueue;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.Master;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The functions' instances. One handles one invocation at a time, keeps its caches and its clock
 * for the next, and is gone when an invocation was killed.
 */
public final class Functions {

  private static final Duration RESERVE = Duration.ofSeconds(3);
  private static final ScheduleParser PARSER = new ScheduleParser(ZoneOffset.UTC);
  private static final TargetPolicy POLICY =
      new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of());

  private static final Fanout IN_TURN = new Fanout(Runnable::run);

  private final Stores stores;
  private final Link link;
  private final Tampering tampering;
  private final Map<Part, Deque<Instance>> warm = new EnumMap<>(Part.class);

  public Functions(Stores stores, Link link, Tampering tampering) {
    this.stores = stores;
    this.link = link;
    this.tampering = tampering;
    for (Part part : Part.values()) {
      warm.put(part, new ArrayDeque<>());
    }
  }

  /** Everything that lasts. */
  public record Stores(
      Schedules schedules,
      Apps apps,
      Calendars calendars,
      Jobs jobs,
      Backfills backfills,
      Gates gates,
      Timers timers,
      SimStatus status,
      SimQueues queues,
      TargetQueues targets) {}

  /** One process. */
  public final class Instance {
    private final Part part;
    private final InstantSource clock;
    private final Shared shared;
    private final Apps apps;
    private final Calendars calendars;
    private final IngestQueue ingestQueue;
    private final TargetQueues targets;

    Instance(Part part) {
      this.part = part;
      this.clock = tampering.clock(part, new SkewedClock(link));
      this.apps = tampering.apps(part, stores.apps());
      this.calendars = tampering.calendars(part, stores.calendars());
      this.ingestQueue = tampering.ingest(part, stores.queues());
      this.targets = tampering.targets(part, stores.targets());
      Schedules schedules = tampering.schedules(part, stores.schedules());
      this.shared =
          new Shared(
              schedules,
              new CompiledSchedules(schedules, calendars, PARSER),
              tampering.timers(part, stores.timers()),
              tampering.jobs(part, stores.jobs()),
              tampering.backfills(part, stores.backfills()),
              tampering.gates(part, stores.gates()),
              tampering.checks(part, stores.queues()),
              OptimisticUpdate.uncounted());
    }

    public Master master() {
      return new Master(
          shared,
          PARSER,
          () -> false,
          stores.status(),
          Duration.ofMinutes(1),
          IN_TURN,
          clock,
          Metrics.NONE);
    }

    public Ingest ingest() {
      return new Ingest(shared, ingestQueue, stores.queues(), clock, IN_TURN, Metrics.NONE);
    }

    public Checker checker() {
      return new Checker(shared, new Requests(POLICY), targets, IN_TURN, clock, this::sleep);
    }

    Api api() {
      return new Api(
          new Api.Ports(
              shared.schedules(),
              apps,
              calendars,
              shared.timers(),
              shared.jobs(),
              shared.backfills(),
              shared.gates(),
              stores.status(),
              shared.checks(),
              ingestQueue,
              targets,
              List::of),
          PARSER,
          POLICY,
          IN_TURN,
          shared.updates(),
          clock,
          this::sleep,
          () -> new UUID(link.chance().any(), link.chance().any()),
          failure -> failure instanceof Unavailable unavailable && unavailable.isThrottled(),
          (scenario, deadline) -> {
            throw new IllegalStateException("nobody simulates here");
          });
    }

    public Deadline deadline() {
      return new Deadline(clock.instant().plusMillis(part.timeout).minus(RESERVE), clock);
    }

    private void sleep(Duration rest) {
      link.steps().pause(rest.toMillis() + 1);
    }
  }

  /** Has an instance of the function do something; {@code onEnd} is told when that is over. */
  public void invoke(Part part, Consumer<Instance> work, Consumer<Task> onEnd) {
    Deque<Instance> idle = warm.get(part);
    Instance[] used = new Instance[1];
    link.steps()
        .begin(
            part.name().toLowerCase(Locale.ROOT),
            part.timeout,
            () -> {
              Instance instance = idle == null || idle.isEmpty() ? new Instance(part) : idle.pop();
              used[0] = instance;
              work.accept(instance);
            },
            task -> {
              if (task.hasTimedOut()) {
                link.faults().count(FaultKind.KILL_TIMEOUT);
              }
              if (!task.isKilled() && idle != null) {
                idle.push(used[0]);
              }
              link.trace()
                  .add(
                      link.steps().now(),
                      () ->
                          task.name + "#" + task.number + (task.isKilled() ? " killed" : " ends"));
              onEnd.accept(task);
            });
  }
}
