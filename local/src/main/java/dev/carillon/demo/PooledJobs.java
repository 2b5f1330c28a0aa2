package dev.carillon.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.LaunchNow;
import dev.carillon.client.Namespace;
import dev.carillon.client.PoolStatus;
import dev.carillon.document.Json;
import dev.carillon.worker.Worker;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of the demo that wait in a pool. All of them wait before the first is chosen. The
 * customer with many jobs comes before the customers with few. A worker pulls the jobs one at a
 * time, so their order shows the turns of the customers.
 */
final class PooledJobs implements AutoCloseable {

  /** The schedule, whose name is also that of its program. */
  static final String SCHEDULE = "thumbnail";

  static final String POOL = "previews";

  /** How many jobs a customer has. */
  record Load(String customer, int jobs) {}

  /** The loads, in the order in which the customers come. */
  static final List<Load> LOADS =
      List.of(new Load("acme", 9), new Load("bolt", 4), new Load("coda", 2));

  private static final int ALL = LOADS.stream().mapToInt(Load::jobs).sum();
  private static final long BETWEEN_READS_MILLIS = 100;
  private static final Duration CLOSES_WITHIN = Duration.ofSeconds(2);
  private static final Logger LOG = LoggerFactory.getLogger(PooledJobs.class);

  private final CarillonClient carillon;
  private final Namespace namespace;
  private final Screen screen;
  private final Thread start = new Thread(this::start, "pooled jobs");
  private final Map<String, String> customers = new ConcurrentHashMap<>();
  private final List<String> served = new CopyOnWriteArrayList<>();
  private final CountDownLatch left = new CountDownLatch(ALL);
  private @Nullable Worker worker;
  private boolean isClosed;

  PooledJobs(URI http, Screen screen) {
    this.carillon = CarillonClient.local(http);
    this.namespace = carillon.namespace(DemoApi.NAMESPACE);
    this.screen = screen;
  }

  /** Creates the pool, which is paused. */
  void create() {
    namespace.pools().create(POOL, document(true));
  }

  private static ObjectNode document(boolean isPaused) {
    return Json.object().put("description", "Previews by customer").put("paused", isPaused);
  }

  void launch() {
    start.setDaemon(true);
    start.start();
  }

  private void start() {
    try {
      for (Load load : LOADS) {
        screen.sent(
            Instant.now(),
            "HTTP",
            "launch %s %d times for %s".formatted(SCHEDULE, load.jobs(), load.customer()));
        for (int number = 0; number < load.jobs(); number++) {
          LaunchNow how = LaunchNow.plain().forCustomer(load.customer());
          String job = namespace.launch(SCHEDULE, how).jobId();
          customers.put(job, load.customer());
        }
      }
      while (waiting() < ALL) {
        Thread.sleep(BETWEEN_READS_MILLIS);
      }
      screen.sent(Instant.now(), "HTTP", "resume the pool %s: %d jobs wait".formatted(POOL, ALL));
      namespace.pools().put(POOL, document(false));
      startWorker();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException fault) {
      if (!isClosed()) {
        LOG.error("the pool of the demo has ended", fault);
      }
    }
  }

  private int waiting() {
    PoolStatus status = namespace.pools().pool(POOL).status();
    return status == null ? 0 : status.waiting().jobs();
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  private synchronized void startWorker() {
    if (isClosed) {
      return;
    }
    worker =
        Worker.builder()
            .carillon(carillon)
            .pool(POOL)
            .threads(1)
            .closesWithin(CLOSES_WITHIN)
            .name("demo")
            .handle(SCHEDULE, job -> serve(job.jobId()))
            .start();
  }

  private void serve(String job) {
    served.add(customers.getOrDefault(job, job));
    left.countDown();
  }

  /**
   * The turns of the customers. Waits until all jobs were served, or until the longest time has
   * passed.
   */
  PooledSummary await(Duration longest) throws InterruptedException {
    if (!left.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.warn("jobs of the pool still wait after {} s", longest.toSeconds());
    }
    return new PooledSummary(List.copyOf(served));
  }

  @Override
  public void close() {
    Worker running;
    synchronized (this) {
      isClosed = true;
      running = worker;
    }
    start.interrupt();
    if (running != null) {
      running.close();
    }
  }
}
