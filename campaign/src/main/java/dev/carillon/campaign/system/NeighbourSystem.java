package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.campaign.engine.EventSource;
import dev.carillon.campaign.engine.EventSource.Settings;
import dev.carillon.campaign.engine.FaultPlan;
import dev.carillon.campaign.engine.FaultProfile;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.Queue.Message;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Simulator;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.engine.Trace;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.NeighbourHistory;
import dev.carillon.campaign.judge.NeighbourHistory.Arrival;
import dev.carillon.campaign.judge.Tenant.Due;
import dev.carillon.campaign.judge.TenantLoad;
import dev.carillon.campaign.scenario.NeighbourScenario;
import dev.carillon.campaign.scenario.NeighbourScenario.Document;
import dev.carillon.campaign.scenario.NeighbourScenario.Load;
import dev.carillon.campaign.scenario.NeighbourScenario.Machine;
import dev.carillon.campaign.scenario.NeighbourScenario.Resumption;
import dev.carillon.campaign.scenario.NeighbourScenario.SentEvent;
import dev.carillon.campaign.system.Functions.Stores;
import dev.carillon.campaign.system.SimTargets.Delivery;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.OverdueCheck;
import dev.carillon.checker.CheckMessages;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobLists;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.SuspendMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The whole system without faults, in which work takes time. Event sources and time-outs are those
 * of the template.
 */
public final class NeighbourSystem {

  private static final int SHARDS = 2;
  private static final long MINUTE = 60_000;
  private static final long INGEST_WINDOW = 1_000;
  private static final String USER = "a user";

  /** How many fires the end of a suspension hands over at once; the next tick takes the others. */
  private static final int HANDED_OVER = 1_000;

  /** How long the end of a suspension takes at most; a tick meanwhile finds no further fires. */
  private static final long RESUMING = 5_000;

  private final NeighbourScenario scenario;

  private final Simulator simulator;
  private final Link link;
  private final Tampering tampering;
  private final MemoryTimers timers = new MemoryTimers(SHARDS);
  private final SimSchedules schedules;
  private final EventSource<String> checks;
  private final EventSource<OverdueCheck> overdue;
  private final EventSource<String> ingest;
  private final SimTargets targets;
  private final Functions functions;
  private final List<Violation> failures = new ArrayList<>();

  private NeighbourSystem(
      NeighbourScenario scenario, long seed, Workers workers, Tampering tampering, Trace trace) {
    this.scenario = scenario;
    this.tampering = tampering;
    this.simulator = new Simulator(workers, new SeededRandom(seed), scenario.start());
    SeededRandom random = new SeededRandom(seed + 1);
    FaultPlan faults = FaultPlan.of(FaultProfile.none(), random, simulator, scenario.start(), null);
    this.link = new Link(simulator, faults, random, trace, true);
    Machine machine = scenario.machine();
    WorkCosts costs =
        new WorkCosts(
            simulator, new SeededRandom(seed + 2), machine, scenario.loud().tenant().namespace());
    link.takeTime(costs::latency);
    MemoryJobs storedJobs = new MemoryJobs(SHARDS);
    MemoryGates storedGates = new MemoryGates(storedJobs);
    this.schedules = new SimSchedules(new MemorySchedules(timers, storedGates), link);
    SimJobs jobs = new SimJobs(storedJobs, link);
    this.checks =
        source(
            new Settings("check", 10, 0, machine.checkers(), 1_000),
            check -> "",
            (batch, end) -> check(batch, check -> check, end));
    this.overdue =
        source(
            new Settings("overdue", 10, 0, machine.overdueCheckers(), 1_000),
            OverdueCheck::group,
            (batch, end) -> check(batch, late -> CheckJson.write(late.check()), end));
    this.ingest =
        source(new Settings("ingest", 1_000, INGEST_WINDOW, 10, 10), event -> "", this::ingest);
    SimGates gates = new SimGates(storedGates, jobs, link);
    Consumer<String> ends = end -> ingest.accept(end, 0);
    this.targets =
        new SimTargets(
            link,
            ends,
            new ProgramRuns(simulator, new SeededRandom(seed + 3), ends),
            tampering::deduplicationId);
    this.functions =
        new Functions(
            new Stores(
                schedules,
                new SimApps(link),
                new SimCalendars(new MemoryCalendars(), link),
                jobs,
                new MemoryJobLists(storedJobs),
                jobs,
                gates,
                new SimPools(storedGates.pools(), gates, link),
                new SimTimers(timers, link),
                new SimStatus(link),
                new SimQueues(
                    checks,
                    late -> overdue.accept(late, 0),
                    ingest,
                    link,
                    new Versions(null, faults)),
                targets),
            link,
            tampering,
            costs);
  }

  private <M> EventSource<M> source(
      Settings settings,
      Function<M, String> group,
      BiConsumer<List<Message<M>>, Consumer<@Nullable Set<String>>> handler) {
    return new EventSource<>(settings, simulator, link.random(), group, handler);
  }

  /**
   * Plays a scenario.
   *
   * @param isLoud whether the loud namespace has its load; otherwise it has no schedules
   */
  public static NeighbourHistory play(
      NeighbourScenario scenario,
      boolean isLoud,
      long seed,
      Workers workers,
      Tampering tampering,
      Trace trace) {
    NeighbourSystem system = new NeighbourSystem(scenario, seed, workers, tampering, trace);
    system.begin(scenario.quiet());
    if (isLoud) {
      system.begin(scenario.loud());
    }
    return system.run();
  }

