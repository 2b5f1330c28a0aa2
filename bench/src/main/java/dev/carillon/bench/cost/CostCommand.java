package dev.carillon.bench.cost;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.ReadyJobs;
import dev.carillon.bench.harness.Results;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.local.LocalEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the cost of launches on a virtual clock. */
@Command(
    name = "cost",
    description = "Units, requests and list price of one launch, for each kind of schedule.",
    showDefaultValues = true)
public final class CostCommand implements Callable<Integer> {

  private static final String QUEUE = "work";
  private static final String TARGET = LocalEngine.TARGET_PREFIX + QUEUE;
  private static final Instant START = Instant.parse("2026-03-01T10:00:30Z");

  /** The tick that hands a fire over runs this long before the fire. */
  private static final Duration TICK_BEFORE = Duration.ofSeconds(100);

  /** The largest {@code max} of {@code concurrency}. */
  private static final int MOST_SLOTS = 1_000;

  private static final String HOURLY = "0 0 * * * ?";
  private static final PoolId ENCODE = new PoolId("default", "encode");

  /** How many requests a pool keeps in its queue. */
  private static final int DEPTH = 100;

  /** The time after which a pool may choose again. */
  private static final Duration NEXT_CHOICE = Duration.ofSeconds(2);

  /** How many jobs wait in a pool all the time. */
  private static final int READY = 20_000;

  private static final int EVENTS_A_BATCH = 100;
  private static final int EVENTS_ONE_BY_ONE_BATCH = 10;

  @Option(names = "--schedules", paramLabel = "N", description = "Schedules in each case.")
  private int schedules = 1_000;

  @Option(
      names = "--cases",
      split = ",",
      paramLabel = "CASE",
      description = "The cases to measure: ${COMPLETION-CANDIDATES}.")
  private List<Case> cases = List.of(Case.values());

  @Mixin private Output output = new Output();

  private Instant now = START;

  /** The measured kinds of schedules. */
  enum Case {
    MINUTELY("minutely"),
    HOURLY("hourly"),
    DAILY("daily"),
    CONCURRENCY("concurrency"),
    SLOTS("slots"),
    TRACKED("tracked"),
    POOL("pool", 10),
    POOL_10000("pool-10000", 10_000),
    EVENT("event"),
    EVENTS_1000("events-1000");

    private final String text;

    /** How many customers have jobs in the pool; 0 for a case without a pool. */
    private final int customers;

    Case(String text) {
      this(text, 0);
    }

