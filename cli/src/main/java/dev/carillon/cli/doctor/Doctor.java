package dev.carillon.cli.doctor;

import dev.carillon.cli.connection.Credentials;
import dev.carillon.cli.output.Counted;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/** Checks the way to an API, the deployment behind it, and the schedules of a namespace. */
public final class Doctor {

  /** API Gateway refuses signatures that are five minutes off; NTP keeps clocks within a second. */
  private static final Duration LARGEST_CLOCK_ERROR = Duration.ofSeconds(10);

  private final Supplier<CarillonClient> connection;
  private final String namespace;
  private final Clock clock;
  private final Consumer<Duration> pause;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param connection connects to the API; for the API of a stack, this needs credentials
   * @param pause waits before a request that was throttled is sent again
   */
  public Doctor(
      Supplier<CarillonClient> connection,
      String namespace,
      Clock clock,
      Consumer<Duration> pause) {
    this.connection = connection;
    this.namespace = namespace;
    this.clock = clock;
    this.pause = pause;
  }

  /**
   * All findings; if the API does not answer a request or does not allow it, only the first ones.
   */
  public List<Finding> examine() {
    try {
      CarillonClient client = connection.get();
      clocks(client.time());
      Status status = client.status();
      findings.add(Finding.ok("permission", "GET /v1/status is allowed"));
      tick(status);
      queues(status);
      troubles(status);
      findings.addAll(
          new ScheduleChecks(client.namespace(namespace), clock.instant(), age(status), pause)
              .examine());
    } catch (CarillonException.Unreachable unreachable) {
      findings.add(
          Finding.wrong(
              "api",
              String.valueOf(unreachable.getMessage()),
              "start an engine by './carillon local', or name a deployment by --stack or --url"));
    } catch (CarillonException.Denied denied) {
      findings.add(denied(denied));
    } catch (CarillonException.Unavailable busy) {
      findings.add(
          Finding.wrong(
              "api",
              busy.request() + ": " + busy.getMessage(),
              "repeat the command; the checks after this request were not made"));
    } catch (SdkException none) {
      findings.add(Finding.wrong("credentials", Credentials.fault(none), Credentials.NONE_REMEDY));
    }
    return findings;
  }

  private static Finding denied(CarillonException.Denied denied) {
    String detail = denied.request() + ": " + denied.problem().detail();
    return Credentials.areRefused(denied)
        ? Finding.wrong("credentials", detail, Credentials.REFUSED_REMEDY)
        : Finding.wrong(
            "permission",
            detail,
            "allow execute-api:Invoke on this path, or use other credentials (--profile)");
  }

  private static @Nullable Duration age(Status status) {
    Long lag = status.lagSeconds();
    return lag == null ? null : Duration.ofSeconds(Math.max(lag, status.oldestDueAgeSeconds()));
  }

  private void clocks(Optional<Instant> server) {
    findings.add(Finding.ok("api", "it answers"));
    if (server.isEmpty()) {
      findings.add(Finding.ok("clock", "the answers do not show the server's clock"));
      return;
    }
    Duration error = Duration.between(server.get(), clock.instant());
    String detail =
        "this clock is "
            + error.abs().toSeconds()
            + (error.isNegative() ? " s behind the server's" : " s ahead of the server's");
    findings.add(
        error.abs().compareTo(LARGEST_CLOCK_ERROR) > 0
            ? Finding.wrong(
                "clock", detail, "set the clock by NTP; signatures fail when it is 5 minutes off")
            : Finding.ok("clock", detail));
  }

  /**
   * Only the status knows the master's rate, and names a tick that is late among its troubles. So a
   * tick is certainly in time if there are none.
   */
  private void tick(Status status) {
    Long lag = status.lagSeconds();
    if (lag == null) {
      findings.add(
          Finding.wrong(
              "tick",
              "the master has never run",
              "wait a minute; then check that its rule is enabled, and read its log"));
    } else if (status.troubles().isEmpty()) {
      findings.add(Finding.ok("tick", "the last tick was " + lag + " s ago"));
    }
  }

  private void queues(Status status) {
    status.queues().entrySet().stream()
        .filter(queue -> queue.getKey().endsWith("DeadLetters"))
        .forEach(
            queue ->
                queue(
                    "dead letters",
                    queue.getKey(),
                    queue.getValue().visible(),
                    "read docs/operate/dead-letters.md; repair the cause, then move them back"));
    Status.Depth rejected = status.queues().get("rejected");
    if (rejected != null) {
      queue(
          "rejected events",
          "rejected",
          rejected.visible(),
          "receive them; the attributes of a message say what its producer must correct");
    }
  }

  private void queue(String check, String queue, long visible, String remedy) {
    String detail = queue + " has " + Counted.of(visible, "message");
    findings.add(visible == 0 ? Finding.ok(check, detail) : Finding.wrong(check, detail, remedy));
  }

  private void troubles(Status status) {
    if (status.troubles().isEmpty()) {
      findings.add(Finding.ok("troubles", "the status names none"));
    }
    status
        .troubles()
        .forEach(
            trouble ->
                findings.add(
                    Finding.wrong(
                        "troubles", trouble, "the text says what to check; see 'status'")));
  }
}
