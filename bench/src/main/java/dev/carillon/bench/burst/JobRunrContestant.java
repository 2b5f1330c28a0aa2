package dev.carillon.bench.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.bench.harness.Latencies;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.jspecify.annotations.Nullable;

/** Scheduled jobs of JobRunr's open edition on SQL, polled as often as it allows. */
final class JobRunrContestant implements Contestant {

  private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);

  /** The counter of the running benchmark. It is static because JobRunr creates the handlers. */
  private static volatile @Nullable Runs running;

  private final Postgres postgres;

  JobRunrContestant(Postgres postgres) {
    this.postgres = postgres;
  }

  /** A request for one unit of work. */
  public record Work() implements JobRequest {
    @Override
    public Class<Handler> getJobRequestHandler() {
      return Handler.class;
    }
  }

  /** Counts the execution and does no work. */
  public static final class Handler implements JobRequestHandler<Work> {
    @Override
    public void run(Work work) {
      Objects.requireNonNull(running).ran();
    }
  }

  @Override
  public String name() {
    return "jobrunr";
  }

  @Override
  public Latencies burst(int due) {
    try (HikariDataSource pool = postgres.empty()) {
      Runs runs = Runs.of(due);
      running = runs;
      JobRequestScheduler scheduler =
          JobRunr.configure()
              .useJsonMapper(new JacksonJsonMapper())
              .useStorageProvider(SqlStorageProviderFactory.using(pool))
              .useBackgroundJobServer(
                  BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                      .andWorkerCount(BurstCommand.THREADS)
                      .andPollInterval(SHORTEST_POLL),
                  false)
              .initialize()
              .getJobRequestScheduler();
      try {
        scheduler.create(
            IntStream.range(0, due)
                .mapToObj(
                    any -> JobBuilder.aJob().scheduleAt(runs.due()).withJobRequest(new Work())));
        Postgres.analyze(pool);
        runs.requireInTime();
        JobRunr.getBackgroundJobServer().start();
        runs.await();
      } finally {
        JobRunr.destroy();
      }
      return runs.latencies();
    }
  }
}
