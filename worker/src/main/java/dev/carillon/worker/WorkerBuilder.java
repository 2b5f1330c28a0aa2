package dev.carillon.worker;

import dev.carillon.client.CarillonClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Builds a {@link Worker}. {@link #carillon}, a queue or pool, and a handler are required. */
public final class WorkerBuilder {

  private static final int DEFAULT_THREADS = 4;
  private static final int DEFAULT_WAITING = 10;
  private static final int RADIX = 36;
  private static final long SUFFIXES = 2_176_782_336L; // 36^6

  private final List<RequestQueue> queues = new ArrayList<>();
  private final Set<PoolAddress> pools = new LinkedHashSet<>();
  private final Map<String, Handler> handlers = new HashMap<>();
  private final List<WorkerListener> listeners = new ArrayList<>(List.of(new LoggingListener()));
  private @Nullable CarillonClient carillon;
  private int threads = DEFAULT_THREADS;
  private Supplier<ExecutorService> executor = this::platformThreads;
  private boolean isOwnExecutor = true;
  private int waiting = DEFAULT_WAITING;
  private Duration ageing = Duration.ofMinutes(1);
  private Duration closesWithin = Duration.ofSeconds(30);
  private String name = "worker-" + ProcessHandle.current().pid();
  private @Nullable Time time;

  WorkerBuilder() {}

  /** Sets the client of the API. Closing the worker does not close the client. */
  public WorkerBuilder carillon(CarillonClient client) {
    this.carillon = client;
    return this;
  }

  /**
   * Adds a queue to poll. The name includes the deployment's prefix for target queues: the queue
   * {@code exports} of a document is {@code carillon-target-exports} on the local engine.
   *
   * @param sqs the client, which is not closed with the worker
   * @param queue the name, URL or ARN of the queue
   */
  public WorkerBuilder queue(SqsClient sqs, String queue) {
    return queue(new SqsRequestQueue(sqs, queue));
  }

  WorkerBuilder queue(RequestQueue queue) {
    queues.add(queue);
    return this;
  }

  /**
   * Adds a pool to pull jobs from. Pulled jobs are already claimed, so the worker never asks for
   * more jobs than it has free threads. While no job of a pool is running, the worker keeps one of
   * the {@link #threads} free for this pool. Likewise, it keeps one free for all queues together.
   *
   * @param pool like {@code encode} for this pool of the namespace {@code default}, or {@code
   *     team/encode}
   */
  public WorkerBuilder pool(String pool) {
    pools.add(PoolAddress.of(pool));
    return this;
  }

  /**
   * Sets the handler of a program.
   *
   * @param program {@code exporter} for the programs of this name in any namespace, or {@code
   *     team/exporter} for the program of one namespace
   */
  public WorkerBuilder handle(String program, Handler handler) {
    handlers.put(program, handler);
    return this;
  }

  /** How many jobs run at once: 4 unless set. */
  public WorkerBuilder threads(int count) {
    return executor(this::platformThreads, count, true);
  }

  /**
   * How many jobs run at once, each on a virtual thread.
   *
   * @throws IllegalStateException at the start if the JVM is older than 21
   */
  public WorkerBuilder virtualThreads(int count) {
    return executor(Threads::virtual, count, true);
  }

  /**
   * Runs the jobs on threads of the caller.
   *
   * @param executor must have at least {@code count} free threads. Closing the worker does not
   *     close it; if the caller shuts it down, the worker stops polling within a second, or when a
   *     running job ends if all threads are busy
   * @param count how many jobs run at once
   */
  public WorkerBuilder executor(ExecutorService executor, int count) {
    return executor(() -> executor, count, false);
  }

  private WorkerBuilder executor(Supplier<ExecutorService> given, int count, boolean isOwn) {
    this.threads = atLeast(1, count, "threads");
    this.executor = given;
    this.isOwnExecutor = isOwn;
    return this;
  }

  /**
   * How many requests of each queue may wait in this process: 10 unless set. The most urgent of
   * them goes first. Other workers cannot receive these requests meanwhile. Set 0 if jobs take
   * long; then a request is received only for an idle thread.
   */
  public WorkerBuilder waiting(int requests) {
    this.waiting = atLeast(0, requests, "waiting requests");
    return this;
  }

  /** How long a request waits before it becomes one priority more urgent: a minute unless set. */
  public WorkerBuilder ageing(Duration step) {
    this.ageing = positive(step);
    return this;
  }

  /** How long {@link Worker#close} takes at most: 30 seconds unless set. */
  public WorkerBuilder closesWithin(Duration longest) {
    this.closesWithin = positive(longest);
    return this;
  }

  /**
   * The name that {@code explain} shows. The worker adds a random suffix to it.
   *
   * @param name at most 40 letters, digits, {@code _}, {@code .} and {@code -}
   */
  public WorkerBuilder name(String name) {
    if (!name.matches("[A-Za-z0-9_.-]{1,40}")) {
      throw new IllegalArgumentException(
          "a worker's name has 1 to 40 letters, digits, _, . and -, unlike " + name);
    }
    this.name = name;
    return this;
  }

  /** Adds a listener. */
  public WorkerBuilder listener(WorkerListener listener) {
    listeners.add(listener);
    return this;
  }

  WorkerBuilder time(Time given) {
    this.time = given;
    return this;
  }

  /**
   * Starts a worker.
   *
   * @throws IllegalStateException if a required part is missing, or if there are more pools than
   *     threads for them
   */
  public Worker start() {
    if (carillon == null || handlers.isEmpty() || (queues.isEmpty() && pools.isEmpty())) {
      throw new IllegalStateException(
          "a worker needs carillon(…), queue(…) or pool(…), and handle(…)");
    }
    int sources = pools.size() + (queues.isEmpty() ? 0 : 1);
    if (threads < sources) {
      throw new IllegalStateException(
          "a worker needs a thread for each pool and one for its queues: at least %d, not %d"
              .formatted(sources, threads));
    }
    ExecutorService threadsOfJobs = executor.get();
    WorkerListener listener = new Listeners(List.copyOf(listeners));
    Time clock = time == null ? new SystemTime(listener) : time;
    Worker worker =
        new Worker(
            new Worker.Settings(
                name + "." + suffix(),
                carillon,
                List.copyOf(queues),
                List.copyOf(pools),
                new Handlers(Map.copyOf(handlers)),
                threads,
                threadsOfJobs,
                waiting,
                ageing,
                closesWithin,
                listener,
                clock,
                () -> close(clock, threadsOfJobs)));
    worker.start();
    return worker;
  }

  private ExecutorService platformThreads() {
    return Executors.newFixedThreadPool(threads, Threads.named("carillon-worker"));
  }

  private static String suffix() {
    return Long.toString(ThreadLocalRandom.current().nextLong(SUFFIXES), RADIX)
        .toLowerCase(Locale.ROOT);
  }

  private void close(Time clock, ExecutorService threadsOfJobs) {
    clock.close();
    if (isOwnExecutor) {
      threadsOfJobs.shutdownNow();
    }
  }

  private static int atLeast(int least, int count, String what) {
    if (count < least) {
      throw new IllegalArgumentException(
          "at least %d %s are needed, not %d".formatted(least, what, count));
    }
    return count;
  }

  private static Duration positive(Duration duration) {
    if (duration.isZero() || duration.isNegative()) {
      throw new IllegalArgumentException("the duration must be positive, unlike " + duration);
    }
    return duration;
  }
}
