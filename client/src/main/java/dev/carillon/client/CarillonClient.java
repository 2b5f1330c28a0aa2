package dev.carillon.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/**
 * A deployment of Carillon, or a local engine. Can be used by many threads at once.
 *
 * <p>Every call answers, or throws a {@link CarillonException}. None is repeated: what can be sent
 * again, and when, the exceptions say.
 */
public final class CarillonClient {

  private final Transport transport;

  private CarillonClient(Transport transport) {
    this.transport = transport;
  }

  /**
   * A local engine, which asks for no signature.
   *
   * @param endpoint like {@code http://localhost:8080}
   */
  public static CarillonClient local(URI endpoint) {
    return new CarillonClient(new Transport(endpoint, null));
  }

  /**
   * A deployment, with signed requests.
   *
   * @param endpoint the stack's output {@code ApiUrl}, like {@code
   *     https://abc.execute-api.eu-west-1.amazonaws.com/live}
   * @param region where it is, like {@code eu-west-1}
   * @param credentials asked before each request; the providers of the AWS SDK, like {@code
   *     DefaultCredentialsProvider}, are such
   */
  public static CarillonClient signed(
      URI endpoint, String region, IdentityProvider<? extends AwsCredentialsIdentity> credentials) {
    return signed(endpoint, region, credentials, Clock.systemUTC());
  }

  static CarillonClient signed(
      URI endpoint,
      String region,
      IdentityProvider<? extends AwsCredentialsIdentity> credentials,
      Clock clock) {
    return new CarillonClient(new Transport(endpoint, new Signature(region, credentials, clock)));
  }

  /** What belongs to a namespace: schedules, jobs, apps, events. */
  public Namespace namespace(String name) {
    return new Namespace(transport, name);
  }

  /**
   * The fires of a schedule that is not stored, with the requests that they would send.
   *
   * @param from exclusive; null for now. {@code rate} triggers begin with it
   * @param count 1 to 1,000
   */
  public Preview preview(Schedule schedule, @Nullable Instant from, int count) {
    ObjectNode body = Json.object().put("count", count);
    body.set("schedule", schedule.document());
    body.put("from", from == null ? null : from.toString());
    return transport.send(new Transport.Call("POST", "/v1/preview", body), Preview.class);
  }

  /** How the whole is. */
  public Status status() {
    return transport.send(
        new Transport.Call("GET", "/v1/status", Map.of(), Map.of(), null), Status.class);
  }
}
