package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Pull;
import dev.carillon.client.PulledJob;
import dev.carillon.client.Runs;
import dev.carillon.worker.Claiming.Claimed;
import dev.carillon.worker.PulledClaims.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Pulls jobs from one pool, on a thread of its own. A pull reserves a thread for each job that it
 * asks for, so that no claimed job waits. A pull that waits for a job on the server reserves only
 * one.
 */
final class Puller {

  private static final int MOST_JOBS = 25;

  /**
   * The shortest time between two pulls that bring no jobs, for example from a paused pool. It is
   * also the pause after a fault in this process.
   */
  private static final Duration SHORTEST_PULL = Duration.ofSeconds(1);

  /**
   * The pause after a refusal whose cause takes time to end. An example is a pool that does not
   * exist yet. The same pause follows a job without a handler, so that another worker can get its
   * next attempt.
   */
  private static final Duration REFUSED_PAUSE = Duration.ofMinutes(1);

  private final PoolAddress pool;
  private final String worker;
  private final Setting setting;
  private final Runs runs;
  private final Pauses pauses;
  private final Thread thread;
  private int wanted = 1;

  /** The settings that all pullers of a worker share. */
  record Setting(
      WaitingRequests waiting,
      Handlers handlers,
      Claiming.Connection connection,
      PulledClaims claims,
      Backoff backoff,
      Duration longestPull,
      Runnable onEnd) {}

  Puller(PoolAddress pool, String worker, Setting setting) {
    this.pool = pool;
    this.worker = worker;
    this.setting = setting;
    this.runs = setting.connection().namespaces().of(pool.namespace());
    this.pauses = new Pauses(setting.waiting(), setting.connection().time());
    this.thread = new Thread(this::run, "carillon-worker-puller " + pool.text());
  }

  void start() {
    thread.start();
  }

  /**
   * Ends the pulling, after the waiting requests were closed. A pull that waits for its answer
   * continues, because the server may claim jobs for it in any case. Such jobs are given back.
   */
  void stop() {
    pauses.end();
  }

  /** Stops giving jobs back. The claims of the remaining jobs end by themselves. */
  void abandon() {
    thread.interrupt();
  }

  private void run() {
    try {
      int reserved = reserve();
      while (reserved > 0) {
        pullOnce(reserved);
        reserved = reserve();
      }
    } catch (InterruptedException closing) {
      // Only the end of the pulling interrupts this thread, and then it has nothing more to do.
    } finally {
      setting.onEnd().run();
    }
  }

  private void pullOnce(int reserved) throws InterruptedException {
    try {
      pull(reserved);
    } catch (RuntimeException fault) {
      failed(fault);
    } catch (Error fault) {
      // The loop goes on: without it, the worker would pull nothing more from the pool.
      failed(new IllegalStateException(fault));
    }
  }

  private void failed(RuntimeException fault) throws InterruptedException {
    setting.connection().listener().trouble("pulling from the pool " + pool.text(), fault);
    wanted = 1;
    pauses.pause(SHORTEST_PULL);
  }

  private int reserve() throws InterruptedException {
    return setting.waiting().reserve(pool.source(), wanted);
  }

  private void pull(int reserved) throws InterruptedException {
    Answer answer = Answer.none(Duration.ZERO);
    Sorted sorted = new Sorted(List.of(), Map.of());
    boolean isBegun = true;
    try {
      answer = request(reserved);
      sorted = sorted(answer);
    } finally {
      isBegun = setting.waiting().begin(pool.source(), reserved, sorted.handled());
    }
    if (!sorted.handled().isEmpty()) {
      setting.connection().listener().received(pool.text(), sorted.handled().size());
    }
    giveBack(sorted, isBegun);
    boolean isHandled = sorted.unhandled().isEmpty();
    wanted = answer.jobs().size() < reserved || !isHandled ? 1 : MOST_JOBS;
    Duration pause = isHandled ? answer.pause() : REFUSED_PAUSE;
    if (pause.compareTo(Duration.ZERO) > 0) {
      pauses.pause(pause);
    }
  }

