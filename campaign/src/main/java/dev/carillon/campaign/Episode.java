package dev.carillon.campaign;

import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.Functions.Stores;
import dev.carillon.campaign.Queue.Message;
import dev.carillon.campaign.Weather.Blow;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.Judge;
import dev.carillon.campaign.judge.Judge.Verdict;
import dev.carillon.check.Check;
import dev.carillon.checker.Checker;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import dev.carillon.ingest.Ingest;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryTimers;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The whole system, once, through one scenario. */
final class Episode {

  static {
    Witness.listen();
  }

  private static final long MINUTE = 60_000;
  private static final int SHARDS = 2;

  private final Scenario scenario;
  private final Tampering tampering;
  private final Trace trace;
  private final Steps steps;
  private final Weather weather;
  private final Link link;
  private final MemoryJobs jobRows = new MemoryJobs(SHARDS);
  private final SimJobs jobs;
  private final GateWatch watch;
  private final BackfillWatch backfillWatch;
  private final SimQueues queues;
  private final SimTargets targets;
  private final Functions functions;
  private final Users users;
  private final Deployers deployers;

  /** What came of an episode. */
  record Outcome(
      History history, Verdict verdict, Map<FaultKind, Long> injected, int calls, Trace trace) {}

  private Episode(
      Scenario scenario, Workers workers, long seed, Tampering tampering, Trace trace, Sky sky) {
    this.scenario = scenario;
    this.tampering = tampering;
    this.trace = trace;
    this.steps = new Steps(workers, new Chance(seed * 4 + 1), scenario.start());
    Chance faults = new Chance(seed * 4 + 2);
    this.weather =
        sky.spared() == null
            ? Weather.calm(faults, steps, scenario, sky.blow())
            : Weather.random(faults, steps, scenario, sky.spared());
    this.link =
        new Link(steps, weather, new Chance(seed * 4 + 3), trace, tampering.recognisesOwnWrites());
    MemoryTimers timers = new MemoryTimers(SHARDS);
    MemorySchedules scheduleRows = new MemorySchedules(timers);
    SimSchedules schedules = new SimSchedules(scheduleRows, link);
    this.jobs = new SimJobs(jobRows, link);
    Queue<Check> checks = new Queue<>("check", link, 10, 20, weather::checksFrom, this::check);
    Queue<String> ingest = new Queue<>("ingest", link, 1_000, 1_000, steps::now, this::ingest);
    this.queues = new SimQueues(checks, ingest, link);
    this.targets = new SimTargets(link, end -> ingest.accept(end, 0));
    MemoryGates gateRows = new MemoryGates(jobRows);
    this.watch = new GateWatch(scheduleRows, jobRows, gateRows, scenario);
    SimGates gates = new SimGates(gateRows, jobs, link);
    this.backfillWatch = new BackfillWatch(jobRows);
    link.watch(
        () -> {
          watch.look(steps.now());
          backfillWatch.look();
        });
    this.functions =
        new Functions(
            new Stores(
                schedules,
                new SimApps(link),
                new SimCalendars(calendars(scenario), link),
                jobs,
                jobs,
                gates,
                new SimTimers(timers, link),
                new SimStatus(link),
                queues,
                targets),
            link,
            tampering);
    this.users =
        new Users(
            functions,
            ingest,
            link,
            scenario.faultsTo() + scenario.repair(),
            !scenario.reports().isEmpty());
    this.deployers = new Deployers(users, link, !scenario.reports().isEmpty());
  }

  /**
   * Which faults there are.
   *
   * @param spared the kinds of random faults that do not strike; null for no random faults
   * @param blow a single fault; null for none
   */
  record Sky(@Nullable Set<FaultKind> spared, @Nullable Blow blow) {
    static Sky stormy(Set<FaultKind> spared) {
      return new Sky(spared, null);
    }

    static Sky calm() {
      return new Sky(null, null);
    }

    static Sky struck(Blow blow) {
      return new Sky(null, blow);
    }
  }

  /** A random scenario with random faults. */
  static Outcome random(
      long seed, Workers workers, Tampering tampering, Set<FaultKind> spared, boolean traced) {
    Scenario scenario = new Additions(seed).to(new ScenarioMaker(new Chance(seed * 4)).make());
    return run(scenario, seed, workers, tampering, Sky.stormy(spared), traced);
  }

