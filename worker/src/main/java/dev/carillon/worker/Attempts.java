package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.worker.Claiming.Claimed;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Runs claimed attempts: handler, heartbeats, report. */
final class Attempts {

  private final Handlers handlers;
  private final Ends ends;
  private final Time time;
  private final WorkerListener listener;
  private final Set<Heartbeats> running = ConcurrentHashMap.newKeySet();
  private volatile boolean isStopped;

  Attempts(Handlers handlers, Ends ends, Time time, WorkerListener listener) {
    this.handlers = handlers;
    this.ends = ends;
    this.time = time;
    this.listener = listener;
  }

  void run(Work work, Claimed claimed) throws InterruptedException {
    long began = time.now();
    Handler handler = handlers.of(work.request()).orElseThrow();
    ClaimedJob job = job(work.request(), claimed);
    Heartbeats heartbeats = job.heartbeats();
    listener.claimed(job, Duration.ofNanos(began - work.receivedAt()));
    JobEnding ending = JobEnding.UNREPORTED;
    running.add(heartbeats);
    try {
      // If the worker has abandoned its attempts meanwhile, the start fails. Then nothing renews
      // the claim, and it ends.
      heartbeats.start();
      if (isStopped) {
        heartbeats.stop(StopReason.CLOSING);
      }
      // The claim was answered late, or the worker closes: the handler is not called.
      Optional<StopReason> stopped = heartbeats.stopReason();
      Outcome outcome = stopped.isPresent() ? Outcome.of(stopped, null, null) : work(handler, job);
      ending =
          heartbeats.signal().reason().filter(StopReason.LOST::equals).isPresent()
              ? JobEnding.LOST
              : ends.report(job, claimed.runs(), heartbeats, outcome);
    } finally {
      heartbeats.end();
      running.remove(heartbeats);
      listener.ended(job, ending, Duration.ofNanos(time.now() - began));
    }
  }

  private static Outcome work(Handler handler, ClaimedJob job) {
    StopSignal signal = job.heartbeats().signal();
    @Nullable Throwable failure = null;
    signal.enter();
    try {
      handler.handle(job);
    } catch (Throwable thrown) {
      failure = thrown;
    }
    signal.leave();
    return Outcome.of(signal.reason(), failure, job.output().orElse(null));
  }

  private ClaimedJob job(LaunchRequest request, Claimed claimed) {
    return new ClaimedJob(
        request,
        claimed.claim().attempt(),
        claimed.claim().operations(),
        job ->
            new Heartbeats(
                claimed.runs(),
                request.jobId(),
                claimed.claim(),
                claimed.sentAt(),
                time,
                new ToListener(job)));
  }

  /** Stops the attempts that are running or about to run. */
  void stopAll() {
    isStopped = true;
    running.forEach(heartbeats -> heartbeats.stop(StopReason.CLOSING));
  }

  /**
   * Stops renewing the claims of attempts whose handlers did not stop, so that these claims end.
   */
  void abandonAll() {
    running.forEach(Heartbeats::end);
  }

  private final class ToListener implements Heartbeats.Observer {

    private final ClaimedJob job;

    ToListener(ClaimedJob job) {
      this.job = job;
    }

    @Override
    public void heartbeat(boolean isAnswered) {
      listener.heartbeat(job, isAnswered);
    }

    @Override
    public void stopped(StopReason reason) {
      listener.stopped(job, reason);
    }

    @Override
    public void denied(CarillonException.Denied denied) {
      ends.deny(job, "heartbeat", denied);
    }

    @Override
    public void trouble(String doing, RuntimeException cause) {
      listener.trouble(doing, cause);
    }
  }
}
