package dev.carillon.worker;

import dev.carillon.client.CarillonClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Receives launch requests from queues and claims each job, or pulls claimed jobs from pools. It
 * calls the handlers of the programs, and reports the ends. The description of the {@linkplain
 * dev.carillon.worker package} states its guarantees.
 *
 * <p>It polls from {@link WorkerBuilder#start} until {@link #close}, until a permission is missing,
 * or until the caller shuts down the executor of its jobs. Its polling threads keep the program
 * alive; its working threads do not.
 */
public final class Worker implements AutoCloseable {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PULL = Duration.ofSeconds(20);
  private static final int STOP_PERCENT = 80;

  private final Settings settings;
  private final Time time;
  private final Retries retries;
  private final WaitingRequests waiting;
  private final HeldRequests held;
  private final Attempts attempts;
  private final JobLoop loop;
  private final List<Poller> pollers;
  private final List<Puller> pullers;

  /** Counts the loops, the pullers, and the return of the waiting requests. */
  private final CountDownLatch ended;

  private final AtomicBoolean isPolling = new AtomicBoolean(true);
  private final AtomicBoolean isClosing = new AtomicBoolean();
  private final AtomicReference<@Nullable String> denial = new AtomicReference<>();

  /**
   * The parts of a worker.
   *
   * @param name the name, unique among all workers of the deployment
   * @param threads how many loops the executor runs
   * @param waiting how many requests of one queue may wait, in addition to those for idle threads
   * @param ageing a waiting request that is older by this much counts as one priority more urgent
   * @param closing closes the resources that only this worker uses
   */
  record Settings(
      String name,
      CarillonClient carillon,
      List<RequestQueue> queues,
      List<PoolAddress> pools,
      Handlers handlers,
      int threads,
      ExecutorService executor,
      int waiting,
      Duration ageing,
      Duration closesWithin,
      WorkerListener listener,
      Time time,
      Runnable closing) {

    /** The sources of jobs; all queues together are one source. */
    List<Source> sources() {
      Stream<Source> ofQueues = queues.isEmpty() ? Stream.of() : Stream.of(Source.QUEUES);
      return Stream.concat(ofQueues, pools.stream().map(PoolAddress::source)).toList();
    }
  }

  Worker(Settings settings) {
    this.settings = settings;
    this.time = settings.time();
    WorkerListener listener = settings.listener();
    Backoff backoff =
        new Backoff(FIRST_PAUSE, LONGEST_PAUSE, () -> ThreadLocalRandom.current().nextDouble());
    this.retries = new Retries(time, backoff);
    this.waiting =
        new WaitingRequests(
            new Urgency(settings.ageing()),
            new Shares(settings.threads(), settings.sources()),
            settings.waiting());
    this.held = new HeldRequests(time, listener, this::deny);
    this.attempts =
        new Attempts(settings.handlers(), new Ends(retries, listener, this::deny), time, listener);
    Claiming.Connection connection = connection();
    Claiming claiming = new Claiming(settings.name(), connection, held);
    PulledClaims pulledClaims = new PulledClaims(connection);
    this.loop =
        new JobLoop(waiting, claiming, pulledClaims, attempts, listener, settings.executor());
    this.ended = new CountDownLatch(settings.threads() + settings.pools().size() + 1);
    this.pollers = settings.queues().stream().map(queue -> poller(queue, backoff)).toList();
    Puller.Setting pulling =
        new Puller.Setting(
            waiting,
            settings.handlers(),
            connection,
            pulledClaims,
            backoff,
            longestPull(),
            ended::countDown);
    this.pullers =
        settings.pools().stream().map(it -> new Puller(it, settings.name(), pulling)).toList();
  }

  private Claiming.Connection connection() {
    return new Claiming.Connection(
        namespace -> settings.carillon().namespace(namespace).runs(),
        retries,
        time,
        settings.listener(),
        this::deny,
        () -> !isClosing.get());
  }

  public static WorkerBuilder builder() {
    return new WorkerBuilder();
  }

  private Poller poller(RequestQueue queue, Backoff backoff) {
    Poller.Store store = new Poller.Store(waiting, held);
    return new Poller(
        queue, store, settings.handlers(), backoff, time, settings.listener(), this::deny);
  }

  /**
   * A pull is answered before running attempts are stopped, also if the worker closes meanwhile.
   */
  private Duration longestPull() {
    Duration finishing = finishing();
    return finishing.compareTo(LONGEST_PULL) < 0 ? finishing : LONGEST_PULL;
  }

  /** How long running attempts may go on while the worker closes. */
  private Duration finishing() {
    return settings.closesWithin().multipliedBy(STOP_PERCENT).dividedBy(100);
  }

  private void runLoop() {
    try {
      loop.run();
    } finally {
      // If the polling goes on, the caller has shut down its executor. So the other loops end as
      // well, and no loop would carry out what the worker receives.
      stopPolling();
      ended.countDown();
    }
  }

  void start() {
    held.start();
    for (int i = 0; i < settings.threads(); i++) {
      settings.executor().execute(this::runLoop);
    }
    pollers.forEach(Poller::start);
    pullers.forEach(Puller::start);
  }

  private void deny(DeniedException denied) {
    String permission = String.valueOf(denied.getMessage());
    if (denial.compareAndSet(null, permission)) {
      settings.listener().denied(permission);
      stopPolling();
    }
  }

  private void stopPolling() {
    if (isPolling.compareAndSet(true, false)) {
      List<Delivery> rest = waiting.close();
      pollers.forEach(Poller::stop);
      pullers.forEach(Puller::stop);
      // On a thread of its own, so that close() ends in time though SQS does not answer.
      Threads.named("carillon-worker-returner").newThread(() -> giveBack(rest)).start();
    }
  }

  private void giveBack(List<Delivery> rest) {
    try {
      held.giveBack(rest);
    } finally {
      ended.countDown();
    }
  }

  /** The missing permission, if the worker has stopped polling because of a missing permission. */
  public Optional<String> denial() {
    return Optional.ofNullable(denial.get());
  }

  /** Waits until no attempt is running and no further attempt can begin. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /**
   * Ends the worker, within the time that {@link WorkerBuilder#closesWithin} sets. Waiting requests
   * go back to their queues at once. Running attempts can finish during 0.8 of the time. Then they
   * are stopped, and reported as retriable failures. If a handler does not stop, its claim ends by
   * itself.
   *
   * <p>The worker does not wait for its last request for messages. Messages that the request brings
   * go back to the queue if the program still runs; otherwise they are received again after their
   * visibility time-out. The worker waits for its last pull from a pool, which takes up to 20
   * seconds and at most 0.8 of this time. Jobs that the pull brings are already claimed, and are
   * given back as retriable failures.
   *
   * <p>If the calling thread is interrupted, the worker waits no longer. Running attempts are
   * stopped at once, and their claims are not renewed any more.
   */
  @Override
  public void close() {
    if (isClosing.compareAndSet(false, true)) {
      // Neither SQS nor the API can delay the alarms, because the polling is stopped without them.
      stopPolling();
      time.after(finishing(), attempts::stopAll);
      time.after(settings.closesWithin(), this::abandon);
    }
    try {
      ended.await();
      held.end();
    } catch (InterruptedException interruption) {
      // The alarms end with the clock, so this thread does now what they would do later.
      attempts.stopAll();
      abandon();
      Thread.currentThread().interrupt();
    } finally {
      settings.closing().run();
    }
  }

  private void abandon() {
    retries.abandon();
    attempts.abandonAll();
    pullers.forEach(Puller::abandon);
    while (ended.getCount() > 0) {
      ended.countDown();
    }
  }
}
