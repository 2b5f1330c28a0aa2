package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Claim;
import dev.carillon.client.Renewal;
import dev.carillon.client.Runs;
import dev.carillon.worker.Claiming.Claimed;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The claims that came with the jobs of a pool. */
final class PulledClaims {

  private static final String NOT_RENEWED = "the claim was not renewed before the job began";

  private final Claiming.Connection connection;

  PulledClaims(Claiming.Connection connection) {
    this.connection = connection;
  }

  /**
   * Returns the claim if it certainly still holds; empty if it was lost, its job was cancelled, or
   * the server does not renew it. In the last case the job is given back, if the server accepts
   * that. The lifetime counts from the instant at which the pull was sent, and the pull may have
   * waited longer than the lifetime. So if a heartbeat is due, the work begins only after it is
   * answered.
   */
  Optional<Claimed> confirm(PulledWork pulled) throws InterruptedException {
    Claimed claimed = pulled.claimed();
    Lease lease = new Lease(claimed.sentAt(), claimed.claim().lifetime());
    if (lease.isFresh(connection.time().now())) {
      return Optional.of(claimed);
    }
    try {
      return renewed(pulled.request(), claimed, lease);
    } catch (CarillonException.Denied denied) {
      deny(pulled.request().namespace(), "heartbeat", denied);
    } catch (InterruptedException ending) {
      giveBack(held(pulled.request(), claimed), NOT_RENEWED);
      throw ending;
    } catch (RuntimeException failure) {
      refused(pulled.request(), claimed, failure);
    }
    return Optional.empty();
  }

  private Optional<Claimed> renewed(LaunchRequest request, Claimed claimed, Lease lease)
      throws InterruptedException {
    String token = claimed.claim().claimToken();
    Duration longest = Heartbeats.longestWait(lease);
    Sent sent =
        connection
            .retries()
            .call(
                connection.mayGoOn(),
                failure -> connection.listener().trouble(renewing(request), failure),
                () -> {
                  long sentAt = connection.time().now();
                  return new Sent(
                      claimed.runs().heartbeat(request.jobId(), token, null, Map.of(), longest),
                      sentAt);
                });
    if (sent.renewal().cancelled()) {
      fail(held(request, claimed), "stopped because " + StopReason.CANCELLED.text(), false);
      return Optional.empty();
    }
    return Optional.of(claimed(claimed, sent));
  }

  private record Sent(Renewal renewal, long at) {}

  private static Claimed claimed(Claimed before, Sent sent) {
    Claim claim =
        new Claim(
            before.claim().claimToken(),
            before.claim().attempt(),
            sent.renewal().expiresAt(),
            sent.renewal().expiresIn(),
            before.claim().operations());
    return new Claimed(claim, before.runs(), sent.at());
  }

  private void refused(LaunchRequest request, Claimed claimed, RuntimeException failure)
      throws InterruptedException {
    if (Refusals.isOf(Runs.STALE_CLAIM, failure)) {
      connection.listener().unclaimed(request, "superseded");
    } else if (Refusals.isUnknown(failure)) {
      connection.listener().unclaimed(request, "unknown");
    } else {
      connection.listener().trouble(renewing(request), failure);
      giveBack(held(request, claimed), NOT_RENEWED);
    }
  }

  private static String renewing(LaunchRequest request) {
    return "renewing the claim of " + request.jobId();
  }

  private static Held held(LaunchRequest request, Claimed claimed) {
    return new Held(
        request.namespace(), request.jobId(), claimed.claim().claimToken(), claimed.runs());
  }

  /** A claimed job. */
  record Held(String namespace, String jobId, String claimToken, Runs runs) {}

  /**
   * Reports the failure of a job that this worker does not begin, so that another worker can get
   * the next attempt.
   */
  void giveBack(Held job, String reason) throws InterruptedException {
    fail(job, reason, true);
  }

  private void fail(Held job, String error, boolean isRetriable) throws InterruptedException {
    String what = "giving back " + job.jobId();
    try {
      connection
          .retries()
          .call(
              () -> true,
              failure -> connection.listener().trouble(what, failure),
              () -> {
                job.runs().fail(job.jobId(), job.claimToken(), error, isRetriable);
                return job;
              });
    } catch (CarillonException.Denied denied) {
      deny(job.namespace(), "fail", denied);
    } catch (RuntimeException failure) {
      connection.listener().trouble(what, failure);
    }
  }

  private void deny(String namespace, String what, CarillonException.Denied denied) {
    connection.onDenial().accept(new DeniedException(Refusals.permission(namespace, what), denied));
  }
}