  /**
   * The answer to a pull.
   *
   * @param sentAt when the request was sent, in nanoseconds of the worker's monotonic clock
   * @param pause the pause until the next pull
   */
  private record Answer(List<PulledJob> jobs, long sentAt, Duration pause) {

    static Answer none(Duration pause) {
      return new Answer(List.of(), 0, pause);
    }
  }

  /**
   * Sends the same request until it is answered, because the server may have claimed jobs for a
   * request whose answer was lost. Returns no jobs if the request is refused. If the worker closes,
   * this method abandons the last pull: it returns no jobs, and reports no trouble.
   */
  private Answer request(int count) throws InterruptedException {
    // A request for several jobs does not wait, because the threads reserved for it would be idle.
    int seconds = count == 1 ? (int) setting.longestPull().toSeconds() : 0;
    Pull pull = new Pull(worker, count, seconds, UUID.randomUUID().toString());
    for (int failures = 1; !setting.waiting().isClosed(); failures++) {
      long sentAt = now();
      try {
        return answer(runs.next(pool.pool(), pull), sentAt);
      } catch (CarillonException.Denied denied) {
        Claiming.Connection connection = setting.connection();
        connection.onDenial().accept(new DeniedException(Refusals.permission(pool), denied));
      } catch (RuntimeException failure) {
        if (setting.waiting().isClosed()) {
          break;
        }
        setting.connection().listener().trouble("pulling from the pool " + pool.text(), failure);
        if (!Refusals.isTemporary(failure)) {
          return Answer.none(REFUSED_PAUSE);
        }
        Duration usual = setting.backoff().pause(failures);
        pauses.pause(Refusals.pause(failure, usual, REFUSED_PAUSE));
      }
    }
    return Answer.none(Duration.ZERO);
  }

  private Answer answer(List<PulledJob> jobs, long sentAt) {
    Duration left = SHORTEST_PULL.minusNanos(now() - sentAt);
    return new Answer(jobs, sentAt, jobs.isEmpty() ? left : Duration.ZERO);
  }

  /**
   * The jobs of an answer, divided by whether this worker has a handler for them.
   *
   * @param unhandled the jobs without a handler, each with the reason
   */
  private record Sorted(List<PulledWork> handled, Map<PulledJob, String> unhandled) {}

  private Sorted sorted(Answer answer) {
    Sorted sorted = new Sorted(new ArrayList<>(), new LinkedHashMap<>());
    for (PulledJob job : answer.jobs()) {
      try {
        LaunchRequest request = LaunchRequest.of(job.body(), job.attributes());
        if (setting.handlers().of(request).isPresent()) {
          Claimed claimed = new Claimed(job.claim(), runs, answer.sentAt());
          sorted.handled().add(new PulledWork(pool.source(), request, claimed, now()));
        } else {
          sorted.unhandled().put(job, Handlers.missing(request));
        }
      } catch (IllegalArgumentException invalid) {
        sorted.unhandled().put(job, String.valueOf(invalid.getMessage()));
      }
    }
    return sorted;
  }

  private void giveBack(Sorted sorted, boolean isBegun) throws InterruptedException {
    for (Map.Entry<PulledJob, String> job : sorted.unhandled().entrySet()) {
      setting.connection().listener().unhandled(pool.text(), job.getValue());
      giveBack(job.getKey().jobId(), job.getKey().claimToken(), job.getValue());
    }
    if (!isBegun) {
      for (PulledWork job : sorted.handled()) {
        String token = job.claimed().claim().claimToken();
        giveBack(job.request().jobId(), token, "the worker was closed before the job began");
      }
    }
  }

  private void giveBack(String jobId, String claimToken, String reason)
      throws InterruptedException {
    setting.claims().giveBack(new Held(pool.namespace(), jobId, claimToken, runs), reason);
  }

  private long now() {
    return setting.connection().time().now();
  }
}
