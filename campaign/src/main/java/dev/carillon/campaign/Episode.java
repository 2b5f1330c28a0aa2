package dev.carillon.campaign;

import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.FaultPlan;
import dev.carillon.campaign.engine.FaultProfile;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.LogCapture;
import dev.carillon.campaign.engine.Queue;
import dev.carillon.campaign.engine.Queue.Message;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Simulator;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.engine.Trace;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Damage;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.Judge;
import dev.carillon.campaign.judge.Judge.Verdict;
import dev.carillon.campaign.judge.PoolFacts;
import dev.carillon.campaign.scenario.CallbackScenarios;
import dev.carillon.campaign.scenario.ConstraintScenarios;
import dev.carillon.campaign.scenario.DamagePlan;
import dev.carillon.campaign.scenario.DamagePlan.Damaged;
import dev.carillon.campaign.scenario.FurtherDamage;
import dev.carillon.campaign.scenario.PoolScenarios;
import dev.carillon.campaign.scenario.PullScenarios;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.ScenarioExtras;
import dev.carillon.campaign.scenario.ScenarioGenerator;
import dev.carillon.campaign.scenario.WorkerScenarios;
import dev.carillon.campaign.system.AppUsers;
import dev.carillon.campaign.system.BackfillInvariants;
import dev.carillon.campaign.system.CallbackInvariants;
import dev.carillon.campaign.system.DamagedItem;
import dev.carillon.campaign.system.DamagedStores;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Functions;
import dev.carillon.campaign.system.Functions.Stores;
import dev.carillon.campaign.system.GateInvariants;
import dev.carillon.campaign.system.MemoryContents;
import dev.carillon.campaign.system.NewerRows;
import dev.carillon.campaign.system.PoolMessages;
import dev.carillon.campaign.system.PoolRecorder;
import dev.carillon.campaign.system.PoolUsers;
import dev.carillon.campaign.system.ProgramRuns;
import dev.carillon.campaign.system.PulledClaims;
import dev.carillon.campaign.system.Pullers;
import dev.carillon.campaign.system.RequestBodies;
import dev.carillon.campaign.system.SentReport;
import dev.carillon.campaign.system.SimApps;
import dev.carillon.campaign.system.SimCalendars;
import dev.carillon.campaign.system.SimGates;
import dev.carillon.campaign.system.SimJobs;
import dev.carillon.campaign.system.SimPools;
import dev.carillon.campaign.system.SimQueues;
import dev.carillon.campaign.system.SimSchedules;
import dev.carillon.campaign.system.SimStatus;
import dev.carillon.campaign.system.SimTargets;
import dev.carillon.campaign.system.SimTimers;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.campaign.system.TrackedWorkers;
import dev.carillon.campaign.system.Users;
import dev.carillon.campaign.system.Versions;
import dev.carillon.campaign.system.Work;
import dev.carillon.check.CheckJson;
import dev.carillon.checker.CheckMessages;
import dev.carillon.document.Json;
import dev.carillon.gate.Slots;
import dev.carillon.id.CalendarId;
import dev.carillon.id.JobId;
import dev.carillon.ingest.Ingest;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobLists;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.report.ReportMessages;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of the whole system through one scenario. */
final class Episode {

  static {
    LogCapture.install();
  }

  private static final long MINUTE = 60_000;

  /** One read of the index finds this many schedules of an event key, if there are many. */
  private static final int SMALL_PAGE = 3;

  private static final int SHARDS = 2;

  /** Distinguishes the random numbers of counted messages from others. */
  private static final long COUNTS = 1L << 42;

  /** Distinguishes the random numbers of damage from those of the {@link ScenarioExtras}. */
  private static final long DAMAGES = 1L << 40;

  /**
   * Distinguishes the random numbers of the later kinds of damage from those of the first kinds.
   */
  private static final long LATER_DAMAGES = 1L << 49;

  /** Distinguishes the random numbers of planned replacements from others. */
  private static final long REPLACEMENTS = 1L << 51;

  /** Distinguishes the random numbers of damage of apps and of the master from others. */
  private static final long LAST_DAMAGES = 1L << 52;

  /** Distinguishes the random numbers of the copies of the index of event keys from others. */
  private static final long COPIES = 1L << 41;

  /** Distinguishes the random numbers of the copies of the other indexes from others. */
  private static final long OTHER_COPIES = 1L << 47;

  /** Distinguishes the random numbers of another version of the functions from others. */
  private static final long VERSIONS = 1L << 44;

