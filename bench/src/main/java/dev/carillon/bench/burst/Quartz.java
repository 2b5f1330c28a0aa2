package dev.carillon.bench.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.bench.harness.Latencies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Triggers of one durable job in Quartz's JDBC job store, acquired in batches. */
final class Quartz implements Contestant {

  /** How many triggers are stored in one transaction. */
  private static final int CHUNK = 5_000;

  private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";

  /**
   * The counter of the running benchmark. It is static because Quartz creates the job instances.
   */
  private static volatile @Nullable Runs running;

  private final Postgres postgres;

  Quartz(Postgres postgres) {
    this.postgres = postgres;
  }

  /** Counts the execution and does no work. */
  public static final class Work implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      Objects.requireNonNull(running).ran();
    }
  }

  @Override
  public String name() {
    return "quartz";
  }

  @Override
  public Latencies burst(int due) {
    try (HikariDataSource pool = postgres.empty()) {
      Postgres.run(pool, tables());
      Runs runs = Runs.of(due);
      running = runs;
      Scheduler scheduler = new StdSchedulerFactory(settings()).getScheduler();
      try {
        store(scheduler, due, runs, pool);
        runs.requireInTime();
        scheduler.start();
        runs.await();
      } finally {
        scheduler.shutdown(true);
      }
      return runs.latencies();
    } catch (SchedulerException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /**
   * Stores the triggers in several transactions, because PostgreSQL gathers no statistics about the
   * rows of an open transaction. In one transaction, 100,000 triggers took a quarter of an hour.
   */
  private static void store(Scheduler scheduler, int due, Runs runs, DataSource database)
      throws SchedulerException {
    JobDetail job = JobBuilder.newJob(Work.class).withIdentity("work").storeDurably().build();
    for (int from = 0; from < due; from += CHUNK) {
      Set<Trigger> triggers =
          IntStream.range(from, Math.min(from + CHUNK, due))
              .mapToObj(number -> trigger(number, job, runs))
              .collect(Collectors.toSet());
      scheduler.scheduleJobs(Map.of(job, triggers), true);
      Postgres.analyze(database);
    }
  }

  private static Trigger trigger(int number, JobDetail job, Runs runs) {
    return TriggerBuilder.newTrigger()
        .withIdentity("trigger-" + number)
        .forJob(job)
        .startAt(Date.from(runs.due()))
        .build();
  }

  private Properties settings() {
    String threads = Integer.toString(BurstCommand.THREADS);
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            "org.quartz.scheduler.instanceName", "bench",
            "org.quartz.scheduler.skipUpdateCheck", "true",
            "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", threads,
            "org.quartz.threadPool.threadCount", threads,
            "org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX",
            "org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate",
            "org.quartz.jobStore.acquireTriggersWithinLock", "true",
            "org.quartz.jobStore.misfireThreshold", "3600000",
            "org.quartz.jobStore.dataSource", "bench"));
    settings.putAll(
        Map.of(
            "org.quartz.dataSource.bench.provider", "hikaricp",
            "org.quartz.dataSource.bench.driver", "org.postgresql.Driver",
            "org.quartz.dataSource.bench.URL", postgres.url(),
            "org.quartz.dataSource.bench.user", "postgres",
            "org.quartz.dataSource.bench.maxConnections", "20"));
    return settings;
  }

  private static String tables() {
    try (InputStream file = Scheduler.class.getResourceAsStream(TABLES)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
