package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Claim;
import dev.carillon.client.Renewal;
import dev.carillon.client.Runs;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews the claim of one attempt by a heartbeat every fifth of the claim's lifetime. Stops the
 * attempt if no heartbeat has extended the claim when 0.8 of the lifetime has passed, or if the
 * server says that the attempt must stop. Near the run time-out, a heartbeat is answered without
 * extending the claim.
 */
final class Heartbeats {

  /** The shortest time to wait for an answer. It is this long because a function can start cold. */
  private static final Duration SHORTEST_WAIT = Duration.ofSeconds(2);

  private final Runs runs;
  private final String jobId;
  private final String claimToken;
  private final Time time;
  private final Observer observer;
  private final StopSignal signal = new StopSignal();
  private final Changes changes = new Changes();
  private final ReentrantLock sending = new ReentrantLock();
  private volatile Lease lease;

  /** The end of the claim by the server's clock, as the last answer named it. */
  private Instant expiresAt;

  private volatile boolean hasEnded;
  private Time.@Nullable Pending nextBeat;
  private Time.@Nullable Pending nextCheck;

  /** Receives the results of heartbeats. */
  interface Observer {

    void heartbeat(boolean isAnswered);

    void stopped(StopReason reason);

    void denied(CarillonException.Denied denied);

    void trouble(String doing, RuntimeException cause);
  }

  Heartbeats(Runs runs, String jobId, Claim claim, long claimSentAt, Time time, Observer observer) {
    this.runs = runs;
    this.jobId = jobId;
    this.claimToken = claim.claimToken();
    this.lease = new Lease(claimSentAt, claim.lifetime());
    this.expiresAt = claim.expiresAt();
    this.time = time;
    this.observer = observer;
  }

  StopSignal signal() {
    return signal;
  }

  Changes changes() {
    return changes;
  }

  String claimToken() {
    return claimToken;
  }

  void start() {
    plan(lease.sentAt());
  }

  /**
   * Plans the next heartbeat and the stop of the attempt. Each answer can bring both forward,
   * because the lifetime after a heartbeat can be shorter than that of the claim.
   *
   * @param sentAt when the last heartbeat or the claim was sent
   */
  private synchronized void plan(long sentAt) {
    cancel(nextBeat);
    cancel(nextCheck);
    if (!hasEnded) {
      long now = time.now();
      nextBeat = time.after(lease.interval().minusNanos(now - sentAt), this::beat);
      nextCheck = time.after(lease.left(now), this::check);
    }
  }

  /** Ends the heartbeats. */
  synchronized void end() {
    hasEnded = true;
    cancel(nextBeat);
    cancel(nextCheck);
  }

  private static void cancel(Time.@Nullable Pending task) {
    if (task != null) {
      task.cancel();
    }
  }

  /**
   * Why the attempt must stop. This is computed from the clock, because after a pause of the JVM
   * the regular check may not have run yet.
   */
  Optional<StopReason> stopReason() {
    if (lease.mustStop(time.now())) {
      stop(StopReason.UNRENEWED);
    }
    return signal.reason();
  }

  void stop(StopReason reason) {
    if (reason.endsTheClaim()) {
      hasEnded = true;
    }
    if (signal.stop(reason)) {
      observer.stopped(reason);
    }
  }

  private void beat() {
    if (hasEnded) {
      return;
    }
    long began = time.now();
    try {
      send(changes::take);
    } catch (RuntimeException failure) {
      observer.trouble("renewing the claim of " + jobId, failure);
    } finally {
      plan(began);
    }
  }

  private void check() {
    if (!hasEnded && lease.mustStop(time.now())) {
      stop(StopReason.UNRENEWED);
    }
  }

  /**
   * Reports an operation, with a heartbeat without the operations that are still to be reported. So
   * the server refuses it only because of itself. Then reports the others.
   *
   * @throws CarillonException.Invalid if the server refuses the operation
   */
  void report(String operation) {
    try {
      send(() -> changes.take(operation));
      deliver();
    } catch (CarillonException.Invalid refused) {
      throw refused;
    } catch (RuntimeException unanswered) {
      observer.trouble("reporting what changed in " + jobId, unanswered);
    }
  }

  /**
   * Reports the changes that no answered heartbeat has carried. If the server refuses them, or a
   * permission is missing, the end is reported without them.
   *
   * @throws RuntimeException if the server does not answer, or the claim is lost
   */
  void deliver() {
    try {
      if (!changes.isEmpty()) {
        send(changes::take);
      }
    } catch (CarillonException.Invalid | CarillonException.Denied refused) {
      observer.trouble("reporting what changed in " + jobId, refused);
    }
  }

  private void send(Supplier<Changes.Batch> changed) {
    sending.lock();
    try {
      Changes.Batch batch = changed.get();
      try {
        renew(batch);
        observer.heartbeat(true);
      } catch (RuntimeException failure) {
        observer.heartbeat(false);
        learn(failure, batch);
        throw failure;
      }
    } finally {
      sending.unlock();
    }
  }

  private void renew(Changes.Batch batch) {
    long sentAt = time.now();
    Renewal renewal =
        runs.heartbeat(jobId, claimToken, batch.progress(), batch.operations(), longestWait(lease));
    Lease renewed = new Lease(sentAt, renewal.lifetime());
    lease = renewal.expiresAt().isAfter(expiresAt) ? renewed : renewed.stoppingBy(lease);
    expiresAt = renewal.expiresAt();
    plan(sentAt);
    if (renewal.cancelled()) {
      stop(StopReason.CANCELLED);
    }
  }

  /** The longest time to wait for the answer to a heartbeat. */
  static Duration longestWait(Lease lease) {
    Duration interval = lease.interval();
    return interval.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : interval;
  }

  private void learn(RuntimeException failure, Changes.Batch batch) {
    if (failure instanceof CarillonException.Denied denied) {
      observer.denied(denied);
    }
    if (Refusals.isOf(Runs.STALE_CLAIM, failure)) {
      stop(StopReason.LOST);
    } else if (!(failure instanceof CarillonException.Invalid)) {
      changes.putBack(batch);
    }
  }
}