  /** The longest time, in milliseconds, until an index shows a change. */
  private static final long INDEX_LAG = 5_000;

  /**
   * After a check message was received this often, the checker can postpone the jobs in it, so the
   * episode records these jobs as postponed.
   */
  private static final int SUSPECT_RECEIVES = 5;

  private final Scenario scenario;
  private final Tampering tampering;
  private final Trace trace;
  private final Simulator simulator;
  private final FaultPlan faults;
  private final Link link;
  private final MemoryJobs storedJobs = new MemoryJobs(SHARDS);
  private final SimJobs jobs;
  private final GateInvariants gateInvariants;
  private final BackfillInvariants backfillInvariants;
  private final CallbackInvariants callbackInvariants;
  private final @Nullable PoolRecorder poolRecorder;
  private final PulledClaims pulled;
  private final PoolUsers poolUsers;
  private final Versions versions;
  private final SimQueues queues;
  private final SimTargets targets;
  private final ProgramRuns programRuns;
  private final Functions functions;
  private final @Nullable DamagedItem damage;
  private final Users users;
  private final AppUsers appUsers;
  private final TrackedWorkers trackedWorkers;
  private final Pullers pullers;
  private final Map<JobId, Long> postponed = new HashMap<>();

  /** The result of an episode. */
  record Outcome(
      History history,
      Verdict verdict,
      Map<FaultKind, Long> injected,
      int calls,
      int writes,
      BitSet firstWrites,
      Trace trace) {}

  /**
   * The disturbances that some episodes have in addition to the faults of their profile.
   *
   * @param damage the item that becomes unreadable
   * @param copies draws which copy of the index of event keys a read comes from
   * @param otherCopies draws which copies of the other indexes reads come from
   * @param versions draws what another version of the functions does
   */
  private record Additions(
      @Nullable DamagePlan damage,
      @Nullable SeededRandom copies,
      @Nullable SeededRandom otherCopies,
      @Nullable SeededRandom versions) {
    static final Additions NONE = new Additions(null, null, null, null);
  }

