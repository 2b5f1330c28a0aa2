package dev.carillon.worker;

import dev.carillon.worker.Claiming.Claimed;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * What each of the worker's threads does: takes the most urgent request, claims it, and runs it.
 *
 * @param executor whose end also ends the loop
 */
record JobLoop(
    WaitingRequests waiting,
    Claiming claiming,
    Attempts attempts,
    WorkerListener listener,
    ExecutorService executor)
    implements Runnable {

  /** Until the waiting requests are closed. */
  @Override
  public void run() {
    boolean isOpen = true;
    while (isOpen && !executor.isShutdown()) {
      try {
        Optional<Delivery> next = waiting.take();
        isOpen = next.isPresent();
        if (next.isPresent()) {
          run(next.get());
        }
      } catch (InterruptedException stray) {
        // Code of the user can interrupt this thread. Only the end of its executor ends the loop.
      } catch (RuntimeException fault) {
        listener.trouble("running a job", fault);
      }
    }
  }

  private void run(Delivery delivery) throws InterruptedException {
    Optional<Claimed> claimed = claiming.claim(delivery);
    if (claimed.isPresent()) {
      attempts.run(delivery, claimed.get());
    }
  }
}
