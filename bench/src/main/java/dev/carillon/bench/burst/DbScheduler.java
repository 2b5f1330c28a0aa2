package dev.carillon.bench.burst;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.bench.harness.Latencies;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One-time tasks of db-scheduler, polled by lock-and-fetch, its fastest method on PostgreSQL. */
final class DbScheduler implements Contestant {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final double LOWER_LIMIT = 1.0;
  private static final double UPPER_LIMIT = 4.0;
  private static final String TABLE =
      """
      CREATE TABLE scheduled_tasks (
        task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
        execution_time timestamp with time zone NOT NULL, picked boolean NOT NULL, picked_by text,
        last_success timestamp with time zone, last_failure timestamp with time zone,
        consecutive_failures int, last_heartbeat timestamp with time zone,
        version bigint NOT NULL, priority smallint, PRIMARY KEY (task_name, task_instance));
      CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)
      """;

  private final Postgres postgres;

  DbScheduler(Postgres postgres) {
    this.postgres = postgres;
  }

  @Override
  public String name() {
    return "db-scheduler";
  }

  @Override
  public Latencies burst(int due) {
    try (HikariDataSource pool = postgres.empty()) {
      Postgres.run(pool, TABLE);
      Runs runs = Runs.of(due);
      OneTimeTask<Void> task = Tasks.oneTime("task").execute((instance, context) -> runs.ran());
      Scheduler scheduler =
          Scheduler.create(pool, task)
              .threads(BurstCommand.THREADS)
              .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
              .pollingInterval(POLL)
              .build();
      Stream<TaskInstance<?>> instances =
          IntStream.range(0, due).mapToObj(number -> task.instance("task-" + number));
      scheduler.scheduleBatch(instances, runs.due());
      Postgres.analyze(pool);
      runs.requireInTime();
      scheduler.start();
      try {
        runs.await();
      } finally {
        scheduler.stop();
      }
      return runs.latencies();
    }
  }
}