  private Episode(
      Scenario scenario,
      Workers workers,
      long seed,
      Tampering tampering,
      Trace trace,
      FaultProfile profile,
      Additions additions) {
    DamagePlan plan = additions.damage();
    SeededRandom copies = additions.copies();
    SeededRandom otherCopies = additions.otherCopies();
    this.scenario = scenario;
    this.tampering = tampering;
    this.trace = trace;
    this.simulator = new Simulator(workers, new SeededRandom(seed * 4 + 1), scenario.start());
    SeededRandom random = new SeededRandom(seed * 4 + 2);
    this.faults = FaultPlan.of(profile, random, simulator, scenario.faultsTo(), scenario.outage());
    this.link =
        new Link(
            simulator,
            faults,
            new SeededRandom(seed * 4 + 3),
            trace,
            tampering.recognisesOwnWrites());
    MemoryTimers timers = new MemoryTimers(SHARDS);
    MemoryGates storedGates = new MemoryGates(storedJobs, Slots.none(tampering.roomForSlots()));
    MemorySchedules storedSchedules = new MemorySchedules(timers, storedGates);
    int page = scenario.fansOut() ? SMALL_PAGE : Integer.MAX_VALUE;
    SimSchedules schedules = new SimSchedules(storedSchedules, link, page, copies, otherCopies);
    this.jobs = new SimJobs(storedJobs, link, otherCopies);
    this.versions = new Versions(additions.versions(), faults);
    Queue<String> checks = new Queue<>("check", link, 10, 20, faults::checksFrom, this::check);
    Queue<String> overdue =
        new Queue<>("overdue", link, 10, 1_000, faults::checksFrom, this::check);
    Queue<String> ingest = new Queue<>("ingest", link, 1_000, 1_000, simulator::now, this::ingest);
    this.queues =
        new SimQueues(
            checks,
            late -> overdue.accept(versions.check(CheckJson.write(late.check())), 0),
            ingest,
            link,
            versions);
    this.programRuns =
        new ProgramRuns(
            simulator, new SeededRandom(~(seed * 4 + 1)), event -> ingest.accept(event, 0));
    this.targets =
        new SimTargets(link, end -> ingest.accept(end, 0), programRuns, tampering::deduplicationId);
    this.gateInvariants = new GateInvariants(storedJobs, storedGates, scenario);
    SimGates gates = new SimGates(storedGates, jobs, link, otherCopies);
    this.backfillInvariants = new BackfillInvariants(storedJobs);
    this.callbackInvariants = new CallbackInvariants(storedJobs);
    targets.callBack(callbackInvariants::arrived);
    MemoryCalendars storedCalendars = calendars(scenario);
    this.pulled = new PulledClaims(storedSchedules, storedCalendars);
    PoolMessages messages = new PoolMessages(simulator, new SeededRandom(~seed * 4 + COUNTS));
    targets.count(messages);
    scenario.pool().stream().limit(1).forEach(it -> PoolRecorder.store(it, storedGates.pools()));
    this.poolRecorder =
        scenario.pool().isEmpty()
            ? null
            : new PoolRecorder(storedJobs, storedGates.pools(), messages, pulled);
    SimStatus status = new SimStatus(link);
    SimApps apps = new SimApps(link);
    Stores present =
        new Stores(
            schedules,
            apps,
            new SimCalendars(storedCalendars, link),
            jobs,
            new MemoryJobLists(storedJobs),
            jobs,
            gates,
            new SimPools(storedGates.pools(), gates, link),
            new SimTimers(timers, link),
            status,
            queues,
            targets);
    Stores stores =
        additions.versions() == null
            ? present
            : new NewerRows(additions.versions(), tampering::ofNewerVersion).over(present);
    this.damage =
        plan == null
            ? null
            : new DamagedItem(
                plan,
                link,
                new MemoryContents(
                    storedSchedules,
                    storedJobs,
                    storedCalendars,
                    storedGates,
                    timers,
                    apps,
                    status),
                plan.program(scenario),
                plan.concerned(scenario),
                gateInvariants::forget);
    link.afterEachCall(this::checkInvariants);
    if (poolRecorder != null) {
      link.afterEachWrite(
          () -> poolRecorder.observe(simulator.now(), simulator.current().latestClock));
    }
    this.functions =
        new Functions(
            damage == null ? stores : new DamagedStores(damage).over(stores),
            link,
            tampering,
            Work.FREE);
    this.users =
        new Users(
            functions,
            ingest,
            link,
            scenario.faultsTo() + scenario.repair(),
            !scenario.reports().isEmpty());
    if (damage != null) {
      users.expectFailures(damage::mayFail);
      gateInvariants.exceptUnreadable(damage::isGate);
    }
    if (copies != null) {
      users.sendEventsAfterPuts(new SeededRandom(copies.any()));
    }
    this.poolUsers = new PoolUsers(users, link);
    this.appUsers =
        new AppUsers(
            users,
            link,
            !scenario.reports().isEmpty(),
            otherCopies == null ? INDEX_LAG : 2 * INDEX_LAG);
    Queue<SentReport> reports = new Queue<>("report", link, 10, 20, simulator::now, this::report);
    this.trackedWorkers = new TrackedWorkers(users, link, scenario.workers(), reports);
    trackedWorkers.count(messages);
    targets.work(trackedWorkers::arrived);
    this.pullers =
        new Pullers(
            users,
            link,
            scenario.workers(),
            trackedWorkers,
            scenario.faultsTo(),
            this::mayHaveMoved);
  }

  /** A random scenario with random faults. */
  static Outcome random(
      long seed, Workers workers, Tampering tampering, Set<FaultKind> disabled, boolean traced) {
    Damaged damaged = damaged(seed);
    Damaged whole = whole(seed, damaged);
    DamagePlan plan = whole.plan();
    boolean isDisabled = plan == null || disabled.contains(plan.item().fault());
    FaultProfile profile = FaultProfile.random(disabled);
    Trace trace = new Trace(traced);
    return new Episode(
            whole.scenario(),
            workers,
            seed,
            tampering,
            trace,
            profile,
            new Additions(
                isDisabled ? null : plan,
                in(4, seed, COPIES, FaultKind.INDEX_STEPPED_BACK, disabled),
                in(4, seed, OTHER_COPIES, FaultKind.READ_STEPPED_BACK, disabled),
                in(5, seed, VERSIONS, FaultKind.UNKNOWN_CHECK, disabled)))
        .play();
  }

  private static Damaged damaged(long seed) {
    Scenario scenario =
        new ScenarioExtras(seed).addTo(new ScenarioGenerator(new SeededRandom(seed * 4)).make());
    Damaged damaged = DamagePlan.in(scenario, new SeededRandom(~seed * 4 + DAMAGES));
    return damaged.plan() == null
        ? FurtherDamage.replaced(scenario, new SeededRandom(~seed * 4 + REPLACEMENTS))
        : damaged;
  }

