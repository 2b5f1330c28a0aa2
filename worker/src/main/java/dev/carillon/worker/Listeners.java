package dev.carillon.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners as one. An exception of one listener affects neither the work nor the other
 * listeners; nor does a missing class, such as one of another version of a library.
 */
record Listeners(List<WorkerListener> all) implements WorkerListener {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private void each(Consumer<WorkerListener> call) {
    for (WorkerListener listener : all) {
      try {
        call.accept(listener);
      } catch (RuntimeException | LinkageError fault) {
        LOG.error("a listener of the worker failed", fault);
      }
    }
  }

  @Override
  public void received(String queue, int requests) {
    each(it -> it.received(queue, requests));
  }

  @Override
  public void unhandled(String queue, String reason) {
    each(it -> it.unhandled(queue, reason));
  }

  @Override
  public void unclaimed(LaunchRequest request, String reason) {
    each(it -> it.unclaimed(request, reason));
  }

  @Override
  public void claimed(ClaimedJob job, Duration waited) {
    each(it -> it.claimed(job, waited));
  }

  @Override
  public void heartbeat(ClaimedJob job, boolean isAnswered) {
    each(it -> it.heartbeat(job, isAnswered));
  }

  @Override
  public void stopped(ClaimedJob job, StopReason reason) {
    each(it -> it.stopped(job, reason));
  }

  @Override
  public void ended(ClaimedJob job, JobEnding ending, Duration ran) {
    each(it -> it.ended(job, ending, ran));
  }

  @Override
  public void denied(String permission) {
    each(it -> it.denied(permission));
  }

  @Override
  public void trouble(String doing, RuntimeException cause) {
    each(it -> it.trouble(doing, cause));
  }
}