  /** What the functions do for the loud namespace. */
  public static TenantLoad load(NeighbourScenario scenario) {
    Load loud = scenario.loud();
    Machine machine = scenario.machine();
    boolean hasEvents = !loud.events().isEmpty();
    boolean hasRate = loud.tenant().rate() != null;
    return new TenantLoad(
        possibleFrom(scenario),
        WorkCosts.ofLaunch(machine, hasEvents, hasRate),
        hasEvents || hasRate ? 1 : Check.MOST_SUBJECTS,
        WorkCosts.slowest(machine) + (hasEvents ? INGEST_WINDOW : 0));
  }

  /** When the launches of the loud namespace can begin, in order. */
  private static List<Long> possibleFrom(NeighbourScenario scenario) {
    long resumed =
        scenario.loud().resumed().stream().mapToLong(Resumption::at).findFirst().orElse(0);
    long later = resumed + RESUMING - scenario.start();
    long nextTick = scenario.start() + (later + MINUTE - 1) / MINUTE * MINUTE;
    List<Long> from = new ArrayList<>();
    for (Due due : scenario.loud().tenant().launches()) {
      boolean isHandedOver = resumed == 0 || from.size() < HANDED_OVER;
      from.add(Math.max(due.at(), isHandedOver ? resumed : nextTick));
    }
    return from.stream().sorted().toList();
  }

  private void begin(Load load) {
    String namespace = load.tenant().namespace();
    load.documents().forEach(document -> store(namespace, document));
    for (SentEvent event : load.events()) {
      simulator.at(event.at(), () -> ingest.accept(event.body(), 0));
    }
    for (Resumption resumed : load.resumed()) {
      simulator.at(resumed.at(), () -> resume(namespace, resumed.schedule()));
    }
  }

  /** Stores a schedule as it was before the scenario began. */
  private void store(String namespace, Document document) {
    ScheduleId id = new ScheduleId(namespace, document.name());
    Instant created = Instant.ofEpochMilli(document.createdAt());
    Schedule schedule = Work.FREE_PARSER.parse(id, Json.readObject(document.text()), created);
    schedules.store(Lifecycle.create(null, schedule, created, USER));
    if (document.isSuspended()) {
      Suspension suspension = new Suspension(SuspendMode.BACKLOG, null, null, USER, created);
      schedules.store(Lifecycle.suspend(schedules.stored(id), schedule, suspension));
    }
  }

  private void resume(String namespace, String schedule) {
    functions.invoke(
        FunctionName.API,
        instance -> answer(instance.answer(RequestBodies.resume(namespace, schedule))),
        this::note);
  }

  private void answer(APIGatewayProxyResponseEvent it) {
    if (it.getStatusCode() >= 300) {
      failures.add(new Violation("api", it.getBody()));
    }
  }

  private NeighbourHistory run() {
    for (long tick = scenario.start(); tick < scenario.end(); tick += MINUTE) {
      simulator.at(tick, this::tick);
    }
    simulator.run(scenario.end());
    failures.addAll(simulator.failures());
    addDeadLetters("check", checks.deadLetters());
    addDeadLetters("overdue", overdue.deadLetters());
    addDeadLetters("ingest", ingest.deadLetters());
    return new NeighbourHistory(
        scenario.end(),
        targets.deliveries().stream().map(NeighbourSystem::arrival).toList(),
        failures);
  }

  private void addDeadLetters(String queue, List<?> messages) {
    if (!messages.isEmpty()) {
      failures.add(new Violation(queue, messages.size() + " messages became dead letters"));
    }
  }

  private static Arrival arrival(Delivery delivery) {
    ScheduleId id = delivery.request().job().schedule();
    JsonNode body = Json.readObject(delivery.request().body());
    long due = Instant.parse(body.path("due").asText()).toEpochMilli();
    return new Arrival(id.namespace(), new Due(id.name(), due), delivery.at());
  }

  private void tick() {
    functions.invoke(
        FunctionName.MASTER, instance -> instance.master().tick(instance.deadline()), this::note);
  }

  private void note(Task task) {
    if (task.hasTimedOut()) {
      failures.add(new Violation(task.name, "ran into its time-out"));
    } else if (task.failure() != null) {
      failures.add(new Violation(task.name, task.failure().toString()));
    }
  }

  private <M> void check(
      List<Message<M>> batch, Function<M, String> body, Consumer<@Nullable Set<String>> end) {
    List<CheckMessages.Message> received =
        batch.stream()
            .map(m -> new CheckMessages.Message(m.id(), body.apply(m.body()), m.receives()))
            .toList();
    invoke(
        FunctionName.CHECKER,
        instance -> tampering.check(instance.checks(), received, instance.deadline()),
        end);
  }

  private void ingest(List<Message<String>> batch, Consumer<@Nullable Set<String>> end) {
    List<Ingest.Received> received =
        batch.stream()
            .map(m -> new Ingest.Received(m.id(), m.body(), Optional.empty(), m.receives()))
            .toList();
    invoke(
        FunctionName.INGEST,
        instance -> instance.ingest().handle(received, instance.deadline()),
        end);
  }

  private void invoke(
      FunctionName function,
      Function<Functions.Instance, Set<String>> work,
      Consumer<@Nullable Set<String>> end) {
    Set<String> failed = new HashSet<>();
    functions.invoke(
        function,
        instance -> failed.addAll(work.apply(instance)),
        task -> {
          note(task);
          end.accept(task.isKilled() || task.failure() != null ? null : failed);
        });
  }
}
