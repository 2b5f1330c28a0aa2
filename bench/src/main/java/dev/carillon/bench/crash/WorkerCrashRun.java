package dev.carillon.bench.crash;

import dev.carillon.bench.crash.Effects.Effect;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Progress;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.CarillonException.Unavailable;
import dev.carillon.client.CarillonException.Unreachable;
import dev.carillon.client.Job;
import dev.carillon.client.Namespace;
import dev.carillon.client.Page;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.local.EmbeddedDynamoDb;
import dev.carillon.local.LocalAccount;
import java.io.File;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Workers that are killed repeatedly while they carry out tracked jobs. The effects of the jobs are
 * stored in this process, which is not killed.
 */
final class WorkerCrashRun implements AutoCloseable {

  private static final String SCHEDULE = "mortal";
  private static final int WORKERS = 2;
  private static final int LONGEST_LIFE_MILLIS = 10_000;
  private static final int LONGEST_ENGINE_LIFE_MILLIS = 20_000;

  /**
   * When the effects of this share of the jobs have happened, workers are no longer killed. So the
   * run ends.
   */
  private static final double KILLED_SHARE = 0.95;

  /** The most unfinished jobs, so that no request waits for longer than its time-out. */
  private static final int MOST_UNFINISHED = 100;

  /** Few enough that progress is reported between them. */
  private static final int LAUNCHES_AT_ONCE = 50;

