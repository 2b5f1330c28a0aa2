package dev.carillon.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.checker.Checker;
import dev.carillon.contract.Servers;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.Tables;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryRejectedMessages;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs many functions concurrently at one gate on DynamoDB. */
class GateStressTest {

  private static final int FEW_JOBS = 20;
  private static final int MANY_JOBS = 80;
  private static final int FUNCTIONS = 6;
  private static final long IDLE_MILLIS = 2;
  private static final Duration RETENTION = Duration.ofDays(90);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final ScheduleId ID = new ScheduleId("default", "limited");
  private static final GateKey GATE = GateKey.ofProgram("default", "limited");

  private final InstantSource clock = () -> NOW;
  private final Tables tables = Servers.tables();
  private final DynamoJobs jobs =
      new DynamoJobs(Servers.dynamoDb(), tables, 2, RETENTION, Servers.fanout());
  private final DynamoGates gates =
      new DynamoGates(Servers.dynamoDb(), tables, 2, RETENTION, Servers.fanout());
  private final DynamoSchedules schedules =
      new DynamoSchedules(Servers.dynamoDb(), tables, 2, RETENTION, clock, Servers.fanout());
  private final ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
  private final MemoryCheckQueue checks = new MemoryCheckQueue();
  private final BlockingQueue<JobId> running = new LinkedBlockingQueue<>();
  private final Set<JobId> begun = ConcurrentHashMap.newKeySet();
  private final AtomicInteger unfinished = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  @Test
  @Timeout(600)
  void limitHoldsAndEachOfAFewJobsLaunches() {
    assertLimitHoldsAndEveryJobLaunches(3, FEW_JOBS);
  }

  @Tag("proof")
  @ParameterizedTest(name = "at most {0}")
  @ValueSource(ints = {3, Slots.ROOM + 8})
  @Timeout(600)
  void limitHoldsAndEverybodyGoes(int limit) {
    assertLimitHoldsAndEveryJobLaunches(limit, MANY_JOBS);
  }

  /** A stranded job makes this time out. */
  private void assertLimitHoldsAndEveryJobLaunches(int limit, int count) {
    long activation = store(limit);
    List<JobId> ids =
        IntStream.range(0, count)
            .mapToObj(number -> JobId.ofLaunchNow(ID, 1, NOW.minusMillis(number), "x"))
            .toList();
    jobs.insert(
        ids.stream()
            .map(id -> NewJob.launchedNow(id, activation, "limited", NOW, Json.object()))
            .toList());
    ids.forEach(id -> checks.send(Check.of(NOW, List.of(id)), NOW));

    ExecutorService threads = Executors.newFixedThreadPool(FUNCTIONS);
    try {
      new Fanout(threads)
          .forEach(IntStream.range(0, FUNCTIONS).boxed().toList(), number -> work(count));
    } finally {
      threads.shutdown();
    }

    assertThat(begun).hasSize(count);
    assertThat(most.get()).isEqualTo(limit);
    assertThat(jobs.find(ids).values())
        .hasSize(count)
        .extracting(Job::state)
        .containsOnly(JobState.SUCCEEDED);
    Gate gate = gates.find(List.of(GATE)).get(GATE);
    assertThat(gate.slots().isEmpty()).isTrue();
    assertThat(gates.slotsApart(GATE)).isEmpty();
    assertThat(gate.waiters()).isZero();
    assertThat(gate.wakeAt()).isNull();
    assertThat(gates.waiters(GATE, null, 10)).isEmpty();
  }

  private long store(int max) {
    var change =
        Lifecycle.create(
            null,
            parser.parse(
                ID,
                Json.readObject(
                    """
                    {"trigger": {"type": "manual"}, "state": "ACTIVE",
                     "constraints": [{"type": "concurrency", "max": %d}],
                     "target": {"queue": "work", "template": {"job": "${jobId}"}}}
                    """
                        .formatted(max)),
                NOW),
            NOW,
            "test");
    assertThat(schedules.save(change)).isTrue();
    return change.after().activation();
  }

  /** Handles checks and ends runs until all have ended. */
  private void work(int count) {
    Shared shared =
        new Shared(
            schedules,
            new CompiledSchedules(schedules, new MemoryCalendars(), parser),
            new MemoryTimers(1),
            jobs,
            jobs,
            gates,
            new DynamoPools(Servers.dynamoDb(), tables, 2, Servers.fanout()),
            checks,
            new MemoryIngestQueue(),
            OptimisticUpdate.uncounted());
    Requests requests =
        new Requests(new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of()));
    Checker checker =
        new Checker(
            shared, requests, new Workers(), Servers.fanout(), clock, rest -> {}, Duration.ZERO);
    Ingest ingest =
        new Ingest(
            shared, new MemoryRejectedMessages(), clock, new Fanout(Runnable::run), Metrics.NONE);
    while (ended.get() < count || !checks.receive(NOW, 0).isEmpty()) {
      check(checker);
      end(ingest);
    }
    check(checker);
  }

  private Deadline deadline() {
    return new Deadline(NOW.plusSeconds(60), clock);
  }

  private void check(Checker checker) {
    List<MemoryCheckQueue.Message> batch = checks.receive(NOW, 2);
    Set<String> failed =
        checker.handle(
            batch.stream().map(m -> new Checker.Received("" + m.id(), m.check(), 1)).toList(),
            deadline());
    for (MemoryCheckQueue.Message message : batch) {
      checks.delete(message);
      if (failed.contains("" + message.id())) {
        checks.send(List.of(message.check()), NOW);
      }
    }
  }

  private void end(Ingest ingest) {
    JobId job = nextRun();
    if (job == null) {
      return;
    }
    unfinished.decrementAndGet();
    String body =
        """
        {"eventType": "PROGRAM_STATUS",
         "payload": {"programId": "limited", "status": "SUCCEEDED", "runId": "%s"}}
        """
            .formatted(job);
    Ingest.Received end = new Ingest.Received("end-" + job, body);
    while (!ingest.handle(List.of(end), deadline()).isEmpty()) {
      Thread.onSpinWait();
    }
    ended.incrementAndGet();
  }

  /**
   * The oldest run; null if there is none for a moment, so that idle functions use no processor.
   */
  private @Nullable JobId nextRun() {
    try {
      return running.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException ending) {
      throw new IllegalStateException("interrupted at an end", ending);
    }
  }

  /** Counts a run from its request until just before its end is reported. */
  private final class Workers implements TargetQueues {
    @Override
    public List<Outcome> send(List<LaunchRequest> sent) {
      for (LaunchRequest request : sent) {
        assertThat(begun.add(request.job())).isTrue();
        most.accumulateAndGet(unfinished.incrementAndGet(), Math::max);
        running.add(request.job());
      }
      return sent.stream().<Outcome>map(request -> new Sent()).toList();
    }

    @Override
    public OptionalLong waiting(String queueArn) {
      return OptionalLong.empty();
    }

    @Override
    public void prepare(String queueArn) {
      throw new UnsupportedOperationException("no queue is made here");
    }
  }
}
