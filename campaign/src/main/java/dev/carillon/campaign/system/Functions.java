package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.api.Api;
import dev.carillon.api.ApiPorts;
import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SkewedClock;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.engine.Unavailable;
import dev.carillon.check.Shared;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.Checker;
import dev.carillon.event.IngestQueue;
import dev.carillon.ingest.Ingest;
import dev.carillon.job.Gates;
import dev.carillon.job.JobLists;
import dev.carillon.job.Jobs;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.Master;
import dev.carillon.master.StatusStore;
import dev.carillon.metrics.Metrics;
import dev.carillon.pool.Pools;
import dev.carillon.report.ReportMessages;
import dev.carillon.report.RunReports;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.InstantSource;
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
 * The instances of the functions. An instance handles one invocation at a time, keeps its caches
 * and clock for the next, and is dropped when an invocation was killed.
 */
public final class Functions {

  private static final Duration RESERVE = Duration.ofSeconds(3);
  static final TargetPolicy POLICY =
      new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of());

  private final Stores stores;
  private final Link link;
  private final Tampering tampering;
  private final Work work;
  private final Map<FunctionName, Deque<Instance>> warm = new EnumMap<>(FunctionName.class);

  public Functions(Stores stores, Link link, Tampering tampering, Work work) {
    this.stores = stores;
    this.link = link;
    this.tampering = tampering;
    this.work = work;
    for (FunctionName function : FunctionName.values()) {
      warm.put(function, new ArrayDeque<>());
    }
  }

  /** The stores and queues that all instances share. */
  public record Stores(
      Schedules schedules,
      Apps apps,
      Calendars calendars,
      Jobs jobs,
      JobLists lists,
      Backfills backfills,
      Gates gates,
      Pools pools,
      Timers timers,
      StatusStore status,
      SimQueues queues,
      TargetQueues targets) {}

  /** One instance of a function. */
  public final class Instance {
    private final FunctionName function;
    private final InstantSource clock;
    private final ScheduleParser parser;
    private final Shared shared;
    private final Apps apps;
    private final Calendars calendars;
    private final IngestQueue ingestQueue;
    private final TargetQueues targets;

    Instance(FunctionName function) {
      this.function = function;
      this.clock = tampering.clock(function, new SkewedClock(link));
      this.parser = work.parser();
      this.apps = tampering.apps(function, stores.apps());
      this.calendars = tampering.calendars(function, stores.calendars());
      this.ingestQueue = tampering.ingest(function, stores.queues());
      this.targets = tampering.targets(function, stores.targets());
      Schedules schedules = tampering.schedules(function, stores.schedules());
      this.shared =
          new Shared(
              schedules,
              new CompiledSchedules(schedules, calendars, parser),
              tampering.timers(function, stores.timers()),
              tampering.jobs(function, work.jobs(function, stores.jobs())),
              tampering.backfills(function, stores.backfills()),
              tampering.gates(function, stores.gates()),
              tampering.pools(function, stores.pools()),
              tampering.checks(function, stores.queues()),
              ingestQueue,
              OptimisticUpdate.uncounted());
    }

    public Master master() {
      return new Master(
          shared,
          parser,
          () -> false,
          tampering.status(function, stores.status()),
          Duration.ofMinutes(1),
          work.fanout(),
          clock,
          Metrics.NONE);
    }

    public Ingest ingest() {
      return new Ingest(shared, stores.queues(), clock, work.fanout(), Metrics.NONE);
    }

    public CheckMessages checks() {
      return new CheckMessages(checker(), stores.queues());
    }

    private Checker checker() {
      return new Checker(
          shared,
          new Requests(POLICY),
          targets,
          work.fanout(),
          clock,
          this::sleep,
          tampering.sendingTime(Checker.SENDING_TIME));
    }

    public ReportMessages reports() {
      return new ReportMessages(
          new RunReports(shared, clock), stores.queues(), work.fanout(), Metrics.NONE);
    }

    APIGatewayProxyResponseEvent answer(APIGatewayProxyRequestEvent request) {
      String body = request.getBody();
      return api()
          .handle(
              body == null
                  ? request
                  : request.clone().withBody(tampering.received(FunctionName.API, body)));
    }

    private Api api() {
      return new Api(
          new ApiPorts(
              shared.schedules(),
              apps,
              calendars,
              shared.pools(),
              shared.timers(),
              shared.jobs(),
              stores.lists(),
              shared.backfills(),
              shared.gates(),
              stores.status(),
              shared.checks(),
              ingestQueue,
              targets,
              List::of,
              Duration.ofMinutes(1)),
          parser,
          POLICY,
          work.fanout(),
          shared.updates(),
          clock,
          this::sleep,
          () -> new UUID(link.random().any(), link.random().any()),
          failure -> failure instanceof Unavailable unavailable && unavailable.isThrottled(),
          (scenario, deadline) -> {
            throw new IllegalStateException("simulation is not available in the campaign");
          });
    }

    public Deadline deadline() {
      Deadline real =
          new Deadline(clock.instant().plusMillis(function.timeout).minus(RESERVE), clock);
      return tampering.deadline(function, real);
    }

    private void sleep(Duration rest) {
      link.simulator().pause(rest.toMillis() + 1);
    }
  }

  /** Invokes a function; {@code onEnd} receives the task when it has ended. */
  public void invoke(FunctionName function, Consumer<Instance> work, Consumer<Task> onEnd) {
    Deque<Instance> idle = warm.get(function);
    Instance[] used = new Instance[1];
    link.simulator()
        .begin(
            function.name().toLowerCase(Locale.ROOT),
            function.timeout,
            () -> {
              Instance instance =
                  idle == null || idle.isEmpty() ? new Instance(function) : idle.pop();
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
                      link.simulator().now(),
                      () ->
                          task.name + "#" + task.number + (task.isKilled() ? " killed" : " ends"));
              onEnd.accept(task);
            });
  }
}
