package dev.carillon.worker;

import dev.carillon.worker.Claiming.Claimed;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * The loop of each working thread: takes a pulled job, or takes and claims the most urgent request,
 * and runs it.
 *
 * @param executor runs the loop; its shutdown also ends the loop
 */
record JobLoop(
    WaitingRequests waiting,
    Claiming claiming,
    PulledClaims pulledClaims,
    Attempts attempts,
    WorkerListener listener,
    ExecutorService executor)
    implements Runnable {

  /** Runs until the waiting requests are closed. */
  @Override
  public void run() {
    boolean isOpen = true;
    while (isOpen) {
      try {
        Optional<Work> next = waiting.take(executor::isShutdown);
        isOpen = next.isPresent();
        if (next.isPresent()) {
          run(next.get());
        }
      } catch (InterruptedException stray) {
        // The user's code can interrupt this thread, but only the shutdown of its executor ends the
        // loop.
      } catch (RuntimeException fault) {
        listener.trouble("running a job", fault);
      } catch (Error fault) {
        // The loop goes on: without it, nothing would carry out what the worker receives.
        listener.trouble("running a job", new IllegalStateException(fault));
      }
    }
  }

  private void run(Work work) throws InterruptedException {
    try {
      Optional<Claimed> claimed = claimed(work);
      if (claimed.isPresent()) {
        attempts.run(work, claimed.get());
      }
    } finally {
      waiting.ended(work);
    }
  }

  private Optional<Claimed> claimed(Work work) throws InterruptedException {
    return work instanceof PulledWork pulled
        ? pulledClaims.confirm(pulled)
        : claiming.claim((Delivery) work);
  }
}
