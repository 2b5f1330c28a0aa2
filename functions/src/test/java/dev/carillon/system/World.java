package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Api;
import dev.carillon.api.ApiPorts;
import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.Order;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.checker.Checker;
import dev.carillon.checker.PoolPulls;
import dev.carillon.collect.Collector;
import dev.carillon.document.Json;
import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessages;
import dev.carillon.fires.Expander;
import dev.carillon.gate.Gate;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.gate.Slots;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CalendarId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.UnreadableItems;
import dev.carillon.ingest.Ingest;
import dev.carillon.job.Callback;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.Master;
import dev.carillon.master.StatusStore;
import dev.carillon.memory.MemoryApps;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryJobLists;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemoryRejectedMessages;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryStatus;
import dev.carillon.memory.MemoryTargetQueues;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.metrics.MeteredJobs;
import dev.carillon.metrics.MeteredPools;
import dev.carillon.metrics.Metric;
import dev.carillon.pool.Pools;
import dev.carillon.report.PoolWakeups;
import dev.carillon.report.ReportMessages;
import dev.carillon.report.RunReports;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The functions on in-memory stores and queues, with a clock that tests move. Messages are handled
 * when they become visible; the messages of a function that is killed are received again.
 */
public final class World {

  static final String ACCOUNT = "000000000000";
  private static final Set<String> OF_HEADS = Set.of("heads", "recentHeads", "forLaunch");
  private static final Set<String> OF_ACTIVITIES = Set.of("activity", "claimed", "planChoice");
  private static final Set<String> OF_DEFINITIONS = Set.of("definitions", "recentDefinitions");
  private static final TargetPolicy POLICY =
      new TargetPolicy("us-east-1", ACCOUNT, "", List.of("*"), Set.of());
  private static final Duration FUNCTION_TIMEOUT = Duration.ofSeconds(10);

  public final MemoryTimers timers = new MemoryTimers(2);
  public final MemoryCalendars calendars = new MemoryCalendars();
  public final MemoryJobs jobs = new MemoryJobs(2);
  public final MemoryGates gates;
  public final MemorySchedules schedules;
  public final MemoryStatus status = new MemoryStatus();
  public final MemoryCheckQueue checkQueue = new MemoryCheckQueue();
  public final MemoryTargetQueues targets = new MemoryTargetQueues();
  public final MemoryIngestQueue ingestQueue = new MemoryIngestQueue();
  public final MemoryRejectedMessages rejected = new MemoryRejectedMessages();
  public final SummedMetrics metrics = new SummedMetrics();
  public final OptimisticUpdate updates =
      new OptimisticUpdate(
          () -> metrics.count(Metric.LOST_RACES), () -> metrics.count(Metric.UPDATES_GIVEN_UP));
  public final Faults faults = new Faults();

  /** How long after a gate lets a job through it counts the launch. */
  Duration sendingTime = Duration.ZERO;

