package dev.carillon.cost;

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
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.local.meter.Meter;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryTargetQueues;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.StoredPool;
import dev.carillon.report.RunReports;
import dev.carillon.run.Report;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Counts the write units of jobs that go through a pool. */
class PoolCostTest {

  private static final Duration RETENTION = Duration.ofDays(90);
  private static final PoolId POOL = new PoolId("default", "encode");
  private static final int ROUNDS = 3;

  private static final String TO_POOL = "\"pool\": \"encode\", \"target\": {";
  private static final String TO_QUEUE = "\"tracking\": {}, \"target\": {\"queue\": \"encoding\", ";

  @Test
  void thePoolCostsAJobAtMostFiveWriteUnits() {
    int depth = 25;
    double without = new Run(depth, 10, TO_QUEUE).unitsWithoutPool();
    assertThat(new Run(depth, 10, TO_POOL).units() - without).isLessThanOrEqualTo(5);
  }

  /** A customer that had no job in the pool costs up to four units once: it is served ahead. */
  @Test
  @Tag("proof")
  void thePoolCostsAJobAtMostFiveWriteUnitsWhetherFewOrManyCustomersWait() {
    int depth = 50;
    double without = new Run(depth, 10, TO_QUEUE).unitsWithoutPool();
    double few = new Run(depth, 10, TO_POOL).units() - without;
    int customers = 50;
    double many = new Run(depth, customers, TO_POOL).units() - without;
    assertThat(few).isLessThanOrEqualTo(4.5);
    assertThat(many).isLessThanOrEqualTo(5);
    assertThat(many - few).isLessThanOrEqualTo(4.0 * customers / (depth * (ROUNDS + 1)));
  }

  /** A pool in which the jobs of some customers wait, eight times as many as its queue takes. */
  private static final class Run {
    private final Meter meter = new Meter();
    private final ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
    private final MemoryCheckQueue checks = new MemoryCheckQueue();
    private final MemoryTargetQueues targets = new MemoryTargetQueues();
    private final DynamoJobs jobs;
    private final DynamoPools pools;
    private final Checker checker;
    private final RunReports reports;
    private final int depth;
    private final int customers;
    private final int waiting;
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private int claimed;

    Run(int depth, int customers, String destination) {
      this.depth = depth;
      this.customers = customers;
      this.waiting = 8 * depth;
      Tables tables = Servers.tables();
      DynamoDbClient client = Servers.dynamoDb(List.of(meter));
      Fanout fanout = Servers.fanout();
      DynamoSchedules schedules =
          new DynamoSchedules(client, tables, 2, RETENTION, () -> now, fanout);
      jobs = new DynamoJobs(client, tables, 2, RETENTION, fanout);
      pools = new DynamoPools(client, tables, 2, fanout);
      Shared shared =
          new Shared(
              schedules,
              new CompiledSchedules(schedules, new MemoryCalendars(), parser),
              new MemoryTimers(1),
              jobs,
              jobs,
              new DynamoGates(client, tables, 2, RETENTION, fanout),
              pools,
              checks,
              new MemoryIngestQueue(),
              OptimisticUpdate.uncounted());
      Requests requests =
          new Requests(new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of()));
      checker =
          new Checker(
              shared,
              requests,
              targets,
              fanout,
              () -> now,
              rest -> now = now.plus(rest),
              Duration.ZERO);
      reports = new RunReports(shared, () -> now);
      pool("{\"queue\": \"encoding\", \"depth\": %d, \"paused\": true}".formatted(depth));
      for (int number = 0; number < customers; number++) {
        String document =
            "{\"trigger\": {\"type\": \"rate\", \"every\": \"PT1S\"}, \"state\": \"ACTIVE\","
                + " \"customer\": \"c%d\", %s \"template\": {\"job\": \"${jobId}\"}}}";
        String whole = document.formatted(number, destination);
        var schedule = parser.parse(id(number), Json.readObject(whole), now);
        assertThat(schedules.save(Lifecycle.create(null, schedule, now, "test"))).isTrue();
      }
      now = now.plusSeconds(waiting + 1);
    }

    private static ScheduleId id(int customer) {
      return new ScheduleId("default", "encode-what-a-customer-has-" + customer);
    }

    private void pool(String document) {
      StoredPool stored = pools.find(List.of(POOL)).get(POOL);
      var pool = PoolReader.read(Json.readObject(document));
      StoredPool after =
          stored == null
              ? StoredPool.created(POOL, pool, now, "test")
              : stored.changed(pool, now, "test");
      assertThat(pools.save(stored, after)).isTrue();
    }

    /** The write units of a job from its launch until its end is stored. */
    double units() {
      double entered = entered();
      pool("{\"queue\": \"encoding\", \"depth\": %d}".formatted(depth));
      pools.planChoice(POOL, now).ifPresent(at -> checks.send(Check.of(at, List.of(POOL)), now));
      meter.reset();
      check();
      double moved = meter.writeUnits();
      double claims = 0;
      for (int round = 0; round < ROUNDS; round++) {
        meter.reset();
        claimAll();
        claims += meter.writeUnits() / (depth * ROUNDS);
        now = now.plusSeconds(2);
        meter.reset();
        check();
        moved += meter.writeUnits();
      }
      moved = moved / (depth * (ROUNDS + 1));
      meter.reset();
      endAll();
      double ended = meter.writeUnits() / (depth * ROUNDS);
      System.out.printf(
          "pool with %d customers: %.2f to become READY, %.2f to be moved, %.2f to be claimed, %.2f to end%n",
          customers, entered, moved, claims, ended);
      return entered + moved + claims + ended;
    }

    double unitsWithoutPool() {
      double launched = entered();
      meter.reset();
      claimAll();
      endAll();
      double ended = meter.writeUnits() / waiting;
      System.out.printf(
          "without a pool: %.2f to launch, %.2f to be claimed and end%n", launched, ended);
      return launched + ended;
    }

    /** Each customer has as many jobs. */
    private double entered() {
      List<JobId> due = new ArrayList<>();
      for (int number = 0; number < waiting; number++) {
        int before = number / customers;
        due.add(JobId.ofFire(id(number % customers), 1, now.minusSeconds(1 + before)));
      }
      meter.reset();
      checks.send(Check.of(now, due), now);
      check();
      return meter.writeUnits() / waiting;
    }

    private void claimAll() {
      List<LaunchRequest> delivered = targets.delivered();
      for (LaunchRequest request : delivered.subList(claimed, delivered.size())) {
        reports.claim(request.job(), "encoder-of-team-1", 1, token(request.job())).orElseThrow();
      }
      claimed = delivered.size();
    }

    private void endAll() {
      for (LaunchRequest request : targets.delivered().subList(0, claimed)) {
        reports.report(request.job(), new Report.Success(token(request.job()), null)).orElseThrow();
      }
    }

    private static String token(JobId job) {
      return "token-of-" + job.hashCode();
    }

    private void check() {
      List<MemoryCheckQueue.Message> batch = checks.receive(now, 10);
      while (!batch.isEmpty()) {
        List<Checker.Received> received =
            batch.stream().map(m -> new Checker.Received("" + m.id(), m.check(), 1)).toList();
        assertThat(checker.handle(received, new Deadline(Instant.MAX, () -> now))).isEmpty();
        batch.forEach(checks::delete);
        batch = checks.receive(now, 10);
      }
    }
  }
}
