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
import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.Slots;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.job.NewJob;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.local.meter.Meter;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryRejectedMessages;
import dev.carillon.memory.MemoryTargetQueues;
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
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What launches and their ends write at a gate that counts many unfinished attempts already. The
 * table of docs/operate/limits.md comes from here: one partition takes 1,000 write units a second.
 */
class SlotCostTest {

  private static final Duration RETENTION = Duration.ofDays(90);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final double PARTITION = 1_000;

  /** As many as one transaction takes. */
  private static final int MOST_ADDED = 99;

  /** As many jobs as are launched, or end, in one transaction. */
  private static final int GROUP = 25;

  /** The names of the documented sizes have 30 letters. */
  private static final ScheduleId ID = new ScheduleId("default", "export-of-all-invoices-to-lake");

  private static final GateKey GATE = GateKey.ofProgram("default", ID.name());
  private static final Counted SLOTS = new Counted(true, 0, Duration.ZERO);

  private final Meter meter = new Meter();
  private final InstantSource clock = () -> NOW;
  private final ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
  private final MemoryCheckQueue checks = new MemoryCheckQueue();
  private final MemoryTargetQueues targets = new MemoryTargetQueues();
  private final DynamoGates gates;
  private final DynamoJobs jobs;
  private final Checker checker;
  private final Ingest ingest;
  private final long activation;
  private int others;

  SlotCostTest() {
    Tables tables = Servers.tables();
    DynamoDbClient client = Servers.dynamoDb(List.of(meter));
    Fanout fanout = new Fanout(Runnable::run);
    DynamoSchedules schedules =
        new DynamoSchedules(client, tables, 2, RETENTION, clock, Servers.fanout());
    gates = new DynamoGates(client, tables, 2, RETENTION, fanout);
    jobs = new DynamoJobs(client, tables, 2, RETENTION, fanout);
    Shared shared =
        new Shared(
            schedules,
            new CompiledSchedules(schedules, new MemoryCalendars(), parser),
            new MemoryTimers(1),
            jobs,
            jobs,
            gates,
            new DynamoPools(client, tables, 2, fanout),
            checks,
            new MemoryIngestQueue(),
            OptimisticUpdate.uncounted());
    Requests requests =
        new Requests(new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of()));
    checker = new Checker(shared, requests, targets, fanout, clock, rest -> {}, Duration.ZERO);
    ingest = new Ingest(shared, new MemoryRejectedMessages(), clock, fanout, Metrics.NONE);
    activation = store(schedules);
  }

  private long store(DynamoSchedules schedules) {
    String document =
        """
        {"trigger": {"type": "manual"}, "state": "ACTIVE",
         "constraints": [{"type": "concurrency", "max": 1000}],
         "target": {"queue": "work", "template": {"job": "${jobId}"}}}
        """;
    var change =
        Lifecycle.create(null, parser.parse(ID, Json.readObject(document), NOW), NOW, "test");
    assertThat(schedules.save(change)).isTrue();
    return change.after().activation();
  }

  /** Stores attempts of other runs until there are so many. */
  private void fill(int unfinished) {
    Gate before = gates.find(List.of(GATE)).get(GATE);
    while (before.slots().size() < unfinished) {
      Gate after = before;
      int most = Math.min(unfinished, before.slots().size() + MOST_ADDED);
      while (after.slots().size() < most) {
        after = after.taken(JobId.ofFire(ID, 1, NOW.minusMillis(++others)), SLOTS, NOW);
      }
      assertThat(gates.update(before, after)).isTrue();
      before = after.stored();
    }
  }

  /** The write units of launches and of their ends, each. */
  private record Units(double launch, double end) {

    Units minus(Units other) {
      return new Units(launch - other.launch, end - other.end);
    }

    double perSecond() {
      return PARTITION / (launch + end);
    }
  }

  private Units units(int launches) {
    List<JobId> ids = launchedManually(launches);
    meter.reset();
    check(ids);
    double launch = meter.writeUnits() / launches;
    meter.reset();
    end(ids);
    return new Units(launch, meter.writeUnits() / launches);
  }

  @ParameterizedTest(name = "{0} unfinished attempts")
  @ValueSource(ints = {17, 100, 1_000})
  void aLaunchCostsTheSameAtAnyNumberOfUnfinishedAttempts(int unfinished) {
    Units ofJob = units(1).minus(new Units(2, 1));
    fill(Math.max(Slots.ROOM, unfinished - GROUP));
    Units grouped = units(GROUP).minus(ofJob);
    fill(unfinished - 1);
    Units alone = units(1).minus(ofJob);

    System.out.printf(
        "| %,d | %.1f + %.1f | %.0f | %.1f + %.1f | %.0f |%n",
        unfinished,
        alone.launch,
        alone.end,
        alone.perSecond(),
        grouped.launch,
        grouped.end,
        grouped.perSecond());
    assertThat(alone).isEqualTo(new Units(4, 4));
    assertThat(grouped.perSecond()).isGreaterThan(200);
  }

  private List<JobId> launchedManually(int count) {
    List<JobId> ids =
        IntStream.range(0, count)
            .mapToObj(number -> JobId.ofLaunchNow(ID, 1, NOW.minusMillis(++others), "x"))
            .toList();
    jobs.insert(
        ids.stream()
            .map(id -> NewJob.launchedNow(id, activation, ID.name(), NOW, Json.object()))
            .toList());
    return ids;
  }

  private void check(List<JobId> ids) {
    Check check = Check.of(NOW, ids).get(0);
    assertThat(checker.handle(List.of(new Checker.Received("m", check, 1)), deadline())).isEmpty();
  }

  private void end(List<JobId> ids) {
    List<Ingest.Received> ends =
        ids.stream()
            .map(
                job ->
                    new Ingest.Received(
                        "end-" + job,
                        """
                        {"eventType": "PROGRAM_STATUS",
                         "payload": {"programId": "%s", "status": "SUCCEEDED", "runId": "%s"}}
                        """
                            .formatted(ID.name(), job)))
            .toList();
    assertThat(ingest.handle(ends, deadline())).isEmpty();
  }

  private Deadline deadline() {
    return new Deadline(NOW.plusSeconds(60), clock);
  }
}
