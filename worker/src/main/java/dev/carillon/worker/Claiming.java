package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Claim;
import dev.carillon.client.Runs;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Claims requests, and deletes or leaves the messages of refused claims. */
final class Claiming {

  private final String worker;
  private final Connection connection;
  private final HeldRequests held;
  private final AtomicLong claimants = new AtomicLong();

  /**
   * The services that claims need.
   *
   * @param mayGoOn whether a claim without an answer is worth another try
   */
  record Connection(
      Namespaces namespaces,
      Retries retries,
      Time time,
      WorkerListener listener,
      Consumer<DeniedException> onDenial,
      BooleanSupplier mayGoOn) {}

  /** The runs of a namespace. */
  @FunctionalInterface
  interface Namespaces {
    Runs of(String namespace);
  }

  /**
   * A claim.
   *
   * @param sentAt when its request was sent, by the monotonic clock
   */
  record Claimed(Claim claim, Runs runs, long sentAt) {}

  Claiming(String worker, Connection connection, HeldRequests held) {
    this.worker = worker;
    this.connection = connection;
    this.held = held;
  }

  /**
   * Claims the request of a delivery. The result is empty if this worker has nothing to do for the
   * delivery.
   */
  Optional<Claimed> claim(Delivery delivery) throws InterruptedException {
    LaunchRequest request = delivery.request();
    try {
      Claimed claimed = claim(request);
      held.delete(delivery);
      return Optional.of(claimed);
    } catch (CarillonException.Denied denied) {
      held.leave(delivery);
      connection.onDenial.accept(
          new DeniedException(Refusals.permission(request.namespace(), "claim"), denied));
    } catch (InterruptedException ending) {
      held.giveBack(List.of(delivery));
      throw ending;
    } catch (RuntimeException failure) {
      refused(delivery, failure);
    }
    return Optional.empty();
  }

  /**
   * Claims under a separate name for each delivery. So for the server, two deliveries of one
   * request are two claimants, even within this process.
   */
  private Claimed claim(LaunchRequest request) throws InterruptedException {
    String claimant = worker + "." + claimants.incrementAndGet();
    Runs runs = connection.namespaces.of(request.namespace());
    return connection.retries.call(
        connection.mayGoOn,
        failure -> connection.listener.trouble("claiming " + request.jobId(), failure),
        () -> {
          long sentAt = connection.time.now();
          Claim claim = runs.claim(request.jobId(), claimant, request.attempt());
          return new Claimed(claim, runs, sentAt);
        });
  }

  private void refused(Delivery delivery, RuntimeException failure) {
    LaunchRequest request = delivery.request();
    if (Refusals.isOf(Runs.SUPERSEDED, failure)) {
      held.delete(delivery);
      connection.listener.unclaimed(request, "superseded");
    } else if (Refusals.isUnknown(failure)) {
      held.delete(delivery);
      connection.listener.unclaimed(request, "unknown");
    } else if (Refusals.isOf(Runs.NOT_YET, failure)) {
      held.leave(delivery);
      connection.listener.unclaimed(request, "not yet");
    } else {
      giveUp(delivery, failure);
    }
  }

  /**
   * Gives up a claim. If the failure is temporary, gives the message back to its queue at once,
   * because another worker may reach the API. Otherwise leaves the message until its visibility
   * time-out, because the API would refuse another worker as well.
   */
  private void giveUp(Delivery delivery, RuntimeException failure) {
    if (Refusals.isTemporary(failure)) {
      held.giveBack(List.of(delivery));
    } else {
      held.leave(delivery);
    }
    connection.listener.trouble("claiming " + delivery.request().jobId(), failure);
  }
}