  static Outcome run(
      Scenario scenario, long seed, Workers workers, Tampering tampering, Sky sky, boolean traced) {
    return new Episode(scenario, workers, seed, tampering, new Trace(traced), sky).play();
  }

  /** What users have stored before. */
  private static MemoryCalendars calendars(Scenario scenario) {
    MemoryCalendars calendars = new MemoryCalendars();
    if (!scenario.calendar().isEmpty()) {
      String document = Texts.calendar(scenario.firstStretches());
      NamedCalendar first = new CalendarReader(ZoneOffset.UTC).read(Json.readObject(document));
      CalendarId id = new CalendarId("default", Scenario.CALENDAR);
      Instant before = Instant.ofEpochMilli(scenario.start()).minusSeconds(3_600);
      calendars.save(null, StoredCalendar.created(id, first, before, "a user"));
    }
    return calendars;
  }

  private Outcome play() {
    if (scenario.refusal() != null && weather.allows(FaultKind.TARGET_REFUSES)) {
      targets.refuse(scenario.refusal().from(), scenario.refusal().to());
    }
    weather.begin();
    scenario.scripts().forEach(users::carryOut);
    scenario.facts().forEach(users::announce);
    users.report(scenario.reports());
    scenario.deployments().forEach(deployers::carryOut);
    if (!scenario.calendar().isEmpty()) {
      users.exclude(scenario.calendar().subList(1, scenario.calendar().size()));
    }
    for (long tick = scenario.firstTick(); tick < scenario.end(); tick += MINUTE) {
      steps.at(tick, this::tick);
    }
    steps.run(scenario.end());
    History history =
        new Historian(
                scenario,
                weather,
                steps,
                users,
                deployers,
                targets,
                queues,
                jobs,
                watch,
                backfillWatch)
            .tell(jobRows);
    return new Outcome(history, Judge.of(history), weather.injected(), weather.calls(), trace);
  }

  private void tick() {
    if (!weather.letsMasterTick() || weather.strikes(FaultKind.TICK_MISSED)) {
      return;
    }
    if (weather.strikes(FaultKind.TICK_LATE)) {
      steps.at(steps.now() + weather.millis(20_000, 65_000), this::invokeMaster);
      return;
    }
    invokeMaster();
    if (weather.strikes(FaultKind.TICK_DOUBLED)) {
      steps.at(steps.now() + weather.millis(0, 3_000), this::invokeMaster);
    }
  }

  private void invokeMaster() {
    if (!weather.letsMasterTick()) {
      return;
    }
    functions.invoke(
        Part.MASTER, instance -> instance.master().tick(instance.deadline()), task -> {});
  }

  private void check(Queue<Check> queue, List<Message<Check>> batch) {
    List<Checker.Received> received =
        batch.stream().map(m -> new Checker.Received(m.id(), m.body(), m.receives())).toList();
    handle(
        Part.CHECKER,
        queue,
        batch,
        (instance, failed) -> {
          tampering.beforeCheck(batch.stream().flatMap(m -> m.body().jobs().stream()).toList());
          failed.addAll(instance.checker().handle(received, instance.deadline()));
        });
  }

  private void ingest(Queue<String> queue, List<Message<String>> batch) {
    List<Ingest.Received> received =
        batch.stream().map(m -> new Ingest.Received(m.id(), m.body())).toList();
    handle(
        Part.INGEST,
        queue,
        batch,
        (instance, failed) ->
            failed.addAll(instance.ingest().handle(received, instance.deadline())));
  }

  private interface Handling {
    void handle(Functions.Instance instance, Set<String> failed);
  }

  private <M> void handle(Part part, Queue<M> queue, List<Message<M>> batch, Handling handling) {
    if (tampering.acknowledgesEarly()) {
      queue.delete(batch, Set.of());
    }
    Set<String> failed = new HashSet<>();
    trace.add(
        steps.now(),
        () -> queue.name() + " hands out " + batch.stream().map(m -> m.id() + m.body()).toList());
    functions.invoke(
        part,
        instance -> handling.handle(instance, failed),
        task -> {
          if (!task.isKilled() && task.failure() == null) {
            queue.delete(batch, tampering.acknowledgesFailures() ? Set.of() : failed);
          } else if (task.failure() != null) {
            trace.add(steps.now(), () -> task.name + "#" + task.number + ": " + task.failure());
          }
        });
  }
}