  /** Whether an item of a later kind becomes unreadable in the episode of a seed. */
  static boolean hasLaterDamage(long seed) {
    Damaged damaged = damaged(seed);
    return damaged.plan() == null && whole(seed, damaged).plan() != null;
  }

  private static Damaged whole(long seed, Damaged damaged) {
    Scenario scenario = scenario(seed, damaged);
    if (damaged.plan() != null) {
      return new Damaged(scenario, damaged.plan());
    }
    Damaged later = DamagePlan.later(scenario, new SeededRandom(~seed * 4 + LATER_DAMAGES));
    return later.plan() == null
        ? FurtherDamage.alone(scenario, new SeededRandom(~seed * 4 + LAST_DAMAGES))
        : later;
  }

  private static Scenario scenario(long seed, Damaged damaged) {
    Scenario worked = new WorkerScenarios(seed).addTo(damaged.scenario());
    if (damaged.plan() != null) {
      return worked;
    }
    Scenario constrained = new ConstraintScenarios(seed).addTo(worked);
    Scenario calling = new CallbackScenarios(seed).addTo(constrained);
    return new PullScenarios(seed).addTo(new PoolScenarios(seed).addTo(calling));
  }

  static Outcome run(
      Scenario scenario,
      long seed,
      Workers workers,
      Tampering tampering,
      FaultProfile profile,
      boolean traced) {
    return new Episode(
            scenario, workers, seed, tampering, new Trace(traced), profile, Additions.NONE)
        .play();
  }

  /**
   * The random numbers of an addition that one of {@code times} episodes has; null in the other
   * episodes.
   */
  private static @Nullable SeededRandom in(
      int times, long seed, long addition, FaultKind fault, Set<FaultKind> disabled) {
    SeededRandom random = new SeededRandom(~seed * 4 + addition);
    return random.oneIn(times) && !disabled.contains(fault) ? random : null;
  }

  private void checkInvariants() {
    if (damage != null) {
      damage.check();
    }
    gateInvariants.check(simulator.now());
    backfillInvariants.check();
  }

  /** The calendars that exist when the episode begins. */
  private static MemoryCalendars calendars(Scenario scenario) {
    MemoryCalendars calendars = new MemoryCalendars();
    if (!scenario.calendar().isEmpty()) {
      String document = RequestBodies.calendar(scenario.initialExclusions());
      NamedCalendar first = new CalendarReader(ZoneOffset.UTC).read(Json.readObject(document));
      CalendarId id = new CalendarId("default", Scenario.CALENDAR);
      Instant before = Instant.ofEpochMilli(scenario.start()).minusSeconds(3_600);
      calendars.save(null, StoredCalendar.created(id, first, before, "a user"));
    }
    return calendars;
  }

  private Outcome play() {
    if (scenario.refusal() != null && faults.allows(FaultKind.TARGET_REFUSES)) {
      targets.refuse(scenario.refusal().from(), scenario.refusal().to());
    }
    faults.begin();
    scenario.scripts().forEach(users::carryOut);
    scenario.producedEvents().forEach(users::announce);
    users.report(scenario.reports());
    scenario.deployments().forEach(appUsers::carryOut);
    poolUsers.carryOut(scenario.pool());
    trackedWorkers.begin();
    pullers.begin();
    if (!scenario.calendar().isEmpty()) {
      users.exclude(scenario.calendar().subList(1, scenario.calendar().size()));
    }
    if (damage != null) {
      damage.begin();
    }
    for (long tick = scenario.firstTick(); tick < scenario.end(); tick += MINUTE) {
      simulator.at(tick, this::tick);
    }
    simulator.run(scenario.end());
    History history =
        new HistoryRecorder(
                scenario,
                faults,
                simulator,
                users,
                appUsers,
                trackedWorkers,
                targets,
                programRuns,
                queues,
                jobs,
                gateInvariants,
                backfillInvariants,
                callbackInvariants,
                pool(),
                pulled,
                pullers,
                postponed)
            .record(storedJobs);
    List<Damage> damages = damage == null ? List.of() : damage.damages();
    return new Outcome(
        history,
        Judge.of(history, damages),
        faults.injected(),
        faults.calls(),
        faults.writes(),
        faults.firstWrites(),
        trace);
  }

  private PoolFacts pool() {
    return poolRecorder == null
        ? PoolFacts.NONE
        : poolRecorder.facts(poolUsers.versions(), pullers.calls());
  }