    Case(String text, int customers) {
      this.text = text;
      this.customers = customers;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Override
  public Integer call() {
    CannotRun.ifLess(1, "--schedules", schedules);
    Results results = output.results();
    Progress progress = output.progress();
    for (Case wanted : cases) {
      progress.say("%s: %,d schedules", wanted, schedules);
      now = START;
      try (VirtualCloud cloud = new VirtualCloud(() -> now)) {
        cloud.tick();
        results.add(run(wanted, cloud, progress));
      }
    }
    return 0;
  }

  private CostLine run(Case wanted, VirtualCloud cloud, Progress progress) {
    return switch (wanted) {
      case MINUTELY ->
          fires(cloud, wanted, "0 * * * * ?", Duration.ofMinutes(1), 24, false, progress);
      case CONCURRENCY, SLOTS ->
          fires(cloud, wanted, "0 0 3 * * ?", Duration.ofDays(1), 3, true, progress);
      case POOL, POOL_10000 -> pool(cloud, wanted, progress);
      case HOURLY, TRACKED -> fires(cloud, wanted, HOURLY, Duration.ofHours(1), 3, true, progress);
      case DAILY -> fires(cloud, wanted, "0 0 3 * * ?", Duration.ofDays(1), 3, true, progress);
      case EVENT -> events(cloud, wanted, 1, EVENTS_ONE_BY_ONE_BATCH, progress);
      case EVENTS_1000 -> events(cloud, wanted, 1_000, EVENTS_A_BATCH, progress);
    };
  }

  /**
   * Measures a pool in which jobs of the customers wait all the time, some of them in the queue. At
   * each fire, a number of jobs become READY, and workers take the same number.
   */
  private CostLine pool(VirtualCloud cloud, Case name, Progress progress) {
    cloud.storeReady(ENCODE, READY, name.customers, READY, progress);
    cloud.putPool(ENCODE, QUEUE, DEPTH);
    cloud.check();
    return fires(cloud, name, HOURLY, Duration.ofHours(1), 3, true, progress);
  }

  /**
   * Measures fires. Before them, runs the same number of fires that are not measured, so that the
   * moves of timers are spread over time. Ticks without due timers are left out, because their cost
   * does not depend on launches.
   */
  private CostLine fires(
      VirtualCloud cloud,
      Case name,
      String cron,
      Duration period,
      int measured,
      boolean cold,
      Progress progress) {
    cloud.store(schedules, name.toString(), number -> document(name, cron, number), progress);
    Instant fire = first(period);
    for (int number = 0; number < 2 * measured; number++) {
      if (number == measured) {
        cloud.reset();
        progress.say("%s: counting", name);
      }
      if (cold) {
        cloud.coldStart();
      }
      now = fire.minus(TICK_BEFORE);
      cloud.tick();
      now = fire;
      cloud.check();
      endRuns(cloud, name, fire);
      if (name == Case.TRACKED || name.customers > 0) {
        work(cloud);
      }
      fire = fire.plus(period);
    }
    return line(cloud, name, measured * schedules);
  }

  /**
   * The document of a schedule. In the case {@code concurrency}, each schedule has a program of its
   * own; in the case of many slots, all have the same program.
   */
  private String document(Case name, String cron, int number) {
    return switch (name) {
      case CONCURRENCY -> Loader.limited(cron, "p" + number, 1, QUEUE);
      case SLOTS -> Loader.limited(cron, "p", Math.min(schedules, MOST_SLOTS), QUEUE);
      case TRACKED -> Loader.tracked(cron, "p", QUEUE);
      case POOL, POOL_10000 -> {
        String customer = ReadyJobs.customer(number % name.customers);
        yield Loader.pooled(Loader.cron(cron), customer, ENCODE.name());
      }
      default -> Loader.cron(cron, QUEUE);
    };
  }

  /** Makes workers end as many jobs as there are schedules, and the pool choose the next jobs. */
  private void work(VirtualCloud cloud) {
    int ended = 0;
    while (ended < schedules) {
      int taken = cloud.work(TARGET, Math.min(DEPTH, schedules - ended));
      if (taken == 0) {
        throw new IllegalStateException("only " + ended + " jobs reached the queue");
      }
      ended += taken;
      now = now.plus(NEXT_CHOICE);
      cloud.check();
    }
  }

  /**
   * Reports the ends of the runs that hold slots. If a program has many slots, the reports name the
   * runs.
   */
  private void endRuns(VirtualCloud cloud, Case name, Instant fire) {
    List<String> ends =
        switch (name) {
          case CONCURRENCY -> ends(number -> "\"programId\": \"p%d\"".formatted(number));
          case SLOTS ->
              ends(
                  number ->
                      "\"programId\": \"p\", \"runId\": \"%s\""
                          .formatted(
                              JobId.ofFire(
                                  new ScheduleId("default", name + "-" + number), 1, fire)));
          default -> List.of();
        };
    for (int from = 0; from < ends.size(); from += EVENTS_A_BATCH) {
      requireCounted(
          cloud.ingest(ends.subList(from, Math.min(from + EVENTS_A_BATCH, ends.size()))));
    }
  }

  private List<String> ends(IntFunction<String> run) {
    return IntStream.range(0, schedules)
        .mapToObj(
            number ->
                "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {%s, \"status\": \"SUCCEEDED\"}}"
                    .formatted(run.apply(number)))
        .toList();
  }

  /** The first fire that a tick can hand over in time. */
  private static Instant first(Duration period) {
    return switch ((int) period.toHours()) {
      case 0 -> Instant.parse("2026-03-01T10:03:00Z");
      case 1 -> Instant.parse("2026-03-01T11:00:00Z");
      default -> Instant.parse("2026-03-02T03:00:00Z");
    };
  }

  private CostLine events(
      VirtualCloud cloud, Case name, int perLaunch, int batch, Progress progress) {
    cloud.store(
        schedules, "on", number -> Loader.partition("d" + number, perLaunch, QUEUE), progress);
    cloud.reset();
    List<String> bodies = new ArrayList<>();
    for (int number = 0; number < schedules; number++) {
      int dataset = number;
      IntStream.range(0, perLaunch).forEach(part -> bodies.add(event(dataset, part)));
      while (bodies.size() >= batch) {
        List<String> received = bodies.subList(0, batch);
        requireCounted(cloud.ingest(List.copyOf(received)));
        received.clear();
      }
      if (number % 100 == 99 && perLaunch > 1) {
        progress.say("%s: %,d launches of %,d", name, number + 1, schedules);
      }
    }
    if (!bodies.isEmpty()) {
      requireCounted(cloud.ingest(bodies));
    }
    cloud.check();
    return line(cloud, name, schedules);
  }

  private static void requireCounted(List<String> failed) {
    if (!failed.isEmpty()) {
      throw new IllegalStateException(failed.size() + " events were not counted");
    }
  }

  private String event(int dataset, int part) {
    return """
        {"eventType": "PARTITION", "timestamp": %d,
         "payload": {"datasetId": "d%d", "partitionKeys": ["date=2026-03-01/part-%d"]}}
        """
        .formatted(now.toEpochMilli(), dataset, part);
  }

  private static CostLine line(VirtualCloud cloud, Case name, int launches) {
    int sent = cloud.sentTo(TARGET);
    if (sent != launches) {
      throw new IllegalStateException(
          name + ": " + sent + " requests instead of " + launches + " launches");
    }
    return CostLine.of(
        name.toString(),
        launches,
        cloud.meter().writeUnits(),
        cloud.meter().readUnits(),
        cloud.sqsRequests(),
        cloud.invocations());
  }
}
