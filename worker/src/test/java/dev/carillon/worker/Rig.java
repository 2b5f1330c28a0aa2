package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A worker with a fake API, a queue in memory or a pool, a moved time, and a handler that is held.
 */
final class Rig {

  static final Duration CLOSES_WITHIN = Duration.ofSeconds(30);

  private static final long LONGEST_WAIT_SECONDS = 120;

  final MovedTime time = new MovedTime();
  final FakeApi api = new FakeApi(time::now);
  final MemoryQueue queue = new MemoryQueue();
  final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  final BlockingQueue<ClaimedJob> begun = new LinkedBlockingQueue<>();
  final WorkerBuilder builder =
      Worker.builder()
          .carillon(api.client())
          .threads(1)
          .name("w1")
          .closesWithin(CLOSES_WITHIN)
          .time(time)
          .listener(new Heard());

  private final Semaphore received = new Semaphore(0);
  private final Semaphore releases = new Semaphore(0);
  private Worker worker;
  private boolean isClosing;
  private Duration closesWithin = CLOSES_WITHIN;

  /** A worker of a queue. */
  Rig() {
    builder.queue(queue);
  }

  private Rig(String pool) {
    builder.pool(pool);
  }

  /** A worker of a pool alone. */
  static Rig ofPool(String pool) {
    return new Rig(pool);
  }

  private final class Heard implements WorkerListener {

    @Override
    public void received(String queueName, int requests) {
      received.release(requests);
    }

    @Override
    public void unhandled(String queueName, String reason) {
      heard.add("unhandled " + reason);
    }

    @Override
    public void unclaimed(LaunchRequest request, String reason) {
      heard.add(reason + " " + request.jobId());
    }

    @Override
    public void stopped(ClaimedJob job, StopReason reason) {
      heard.add("stopped " + reason);
    }

    @Override
    public void ended(ClaimedJob job, JobEnding ending, Duration ran) {
      heard.add(ending + " " + job.jobId());
    }

    @Override
    public void denied(String permission) {
      heard.add("denied " + permission);
    }
  }

  void closesWithin(Duration within) {
    closesWithin = within;
    builder.closesWithin(within);
  }

  /** Starts the worker with a handler that ends when it is released. */
  Worker start() {
    return start(job -> releases.acquire());
  }

  /** Starts the worker; {@link #begun} gets each job before the handler. */
  Worker start(Handler handler) {
    worker =
        builder
            .handle(
                "exporter",
                job -> {
                  begun.add(job);
                  handler.handle(job);
                })
            .start();
    return worker;
  }

  /** Lets one held handler end. */
  void release() {
    releases.release();
  }

  /** Waits until so many requests were received in all. */
  void awaitReceived(int requests) throws InterruptedException {
    assertThat(received.tryAcquire(requests, LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    received.release(requests);
  }

  int received() {
    return received.availablePermits();
  }

  ClaimedJob nextBegun() throws InterruptedException {
    return next(begun);
  }

  String nextHeard() throws InterruptedException {
    return next(heard);
  }

  /** What was heard next; it came from two threads, in any order. */
  void assertHeardBoth(String one, String other) throws InterruptedException {
    assertThat(List.of(nextHeard(), nextHeard())).containsExactlyInAnyOrder(one, other);
  }

  static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("nothing came").isNotNull();
    return next;
  }

  /**
   * Closes the worker on another thread, up to the moment in which time must pass. Then the polling
   * has been stopped.
   */
  Thread beginToClose() throws InterruptedException {
    isClosing = true;
    Thread closing = new Thread(worker::close, "closing");
    closing.start();
    time.awaitTaskIn(closesWithin);
    return closing;
  }

  void close() throws InterruptedException {
    releases.release(1_000);
    if (worker != null && !isClosing) {
      Thread closing = beginToClose();
      time.move(closesWithin);
      closing.join();
    }
    queue.end();
    api.close();
  }
}