  /**
   * An invocation that takes its own choice for that of another one does not store the rows of the
   * choice, as if it had failed.
   */
  private void mayHaveMoved(Task task) {
    boolean hasFailed = task.isKilled() || task.failedCalls > 0;
    if (poolRecorder != null && (hasFailed || task.unrecognised.contains("pools.update"))) {
      poolRecorder.disturbed(simulator.now());
    }
  }

  private void tick() {
    if (!faults.isMasterRunning() || faults.inject(FaultKind.TICK_MISSED)) {
      return;
    }
    if (faults.inject(FaultKind.TICK_LATE)) {
      simulator.at(simulator.now() + faults.millis(20_000, 65_000), this::invokeMaster);
      return;
    }
    invokeMaster();
    if (faults.inject(FaultKind.TICK_DOUBLED)) {
      simulator.at(simulator.now() + faults.millis(0, 3_000), this::invokeMaster);
    }
  }

  private void invokeMaster() {
    if (!faults.isMasterRunning()) {
      return;
    }
    functions.invoke(
        FunctionName.MASTER, instance -> instance.master().tick(instance.deadline()), task -> {});
  }

  private void check(Queue<String> queue, List<Message<String>> batch) {
    boolean isNewer = versions.isNewer();
    batch.stream()
        .filter(message -> message.receives() >= SUSPECT_RECEIVES)
        .flatMap(message -> jobs(message.body()))
        .forEach(job -> postponed.putIfAbsent(job, simulator.now()));
    List<CheckMessages.Message> received =
        batch.stream().map(message -> received(message, isNewer)).toList();
    handle(
        FunctionName.CHECKER,
        queue,
        batch,
        (instance, failed) -> {
          tampering.beforeCheck(batch.stream().flatMap(m -> jobs(m.body())).toList());
          failed.addAll(tampering.check(instance.checks(), received, instance.deadline()));
        });
  }

  private CheckMessages.Message received(Message<String> message, boolean isNewer) {
    String body = versions.received(message.body(), isNewer);
    return new CheckMessages.Message(message.id(), body, message.receives());
  }

  private Stream<JobId> jobs(String body) {
    return CheckJson.read(versions.known(body)).known().subjects().stream()
        .filter(JobId.class::isInstance)
        .map(JobId.class::cast);
  }

  private void ingest(Queue<String> queue, List<Message<String>> batch) {
    List<Ingest.Received> received = batch.stream().map(this::received).toList();
    handle(
        FunctionName.INGEST,
        queue,
        batch,
        (instance, failed) ->
            failed.addAll(instance.ingest().handle(received, instance.deadline())));
  }

  private Ingest.Received received(Message<String> message) {
    String body = tampering.received(FunctionName.INGEST, message.body());
    return new Ingest.Received(message.id(), body, Optional.empty(), message.receives());
  }

  private void report(Queue<SentReport> queue, List<Message<SentReport>> batch) {
    List<ReportMessages.Received> received = batch.stream().map(this::reported).toList();
    handle(
        FunctionName.REPORT,
        queue,
        batch,
        (instance, failed) ->
            failed.addAll(instance.reports().handle(received, instance.deadline())));
  }

  private ReportMessages.Received reported(Message<SentReport> message) {
    SentReport sent = message.body();
    String body = tampering.received(FunctionName.REPORT, sent.body());
    Instant sentAt = Instant.ofEpochMilli(sent.sentAt());
    return new ReportMessages.Received(message.id(), body, sentAt);
  }

  private interface Handling {
    void handle(Functions.Instance instance, Set<String> failed);
  }

  private <M> void handle(
      FunctionName function, Queue<M> queue, List<Message<M>> batch, Handling handling) {
    if (tampering.acknowledgesEarly()) {
      queue.delete(batch, Set.of());
    }
    Set<String> failed = new HashSet<>();
    trace.add(
        simulator.now(),
        () -> queue.name() + " delivers " + batch.stream().map(m -> m.id() + m.body()).toList());
    functions.invoke(
        function,
        instance -> handling.handle(instance, failed),
        task -> {
          mayHaveMoved(task);
          if (!task.isKilled() && task.failure() == null) {
            queue.delete(batch, tampering.acknowledgesFailures() ? Set.of() : failed);
          } else if (task.failure() != null) {
            trace.add(simulator.now(), () -> task.name + "#" + task.number + ": " + task.failure());
          }
        });
  }
}