  private static final Tracking TRACKING =
      new Tracking(
          Duration.ofMinutes(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofMinutes(5));
  private static final Retry RETRY =
      new Retry(100, Duration.ofSeconds(1), BigDecimal.ONE, Duration.ofSeconds(1));
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int PAUSE_MILLIS = 500;
  private static final int LARGEST_PAGE = 1_000;

  private final Path data;
  private final File log;
  private final Random random;
  private final boolean killsEngine;
  private final EmbeddedDynamoDb store = EmbeddedDynamoDb.inMemory(0);
  private final Effects effects = new Effects(LocalAccount.dynamoDb(store.endpoint()));
  private final ExecutorService killers = Executors.newCachedThreadPool();
  private final AtomicBoolean isKilling = new AtomicBoolean(true);
  private final AtomicInteger kills = new AtomicInteger();
  private final AtomicInteger engineKills = new AtomicInteger();
  private final List<MortalWorker> workers = new ArrayList<>();
  private EngineProcess engine;
  private final Namespace namespace;

  /**
   * @param data an empty directory for the engine
   * @param log receives the logs of engine and workers
   * @param seed the seed of the instants of the kills
   * @param killsEngine whether the engine is killed as well; if not, it runs in memory
   */
  WorkerCrashRun(Path data, File log, long seed, boolean killsEngine) {
    this.data = data;
    this.log = log;
    this.random = new Random(seed);
    this.killsEngine = killsEngine;
    this.engine = killsEngine ? EngineProcess.onDisk(data, log) : EngineProcess.inMemory(log);
    engine.awaitReady();
    this.namespace = CarillonClient.local(engine.api()).namespace("default");
  }

  /**
   * The result of a run.
   *
   * @param jobs the number of jobs; at least as many as requested, because a launch is repeated if
   *     a kill lost its answer
   * @param attempts the attempts that began
   * @param faults the faults, one sentence each
   */
  record Outcome(int jobs, int kills, int engineKills, int attempts, List<String> faults) {}

  /** Launches jobs and kills their workers. */
  Outcome run(int jobs, Progress progress) throws InterruptedException {
    effects.createTable();
    namespace.put(
        Schedules.builder(SCHEDULE)
            .setProgram(MortalWorker.PROGRAM)
            .setTarget(Target.of(MortalWorker.QUEUE, "${jobId}"))
            .setTracking(TRACKING)
            .setRetry(RETRY)
            .setState(Policies.State.ACTIVE)
            .build(Trigger.manual()));
    for (int number = 0; number < WORKERS; number++) {
      long seed = random.nextLong();
      killers.execute(() -> liveAndBeKilled(new Random(seed)));
    }
    if (killsEngine) {
      long seed = random.nextLong();
      killers.execute(() -> killEngines(new Random(seed)));
    }
    Set<String> launched = launchAll(jobs, progress);
    List<Job> ended = awaitEnds(launched.size(), progress);
    return judge(launched, ended);
  }

  /** Launches jobs as the workers finish them; returns the ids in the answers. */
  private Set<String> launchAll(int jobs, Progress progress) throws InterruptedException {
    Set<String> launched = new HashSet<>();
    while (launched.size() < jobs) {
      int happened = Effects.happened(effects.all());
      int room = Math.min(happened + MOST_UNFINISHED, launched.size() + LAUNCHES_AT_ONCE);
      int most = Math.min(jobs, room);
      while (launched.size() < most) {
        launched.add(launch());
      }
      progress.say(
          "%,d of %,d jobs launched, %,d done, %d workers and %d engines killed",
          launched.size(), jobs, happened, kills.get(), engineKills.get());
      Thread.sleep(PAUSE_MILLIS);
    }
    return launched;
  }

  /**
   * Launches a job, again while the engine is down; returns the job's id.
   *
   * @throws CannotRun if the engine does not answer in time
   */
  private String launch() throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      try {
        return namespace.launch(SCHEDULE).jobId();
      } catch (Unavailable | Unreachable engineIsDown) {
        if (System.nanoTime() > end) {
          throw new CannotRun("the engine did not answer for " + LONGEST, engineIsDown);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Returns all jobs when each has ended, or when the longest time has passed. */
  private List<Job> awaitEnds(int launched, Progress progress) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    List<Job> jobs = List.of();
    while (!haveEnded(jobs) && System.nanoTime() < end) {
      int happened = Effects.happened(effects.all());
      if (happened >= launched * KILLED_SHARE) {
        isKilling.set(false);
      }
      progress.say("%,d of %,d jobs done, %d workers killed", happened, launched, kills.get());
      Thread.sleep(PAUSE_MILLIS);
      jobs = happened < launched ? List.of() : allJobs();
    }
    return jobs.isEmpty() ? allJobs() : jobs;
  }

  private static boolean haveEnded(List<Job> jobs) {
    return !jobs.isEmpty()
        && jobs.stream()
            .allMatch(job -> job.state() == Job.State.SUCCEEDED || job.state() == Job.State.FAILED);
  }

  /** All jobs; empty if the engine does not answer. */
  private List<Job> allJobs() {
    List<Job> jobs = new ArrayList<>();
    @Nullable String next = null;
    try {
      do {
        Page<Job> page = namespace.jobs(SCHEDULE, null, LARGEST_PAGE, next);
        jobs.addAll(page.items());
        next = page.next();
      } while (next != null);
    } catch (CarillonException engineIsDown) {
      return List.of();
    }
    return jobs;
  }

  /**
   * @param launched the ids in the answers to launches
   */
  private Outcome judge(Set<String> launched, List<Job> jobs) {
    Map<String, Effect> all = effects.all();
    List<String> ids = jobs.stream().map(Job::jobId).toList();
    List<String> faults = new ArrayList<>(Effects.faults(all, ids));
    Set<String> lost = new TreeSet<>(launched);
    lost.removeAll(ids);
    lost.forEach(id -> faults.add(id + " was launched and is not listed"));
    jobs.stream()
        .filter(job -> job.state() != Job.State.SUCCEEDED)
        .forEach(job -> faults.add("%s is %s".formatted(job.jobId(), job.state())));
    int attempts = all.values().stream().mapToInt(Effect::begun).sum();
    return new Outcome(jobs.size(), kills.get(), engineKills.get(), attempts, faults);
  }

  /** Kills one worker after another, except the last one. */
  private void liveAndBeKilled(Random moments) {
    boolean goesOn = true;
    while (goesOn) {
      MortalWorker worker = spawn();
      goesOn = worker.awaitWork() && pass(moments.nextInt(LONGEST_LIFE_MILLIS)) && isKilling.get();
      if (goesOn) {
        worker.kill();
        kills.incrementAndGet();
      }
    }
  }

  private synchronized MortalWorker spawn() {
    MortalWorker worker = MortalWorker.spawn(engine.api(), engine.sqs(), store.endpoint(), log);
    workers.add(worker);
    return worker;
  }

  private void killEngines(Random moments) {
    while (pass(moments.nextInt(LONGEST_ENGINE_LIFE_MILLIS)) && isKilling.get()) {
      engine.kill();
      engineKills.incrementAndGet();
      replaceEngine(engine.again(data, log));
    }
  }

  private void replaceEngine(EngineProcess next) {
    next.awaitReady();
    synchronized (this) {
      engine = next;
    }
  }

  /** Waits; false if the run was closed during the wait. */
  private boolean pass(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
      return true;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    isKilling.set(false);
    killers.shutdownNow();
    synchronized (this) {
      workers.forEach(MortalWorker::kill);
    }
    engine.kill();
    store.close();
  }
}