  final ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);

  /** Whether the queues do not yet count the messages that they have. */
  boolean countsLate;

  /** When each request arrived at its queue. */
  public final List<Arrival> arrivals = new ArrayList<>();

  private @Nullable JobId poison;
  private @Nullable ScheduleId unsaved;
  private @Nullable ScheduleId unread;
  private final Set<ScheduleId> damagedDefinitions = new HashSet<>();
  private final Set<ScheduleId> damagedHeads = new HashSet<>();
  private final Set<JobId> damagedRows = new HashSet<>();
  private final Set<Object> damagedItems = new HashSet<>();
  private final Set<String> damagedLimits = new HashSet<>();
  private boolean losesChecks;
  private int shards = 2;
  private Instant killedAt = Instant.MAX;
  private @Nullable Duration work;
  private final TreeMap<Instant, List<Ingest.Received>> toIngest = new TreeMap<>();
  private Duration perDefinition = Duration.ZERO;
  private Instant now;
  private InstantSource clock = () -> now;
  private Instant nextTick;
  private int events;
  private int backfills;

  public World(String now) {
    this(now, Slots.NONE);
  }

  /**
   * @param none shows how many slots a gate's item takes
   */
  World(String now, Slots none) {
    this.gates = new MemoryGates(jobs, none);
    this.schedules = new MemorySchedules(timers, gates);
    this.now = Instant.parse(now);
    this.nextTick = this.now;
  }

  /** A request as it arrived. */
  public record Arrival(Instant at, LaunchRequest request) {}

  public Instant now() {
    return now;
  }

  private InstantSource clock() {
    return clock;
  }

  /** Gives a clock to the functions that begin from now on. */
  void giveClock(InstantSource shown) {
    clock = shown;
  }

  Deadline deadline() {
    return new Deadline(now.plus(FUNCTION_TIMEOUT).minusSeconds(2), clock());
  }

  // ---- calls of users

  public ScheduleId put(String name, String document) {
    return put("default", name, document);
  }

  ScheduleId put(String namespace, String name, String document) {
    return put(new ScheduleId(namespace, name), document);
  }

  ScheduleId put(ScheduleId id, String document) {
    Schedule schedule = parser.parse(id, read(document), now);
    Optional<StoredSchedule> stored = schedules.find(id);
    Change change =
        stored
            .map(old -> Lifecycle.replace(old, staleKeys(old), schedule, now, "test"))
            .orElseGet(
                () ->
                    Lifecycle.create(schedules.heads(List.of(id)).get(id), schedule, now, "test"));
    apply(change);
    return id;
  }

  public void delete(ScheduleId id) {
    StoredSchedule stored = schedules.find(id).orElseThrow();
    apply(Lifecycle.delete(stored, staleKeys(stored), now));
  }

  public void suspend(ScheduleId id) {
    StoredSchedule stored = schedules.find(id).orElseThrow();
    Schedule schedule = parser.parseStored(stored.definition());
    Suspension suspension = new Suspension(SuspendMode.DISCARD, "test", "test", now);
    apply(Lifecycle.suspend(stored, schedule, suspension));
  }

  /** Suspends in a mode that keeps jobs, by a request that crashes after the change is stored. */
  void keep(ScheduleId id, SuspendMode mode, @Nullable Instant until) {
    StoredSchedule stored = schedules.find(id).orElseThrow();
    Schedule schedule = parser.parseStored(stored.definition());
    save(Lifecycle.suspend(stored, schedule, new Suspension(mode, null, until, "test", now)));
  }

  /** Resumes by a request that crashes after the change is stored. */
  void resumeAndDie(ScheduleId id) {
    StoredSchedule stored = schedules.find(id).orElseThrow();
    save(Lifecycle.resume(stored, parser.parseStored(stored.definition()), now));
  }

  public void resume(ScheduleId id) {
    StoredSchedule stored = schedules.find(id).orElseThrow();
    apply(Lifecycle.resume(stored, parser.parseStored(stored.definition()), now));
  }

  /** Creates or replaces a calendar. */
  public void calendar(String name, String document) {
    CalendarId id = new CalendarId("default", name);
    NamedCalendar calendar = new CalendarReader(ZoneOffset.UTC).read(read(document));
    StoredCalendar stored = calendars.find(List.of(id)).get(id);
    StoredCalendar next =
        stored == null
            ? StoredCalendar.created(id, calendar, now, "test")
            : stored.changed(calendar, now, "test");
    if (!calendars.save(stored, next)) {
      throw new IllegalStateException("a lost race in a test");
    }
  }

  /**
   * Reports the gauge of a resource.
   *
   * @param ttl null for a value that never expires
   */
  public void report(String resource, int value, @Nullable String ttl) {
    String more = ttl == null ? "" : ", \"ttl\": \"" + ttl + "\"";
    answer("PUT", resource, "{\"value\": %d%s}".formatted(value, more));
  }

  /** Deletes the gauge of a resource. */
  public void remove(String resource) {
    answer("DELETE", resource, null);
  }

  /** Repeats a request until it is answered. */
  private void answer(String method, String resource, @Nullable String body) {
    Map<String, String> path = Map.of("ns", "default", "name", resource);
    request(method, "/v1/namespaces/{ns}/resources/{name}", path, body);
  }

  /** Repeats a request until it is answered. */
  void request(String method, String route, Map<String, String> path, @Nullable String body) {
    APIGatewayProxyRequestEvent request =
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withResource(route)
            .withPathParameters(path)
            .withBody(body);
    Optional<APIGatewayProxyResponseEvent> answer;
    do {
      answer = survive(() -> api().handle(request)).filter(it -> it.getStatusCode() < 500);
    } while (answer.isEmpty());
    if (answer.get().getStatusCode() >= 300) {
      throw new IllegalStateException(answer.get().getBody());
    }
  }

  private void save(Change change) {
    if (!schedules.save(change)) {
      throw new IllegalStateException("a lost race in a test");
    }
  }

  private void apply(Change change) {
    save(change);
    Instant selectionEnd = LookAhead.selectionEnd(now);
    new Expander(timers, checkQueue, clock())
        .expand(
            change.timers().stream().filter(t -> !t.dueAt().isAfter(selectionEnd)).toList(), now);
    Jobs metered = new MeteredJobs(jobs, metrics);
    new Collector(metered, checkQueue, updates, clock()).discard(change.after());
  }

  private Set<String> staleKeys(StoredSchedule stored) {
    return parser.parseStored(stored.definition()).trigger().indexKeys();
  }

  public void launchNow(ScheduleId id) {
    Head head = schedules.heads(List.of(id)).get(id);
    JobId job = JobId.ofLaunchNow(id, head.generation(), now, "hand");
    Schedule schedule = parser.parseStored(schedules.find(id).orElseThrow().definition());
    Job launched = NewJob.launchedNow(job, head.activation(), head.program(), now, Json.object());
    jobs.insert(List.of(Callback.wantedBy(schedule, launched)));
    check(job);
  }

  /** Starts a backfill of the fires after one instant and up to another. */
  public BackfillId backfill(ScheduleId schedule, String from, String to, int concurrency) {
    Head head = schedules.heads(List.of(schedule)).get(schedule);
    List<FireTimes> times =
        new CompiledSchedules(schedules, calendars, parser)
            .of(List.of(head))
            .get(schedule)
            .fireTimes();
    List<Instant> fires = new ArrayList<>();
    Optional<Instant> fire = Fires.next(times, Instant.parse(from)).map(Fire::at);
    while (fire.filter(at -> !at.isAfter(Instant.parse(to))).isPresent()) {
      fires.add(fire.get());
      fire = Fires.next(times, fire.get()).map(Fire::at);
    }
    Order order =
        new Order(
            head.generation(),
            head.activation(),
            head.program(),
            Instant.parse(from),
            Instant.parse(to),
            concurrency,
            fires.size(),
            "test",
            now);
    BackfillId id = new BackfillId(schedule, Integer.toString(++backfills));
    jobs.saveBackfill(null, Backfill.create(id, order, fires.get(0)));
    losing().send(Check.of(now, List.of(id)), now);
    return id;
  }

  public Backfill backfill(BackfillId id) {
    return jobs.backfills(List.of(id)).get(id);
  }

  /** Cancels the backfill like the API. */
  public void cancel(BackfillId id) {
    Backfill stored = backfill(id);
    jobs.saveBackfill(stored, stored.cancelled("manually").withNextCheck(true, now).stored());
    check(id);
  }

  /** Sends an event with partitions of a data set. */
  public void partitions(String dataset, int count) {
    event(
        "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"%s\", \"numPartitions\": %d}}"
            .formatted(dataset, count));
  }

  public void event(String body) {
    event("m" + ++events, body);
  }

  /** Sends an event under a message id; sent twice, it is a redelivery. */
  public void event(String messageId, String body) {
    toIngest
        .computeIfAbsent(now, at -> new ArrayList<>())
        .add(new Ingest.Received(messageId, body));
  }

  /** Sends an event to the queue of one namespace. */
  void eventOf(String namespace, String body) {
    toIngest
        .computeIfAbsent(now, at -> new ArrayList<>())
        .add(new Ingest.Received("m" + ++events, body, Optional.of(namespace), 1));
  }

  /** Expires the tombstone of a deleted schedule. */
  public void remove(ScheduleId id) {
    schedules.expire(id);
  }

  /** Makes every check of this job fail from now on; null for none. */
  public void failChecksOf(@Nullable JobId job) {
    poison = job;
  }

  /** Makes every write of this schedule's collecting job fail from now on; null for none. */
  public void failSavesOf(@Nullable ScheduleId schedule) {
    unsaved = schedule;
  }

  /** Sends another check message of this subject. */
  void check(Subject job) {
    checkQueue.send(Check.of(now, List.of(job)), now);
  }

  /** Sends a check message of this job that has been received too often. */
  public void checkReceivedOften(JobId job) {
    Checker.Received often = new Checker.Received("often", Check.of(now, List.of(job)).get(0), 5);
    if (!process().checker.handle(List.of(often), deadline()).isEmpty()) {
      throw new IllegalStateException("receive it again");
    }
  }

  /** Configures the functions with this many shards of timers and of attention from now on. */
  void configureShards(int count) {
    shards = count;
    jobs.configureAttentionShards(count);
  }

  /** Makes consistent reads of this schedule's head fail from now on; null for none. */
  public void failReadsOf(@Nullable ScheduleId schedule) {
    unread = schedule;
  }

  /** Makes this schedule's definition unreadable from now on. */
  void damageDefinitionOf(ScheduleId schedule) {
    damagedDefinitions.add(schedule);
  }

  /** Makes this schedule's head unreadable from now on. */
  void damageHeadOf(ScheduleId schedule) {
    damagedHeads.add(schedule);
  }

  /** Makes this job unreadable from now on. */
  void damageRowOf(JobId job) {
    damagedRows.add(job);
  }

  /** Makes this job readable again. */
  void repairRowOf(JobId job) {
    damagedRows.remove(job);
  }

  /** Makes this schedule's collecting job unreadable from now on, until it is replaced. */
  void damageCollectingJobOf(ScheduleId schedule) {
    damagedItems.add(new CollectingJobId(schedule));
  }

  boolean isDamagedCollectingJobOf(ScheduleId schedule) {
    return damagedItems.contains(new CollectingJobId(schedule));
  }

  /** Stores a collecting job in the place of one that cannot be read. */
  private boolean overwrite(CollectingJob after) {
    CollectingJobId id = new CollectingJobId(after.schedule());
    CollectingJob stored = jobs.collectingJob(after.schedule(), now).orElseThrow().collectingJob();
    return damagedItems.remove(id) && jobs.save(stored, after, Set.of(), List.of(), now);
  }

  /** Makes what this pool knows of claims and choices unreadable from now on. */
  void damageActivityOf(PoolId pool) {
    damagedItems.add(activity(pool));
  }

  private static String activity(@Nullable Object pool) {
    return "activity of " + pool;
  }

  /** Makes this calendar, gate, pool or backfill unreadable from now on. */
  void damageItemOf(Object key) {
    damagedItems.add(key);
  }

  /** Makes what the schedules of this program demand from gates unreadable from now on. */
  void damageLimitsOf(String program) {
    damagedLimits.add(program);
    demandOfANewerVersion(program, 1);
  }

  private void demandOfANewerVersion(String program, long count) {
    GateKey key = GateKey.ofProgram("default", program);
    Gate gate = gates.find(List.of(key)).get(key);
    gates.update(gate, gate.demanding(Map.of("t5:tokens", count)));
  }

  /** Makes everything readable again. */
  void repair() {
    damagedDefinitions.clear();
    damagedHeads.clear();
    damagedRows.clear();
    damagedItems.clear();
    damagedLimits.forEach(program -> demandOfANewerVersion(program, -1));
    damagedLimits.clear();
  }

  /** The check queue accepts the next message and loses it. */
  public void loseChecks() {
    losesChecks = true;
  }

  /** Lets time pass while no function runs. */
  void pause(Duration duration) {
    now = now.plus(duration);
  }

  /**
   * Makes each call to a store or queue take this long from now on; functions then reach their
   * time-outs.
   */
  public void takePerCall(Duration duration) {
    faults.around(this::dieInTime, () -> now = now.plus(duration));
  }

  /** Makes each definition that is read take this long to be parsed and compiled from now on. */
  void takePerDefinition(Duration duration) {
    perDefinition = duration;
  }

  /**
   * Runs one call of a function.
   *
   * @return empty if the function was killed, by a fault or its time-out
   */
  <T> Optional<T> call(Supplier<T> invocation) {
    return survive(invocation);
  }

  private void dieInTime() {
    if (!now.isBefore(killedAt)) {
      throw new Faults.Killed();
    }
  }

  /** Reports the end of each run this long after its request arrived, from now on. */
  public void finishRunsAfter(Duration duration) {
    work = duration;
  }

  private void reportEnd(LaunchRequest request) {
    if (work != null) {
      String body =
          "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"%s\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
              .formatted(job(request.job()).program(), request.job());
      toIngest
          .computeIfAbsent(now.plus(work), at -> new ArrayList<>())
          .add(new Ingest.Received("end-" + request.job(), body));
    }
  }

  // ---- the platform

  /** Advances the clock to {@code end}, with a tick each minute. */
  public void runUntil(String end) {
    runUntil(Instant.parse(end));
  }

  public void runFor(Duration duration) {
    runUntil(now.plus(duration));
  }

  public void runUntil(Instant end) {
    settle();
    Optional<Instant> next = nextStep();
    while (next.isPresent() && !next.get().isAfter(end)) {
      now = later(now, next.get());
      settle();
      next = nextStep();
    }
    now = later(now, end);
  }

  /** Advances the clock while no function runs: an outage. */
  public void sleepUntil(String end) {
    now = Instant.parse(end);
    nextTick = later(nextTick, now);
  }

  /** Sets the clock of all functions, also back. */
  public void setClock(String instant) {
    now = Instant.parse(instant);
    nextTick = now;
  }

  private Optional<Instant> nextStep() {
    Instant next = nextTick;
    next = checkQueue.nextVisible().filter(nextTick::isAfter).orElse(next);
    if (!toIngest.isEmpty() && toIngest.firstKey().isBefore(next)) {
      next = toIngest.firstKey();
    }
    return Optional.of(next);
  }

  /** Runs everything that can run now. */
  void settle() {
    boolean busy = true;
    while (busy) {
      busy = tickIfDue();
      busy |= ingestIfVisible();
      busy |= checkIfVisible();
    }
  }

  private boolean tickIfDue() {
    if (now.isBefore(nextTick)) {
      return false;
    }
    nextTick = now.plusSeconds(60);
    survive(
        () -> {
          process().master.tick(deadline());
          return null;
        });
    return true;
  }

  private boolean ingestIfVisible() {
    for (MemoryIngestQueue.Sent sent : ingestQueue.takeSent()) {
      toIngest
          .computeIfAbsent(now.plus(sent.delay()), at -> new ArrayList<>())
          .add(new Ingest.Received("m" + ++events, sent.body()));
    }
    if (toIngest.isEmpty() || toIngest.firstKey().isAfter(now)) {
      return false;
    }
    List<Ingest.Received> batch = toIngest.pollFirstEntry().getValue();
    Optional<Set<String>> failed = survive(() -> process().ingest.handle(batch, deadline()));
    for (Ingest.Received message : batch) {
      if (failed.isEmpty() || failed.get().contains(message.messageId())) {
        toIngest
            .computeIfAbsent(now.plusSeconds(60), at -> new ArrayList<>())
            .add(
                new Ingest.Received(
                    message.messageId(),
                    message.body(),
                    message.namespace(),
                    message.receives() + 1));
      }
    }
    return true;
  }

  /**
   * Stores a job that is triggered but not checked.
   *
   * @param launchNow the body of the launch-now call
   */
  JobId triggered(ScheduleId schedule, Instant at, ObjectNode launchNow) {
    JobId id = JobId.ofLaunchNow(schedule, 1, at, "x");
    Head head = schedules.heads(List.of(schedule)).get(schedule);
    jobs.insert(List.of(NewJob.launchedNow(id, head.activation(), head.program(), now, launchNow)));
    return id;
  }

  /** Handles a message that names these subjects. */
  Runnable checking(List<? extends Subject> subjects) {
    return () -> {
      List<Checker.Received> received =
          Check.of(now, subjects).stream()
              .map(check -> new Checker.Received("m", check, 1))
              .toList();
      assertThat(process().checker().handle(received, deadline())).isEmpty();
    };
  }

  /** Handles the visible messages of the check queue until there are none, without a tick. */
  void handleChecks() {
    boolean busy = true;
    while (busy) {
      busy = checkIfVisible();
    }
  }

  /**
   * Runs for a time in which checkers handle no more messages of each queue in a second than given.
   */
  void runBounded(Duration time, int checksPerSecond, int overduePerSecond) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      tickIfDue();
      checkIfVisible(checkQueue.receive(now, checksPerSecond));
      checkIfVisible(checkQueue.receiveOverdue(now, overduePerSecond));
      now = now.plusSeconds(1);
    }
  }

  private boolean checkIfVisible() {
    boolean isDue = checkIfVisible(checkQueue.receive(now, 10));
    return checkIfVisible(checkQueue.receiveOverdue(now, 10)) || isDue;
  }

  private boolean checkIfVisible(List<MemoryCheckQueue.Message> batch) {
    if (batch.isEmpty()) {
      return false;
    }
    List<Checker.Received> received =
        batch.stream()
            .map(m -> new Checker.Received("" + m.id(), m.check(), m.receiveCount()))
            .toList();
    Optional<Set<String>> failed = survive(() -> process().checker.handle(received, deadline()));
    for (MemoryCheckQueue.Message message : batch) {
      if (failed.isPresent() && !failed.get().contains("" + message.id())) {
        checkQueue.delete(message);
      }
    }
    return true;
  }

  private <T> Optional<T> survive(Supplier<T> invocation) {
    killedAt = now.plus(FUNCTION_TIMEOUT);
    try {
      return Optional.ofNullable(invocation.get());
    } catch (Faults.Killed killed) {
      return Optional.empty();
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof Faults.Killed) {
        return Optional.empty();
      }
      throw wrapped;
    } finally {
      killedAt = Instant.MAX;
    }
  }

  /** The process of one function, with its caches. */
  record Process(Master master, Ingest ingest, Checker checker) {}

  private Shared shared() {
    Schedules schedulesPort = faults.on(Schedules.class, unreadable());
    Calendars calendarsPort = faults.on(Calendars.class, damaged(Calendars.class, calendars));
    return new Shared(
        schedulesPort,
        new CompiledSchedules(schedulesPort, calendarsPort, parser),
        faults.on(Timers.class, timers.withShards(shards)),
        new MeteredJobs(faults.on(Jobs.class, failing()), metrics),
        faults.on(Backfills.class, damaged(Backfills.class, jobs)),
        faults.on(Gates.class, damaged(Gates.class, gates)),
        new MeteredPools(
            faults.on(Pools.class, damaged(Pools.class, gates.pools())), metrics, clock()),
        faults.on(CheckQueue.class, losing()),
        faults.on(IngestQueue.class, ingestQueue),
        updates);
  }

  /** The reports of workers, as the API carries them out. */
  public RunReports reports() {
    return new RunReports(shared(), clock());
  }

  /** Has pools choose, as the API does. */
  public PoolWakeups pools() {
    return new PoolWakeups(shared(), clock());
  }

  /** What the API does for workers that pull. */
  public PoolPulls pulls() {
    return new PoolPulls(shared(), new Requests(POLICY), clock());
  }

  /** The function that receives the report queue. */
  public ReportMessages reportMessages() {
    Fanout fanout = new Fanout(Runnable::run);
    return new ReportMessages(
        reports(), faults.on(RejectedMessages.class, rejected), fanout, metrics);
  }

  Process process() {
    Shared shared = shared();
    Fanout fanout = new Fanout(Runnable::run);
    return new Process(
        new Master(
            shared,
            parser,
            () -> false,
            faults.on(StatusStore.class, status),
            Duration.ofMinutes(1),
            fanout,
            clock(),
            metrics),
        new Ingest(shared, faults.on(RejectedMessages.class, rejected), clock(), fanout, metrics),
        new Checker(
            shared,
            new Requests(POLICY),
            faults.on(TargetQueues.class, recording()),
            fanout,
            clock(),
            rest -> now = now.plus(rest),
            sendingTime));
  }

  private Api api() {
    return new Api(
        new ApiPorts(
            schedules,
            new MemoryApps(),
            calendars,
            faults.on(Pools.class, damaged(Pools.class, gates.pools())),
            timers,
            failing(),
            new MemoryJobLists(this.jobs),
            jobs,
            faults.on(Gates.class, gates),
            status,
            faults.on(CheckQueue.class, losing()),
            ingestQueue,
            targets,
            List::of,
            Duration.ofMinutes(1)),
        parser,
        POLICY,
        new Fanout(Runnable::run),
        updates,
        clock(),
        rest -> now = now.plus(rest),
        () -> new UUID(0, ++events),
        failure -> false,
        (scenario, deadline) -> Json.object());
  }

  private CheckQueue losing() {
    return (checks, at) -> {
      if (losesChecks && !checks.isEmpty()) {
        losesChecks = false;
      } else {
        checkQueue.send(checks, at);
      }
    };
  }

  private Jobs failing() {
    return (Jobs)
        Proxy.newProxyInstance(
            Jobs.class.getClassLoader(),
            new Class<?>[] {Jobs.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("insert")
                  && ((List<?>) arguments[0])
                      .stream()
                          .map(Job.class::cast)
                          .anyMatch(
                              job ->
                                  job.id().equals(poison)
                                      && job.state() == JobState.PENDING_LAUNCH)) {
                throw new Faults.Unavailable("insert of " + poison);
              }
              if (method.getName().equals("save")
                  && ((CollectingJob) arguments[1]).schedule().equals(unsaved)) {
                throw new Faults.Unavailable("save of " + unsaved);
              }
              if (method.getName().equals("collectingJob")) {
                Set<?> damaged = Set.of(new CollectingJobId((ScheduleId) arguments[0]));
                if (damagedItems.containsAll(damaged)) {
                  throw new UnreadableItems(damaged, new IllegalStateException("damaged"));
                }
              }
              if (method.getName().equals("overwrite")) {
                return overwrite((CollectingJob) arguments[0]);
              }
              if (method.getName().equals("find")) {
                Set<JobId> damaged = among((Collection<?>) arguments[0], damagedRows);
                if (!damaged.isEmpty()) {
                  throw new UnreadableJobs(damaged, new IllegalStateException("damaged"));
                }
              }
              try {
                return method.invoke(jobs, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  /** A store whose reads by keys fail if one of the items is damaged. */
  private <P> P damaged(Class<P> port, P real) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              if (Set.of("find", "backfills").contains(method.getName())) {
                Set<Object> damaged = among((Collection<?>) arguments[0], damagedItems);
                if (!damaged.isEmpty()) {
                  throw new UnreadableItems(damaged, new IllegalStateException("damaged"));
                }
              }
              if (OF_ACTIVITIES.contains(method.getName())
                  && damagedItems.contains(activity(arguments[0]))) {
                throw new UnreadableItems(
                    Set.of(arguments[0]), new IllegalStateException("damaged"));
              }
              if (method.getName().equals("repair")) {
                damagedItems.remove(activity(arguments[0]));
                return true;
              }
              if (method.getName().equals("matching")
                  && damagedItems.stream().anyMatch(it -> isPoolOf(it, arguments[0]))) {
                throw new UnreadableItems(damagedItems, new IllegalStateException("damaged"));
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }

  private static boolean isPoolOf(Object damaged, Object namespace) {
    return damaged instanceof PoolId pool && pool.namespace().equals(namespace);
  }

  private Schedules unreadable() {
    return (Schedules)
        Proxy.newProxyInstance(
            Schedules.class.getClassLoader(),
            new Class<?>[] {Schedules.class},
            (proxy, method, arguments) -> {
              if (unread != null
                  && method.getName().equals("heads")
                  && ((Collection<?>) arguments[0]).contains(unread)) {
                throw new Faults.Unavailable("head of " + unread);
              }
              if (OF_HEADS.contains(method.getName())) {
                Set<ScheduleId> damaged = among((Collection<?>) arguments[0], damagedHeads);
                if (!damaged.isEmpty()) {
                  throw new UnreadableSchedules(damaged, new IllegalStateException("damaged"));
                }
              }
              if (OF_DEFINITIONS.contains(method.getName())) {
                now = now.plus(perDefinition.multipliedBy(((Collection<?>) arguments[0]).size()));
                dieInTime();
              }
              try {
                return damaged(method.invoke(schedules, arguments));
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private static <T> Set<T> among(Collection<?> ids, Set<T> damaged) {
    return damaged.stream().filter(ids::contains).collect(Collectors.toSet());
  }

  /**
   * Heads and definitions as read, with damaged definitions as a newer version would store them.
   */
  private @Nullable Object damaged(@Nullable Object answer) {
    if (answer instanceof Launching launching) {
      Map<String, LimitedPrograms> limited = new HashMap<>(launching.limited());
      limited.replaceAll((namespace, all) -> withDamagedLimits(all));
      return new Launching(launching.heads(), limited, damagedAmong(launching.definitions()));
    }
    if (answer instanceof Map<?, ?> map
        && map.values().stream().anyMatch(Definition.class::isInstance)) {
      Map<ScheduleId, Definition> definitions = new HashMap<>();
      map.forEach((id, definition) -> definitions.put((ScheduleId) id, (Definition) definition));
      return damagedAmong(definitions);
    }
    return answer;
  }

  private LimitedPrograms withDamagedLimits(LimitedPrograms all) {
    Map<Integer, Long> counts = new HashMap<>(all.counts());
    damagedLimits.forEach(it -> counts.merge(LimitedPrograms.bucket(it), 1L, Long::sum));
    return new LimitedPrograms(counts);
  }

  private Map<ScheduleId, Definition> damagedAmong(Map<ScheduleId, Definition> definitions) {
    Map<ScheduleId, Definition> all = new HashMap<>(definitions);
    damagedDefinitions.forEach(id -> all.computeIfPresent(id, (any, whole) -> unheardOf(whole)));
    return all;
  }

  private static Definition unheardOf(Definition whole) {
    ObjectNode document = whole.document().deepCopy();
    document.putObject("trigger").put("type", "unheardOf");
    return new Definition(
        whole.id(),
        whole.generation(),
        document,
        whole.generationSince(),
        whole.createdAt(),
        whole.createdBy(),
        whole.updatedAt());
  }

  private TargetQueues recording() {
    return new TargetQueues() {
      @Override
      public List<Outcome> send(List<LaunchRequest> requests) {
        List<Outcome> outcomes = targets.send(requests);
        for (int i = 0; i < requests.size(); i++) {
          if (outcomes.get(i) instanceof Sent) {
            arrivals.add(new Arrival(now, requests.get(i)));
            reportEnd(requests.get(i));
          }
        }
        return outcomes;
      }

      @Override
      public OptionalLong waiting(String queueArn) {
        if (countsLate) {
          return OptionalLong.of(0);
        }
        return OptionalLong.of(
            arrivals.stream()
                .map(Arrival::request)
                .filter(request -> request.queueArn().equals(queueArn))
                .filter(
                    request ->
                        job(request.job()).state() == JobState.ENQUEUED
                            && job(request.job()).attempt() == request.attempt())
                .map(LaunchRequest::deduplicationId)
                .distinct()
                .count());
      }

      @Override
      public void prepare(String queueArn) {
        targets.prepare(queueArn);
      }
    };
  }

  // ---- observations

  public Job job(JobId id) {
    return jobs.find(List.of(id)).get(id);
  }

  public Map<JobId, Long> requestsByJob() {
    Map<JobId, Long> counts = new TreeMap<>(Comparator.comparing((JobId id) -> id.toString()));
    arrivals.forEach(arrival -> counts.merge(arrival.request().job(), 1L, Long::sum));
    return counts;
  }

  /** The bodies of all requests, in order of arrival. */
  public List<String> bodies() {
    return arrivals.stream().map(arrival -> arrival.request().body()).toList();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  static com.fasterxml.jackson.databind.JsonNode read(String document) {
    try {
      return Json.read(document);
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException(notJson);
    }
  }
}
