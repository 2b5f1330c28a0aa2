package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed rate as a function's event source. The first invocation comes at once. As on Lambda,
 * invocations may overlap. At most two run at a time; further ones are left out.
 */
final class RateRule implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RateRule.class);
  private static final int MOST_CONCURRENT = 2;

  private final LocalFunction function;
  private final Duration every;
  private final Semaphore free = new Semaphore(MOST_CONCURRENT);
  private final ScheduledExecutorService clock;
  private final ExecutorService workers;

  RateRule(EventSource.Rate source, LocalFunction function) {
    this.function = function;
    this.every = source.every();
    clock = Executors.newSingleThreadScheduledExecutor(Daemon.threads(function.name() + "-clock"));
    workers = Executors.newFixedThreadPool(MOST_CONCURRENT, Daemon.threads(function.name()));
  }

  void start() {
    var unused = clock.scheduleAtFixedRate(this::tick, 0, every.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    Daemon.stop(workers);
  }

  private void tick() {
    if (free.tryAcquire()) {
      workers.execute(this::invoke);
    } else {
      LOG.warn("{} is not invoked this time: two invocations still run", function.name());
    }
  }

  private void invoke() {
    try {
      function.invoke(event(), Void.class);
    } catch (RuntimeException fault) {
      LOG.warn("{} failed", function.name(), fault);
    } finally {
      free.release();
    }
  }

  private ScheduledEvent event() {
    ScheduledEvent event = new ScheduledEvent();
    event.setId(UUID.randomUUID().toString());
    event.setAccount(LocalAccount.ID);
    event.setRegion(LocalAccount.REGION);
    event.setSource("aws.events");
    event.setDetailType("Scheduled Event");
    event.setDetail(Map.of());
    event.setTime(DateTime.now(DateTimeZone.UTC));
    event.setResources(
        List.of(
            "arn:aws:events:"
                + LocalAccount.REGION
                + ":"
                + LocalAccount.ID
                + ":rule/"
                + function.name()));
    return event;
  }
}
