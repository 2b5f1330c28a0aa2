package dev.carillon.demo;

import dev.carillon.client.CarillonClient;
import dev.carillon.client.Namespace;
import dev.carillon.client.OperationState;
import dev.carillon.local.LocalEngine;
import dev.carillon.worker.ClaimedJob;
import dev.carillon.worker.JobEnding;
import dev.carillon.worker.Worker;
import dev.carillon.worker.WorkerListener;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The two tracked jobs of the demo. One of them has three operations, one of which fails once. The
 * first worker of the other job stops sending heartbeats. A worker that uses the worker library
 * then completes both jobs.
 */
final class TrackedJobs implements AutoCloseable {

  /** The schedules, whose names are also those of their programs and queues. */
  static final String ENCODER = "encoder";

  static final String IMPORTER = "importer";

  /** The pieces of work that the handlers do. Each of them must be done once. */
  static final List<String> WORK =
      List.of("encoder read", "encoder encode", "encoder publish", "importer import");

  private static final List<String> OPERATIONS = List.of("read", "encode", "publish");
  private static final int THREADS = 2;
  private static final Duration CLOSES_WITHIN = Duration.ofSeconds(2);
  private static final Logger LOG = LoggerFactory.getLogger(TrackedJobs.class);

  private final CarillonClient carillon;
  private final Namespace namespace;
  private final SqsClient sqs;
  private final Screen screen;
  private final SilentWorker silent;
  private final Thread start = new Thread(this::start, "tracked jobs");
  private final Map<String, String> launched = new ConcurrentHashMap<>();
  private final Collection<String> done = new ConcurrentLinkedQueue<>();
  private final CountDownLatch succeeded = new CountDownLatch(2);
  private @Nullable Worker worker;
  private boolean isClosed;

  /**
   * @param sqs not closed by {@link #close}
   */
  TrackedJobs(URI http, SqsClient sqs, Screen screen) {
    this.carillon = CarillonClient.local(http);
    this.namespace = carillon.namespace(DemoApi.NAMESPACE);
    this.sqs = sqs;
    this.screen = screen;
    this.silent = new SilentWorker(sqs, namespace.runs());
  }

  void launch() {
    start.setDaemon(true);
    start.start();
    for (String name : List.of(ENCODER, IMPORTER)) {
      screen.sent(Instant.now(), "HTTP", "launch " + name + ", which is tracked, now");
      launched.put(name, namespace.launch(name).jobId());
    }
  }

  private void start() {
    try {
      silent.claimOne(LocalEngine.TARGET_PREFIX + IMPORTER);
      screen.worked(Instant.now(), "importer, attempt 1: claimed by a worker that falls silent");
      startWorker();
    } catch (RuntimeException fault) {
      if (!isClosed()) {
        LOG.error("the workers of the demo have ended", fault);
      }
    }
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
            .queue(sqs, LocalEngine.TARGET_PREFIX + ENCODER)
            .queue(sqs, LocalEngine.TARGET_PREFIX + IMPORTER)
            .threads(THREADS)
            .closesWithin(CLOSES_WITHIN)
            .name("demo")
            .handle(ENCODER, this::encode)
            .handle(IMPORTER, job -> carryOut(job, "import"))
            .listener(new Successes())
            .start();
  }

  private void encode(ClaimedJob job) {
    for (String operation : OPERATIONS) {
      if (!job.isDone(operation)) {
        job.operation(operation, OperationState.RUNNING);
        failOnce(job, operation);
        carryOut(job, operation);
        job.operation(operation, OperationState.SUCCEEDED);
      }
    }
  }

  private void failOnce(ClaimedJob job, String operation) {
    if (operation.equals("encode") && job.attempt() == 1) {
      say(job, operation + " fails");
      job.operation(operation, OperationState.FAILED);
      throw new IllegalStateException("the disk is full");
    }
  }

  private void carryOut(ClaimedJob job, String what) {
    say(job, what);
    done.add(job.schedule() + " " + what);
  }

  private void say(ClaimedJob job, String what) {
    screen.worked(
        Instant.now(), "%s, attempt %d: %s".formatted(job.schedule(), job.attempt(), what));
  }

  private final class Successes implements WorkerListener {
    @Override
    public void ended(ClaimedJob job, JobEnding ending, Duration ran) {
      if (ending == JobEnding.SUCCEEDED) {
        succeeded.countDown();
      }
    }
  }

  /**
   * Waits until both jobs have succeeded, or the longest time has passed, and returns their
   * outcomes.
   */
  TrackedSummary await(Duration longest) throws InterruptedException {
    if (!succeeded.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.warn("the tracked jobs have not succeeded after {} s", longest.toSeconds());
    }
    boolean isLateReportRefused = silent.isRefusedLater();
    Map<String, TrackedSummary.Run> runs = new LinkedHashMap<>();
    for (String name : List.of(ENCODER, IMPORTER)) {
      String jobId = launched.get(name);
      if (jobId != null) {
        runs.put(name, TrackedSummary.Run.of(namespace.job(jobId)));
      }
    }
    return new TrackedSummary(runs, List.copyOf(done), isLateReportRefused);
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
