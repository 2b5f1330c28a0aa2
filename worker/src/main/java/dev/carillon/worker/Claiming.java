package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Claim;
import dev.carillon.client.JobClaims;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Claims requests, and deletes or leaves the messages of those that are refused. */
final class Claiming {

  private final String worker;
  private final Connection connection;
  private final HeldRequests held;
  private final AtomicLong claimants = new AtomicLong();

  /**
   * What claims need.
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

  /** The claims of a namespace. */
  @FunctionalInterface
  interface Namespaces {
    JobClaims of(String namespace);
  }

  /**
   * A claim.
   *
   * @param sentAt when its request was sent, by the monotonic clock
   */
  record Claimed(Claim claim, JobClaims claims, long sentAt) {}

  Claiming(String worker, Connection connection, HeldRequests held) {
    this.worker = worker;
    this.connection = connection;
    this.held = held;
  }

  /** The claim; empty if there is nothing to do for this worker. */
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
      held.leave(delivery);
      throw ending;
    } catch (RuntimeException failure) {
      refused(delivery, failure);
    }
    return Optional.empty();
  }

  /**
   * Each delivery claims under a name of its own. Two deliveries of one request are two claimants
   * for the server, even within this process.
   */
  private Claimed claim(LaunchRequest request) throws InterruptedException {
    String claimant = worker + "." + claimants.incrementAndGet();
    JobClaims claims = connection.namespaces.of(request.namespace());
    return connection.retries.call(
        connection.mayGoOn,
        failure -> connection.listener.trouble("claiming " + request.jobId(), failure),
        () -> {
          long sentAt = connection.time.now();
          Claim claim = claims.claim(request.jobId(), claimant, request.attempt());
          return new Claimed(claim, claims, sentAt);
        });
  }

  private void refused(Delivery delivery, RuntimeException failure) {
    LaunchRequest request = delivery.request();
    Optional<String> code = Refusals.code(failure);
    if (Refusals.isUnknown(failure)) {
      held.delete(delivery);
      connection.listener.unclaimed(request, "unknown");
    } else if (code.filter(JobClaims.SUPERSEDED::equals).isPresent()) {
      held.delete(delivery);
      connection.listener.unclaimed(request, JobClaims.SUPERSEDED);
    } else if (code.isPresent()) {
      held.leave(delivery);
      connection.listener.unclaimed(request, code.get());
    } else {
      giveUp(delivery, failure);
    }
  }

  /** Another worker may reach the API; a request that the API refuses would fail there as well. */
  private void giveUp(Delivery delivery, RuntimeException failure) {
    if (Refusals.isTemporary(failure)) {
      held.giveBack(List.of(delivery));
    } else {
      held.leave(delivery);
    }
    connection.listener.trouble("claiming " + delivery.request().jobId(), failure);
  }
}
