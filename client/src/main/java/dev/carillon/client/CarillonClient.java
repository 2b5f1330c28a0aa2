package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Schedule;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/**
 * A client of a deployment of Carillon or of a local engine. It is thread-safe.
 *
 * <p>Every call returns an answer or throws a {@link CarillonException}. The client does not retry;
 * the type of an exception states whether, and when, the request can be sent again.
 */
public final class CarillonClient {

  private static final Transport.Call STATUS = new Transport.Call("GET", "/v1/status", null);

  private final Transport transport;

  private CarillonClient(Transport transport) {
    this.transport = transport;
  }

  /**
   * A client of a local engine, which requires no signature.
   *
   * @param endpoint like {@code http://localhost:8080}
   */
  public static CarillonClient local(URI endpoint) {
    return new CarillonClient(new Transport(endpoint, null, new ConcurrentExchange()));
  }

  /**
   * A client of a local engine for a program that makes a few calls and ends. It starts faster than
   * {@link #local}, but opens a connection for each call.
   *
   * @param endpoint like {@code http://localhost:8080}
   * @throws IllegalArgumentException if the address is not one of {@code http}
   */
  public static CarillonClient localForFewCalls(URI endpoint) {
    if (!"http".equalsIgnoreCase(endpoint.getScheme()) || endpoint.getHost() == null) {
      throw new IllegalArgumentException(
          endpoint + " is not an address like http://localhost:8080");
    }
    return new CarillonClient(new Transport(endpoint, null, new PlainExchange()));
  }

  /**
   * Loads the classes of a call of {@link #localForFewCalls} without making one. A program that
   * ends after one call can do this on another thread, while it prepares the call.
   */
  public static void loadForFewCalls() {
    Transport.rehearse();
  }

  /**
   * A client of a deployment; it signs its requests.
   *
   * @param endpoint the stack's output {@code ApiUrl}, like {@code
   *     https://abc.execute-api.eu-west-1.amazonaws.com/live}
   * @param region the region of the deployment, like {@code eu-west-1}
   * @param credentials a provider that is called before each request, such as {@code
   *     DefaultCredentialsProvider} of the AWS SDK
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
    return new CarillonClient(
        new Transport(
            endpoint, new Signature(region, credentials, clock), new ConcurrentExchange()));
  }

  /**
   * The schedules, jobs, apps and events of a namespace.
   *
   * @throws CarillonException.Invalid if no namespace can have this name
   */
  public Namespace namespace(String name) {
    return new Namespace(transport, name);
  }

  /**
   * The fires of a schedule that is not stored and has no namespace, with the requests that they
   * would send. Its calendars are those of the namespace {@code default}.
   *
   * @param from the exclusive beginning; null means the present instant. It is also the anchor of
   *     {@code rate} triggers
   * @param count 1 to 1,000
   */
  public Preview preview(Schedule schedule, @Nullable Instant from, int count) {
    ObjectNode body = Preview.request(schedule, from, count);
    return transport.send(new Transport.Call("POST", "/v1/preview", body), Preview.class);
  }

  /**
   * Plays a scenario on a virtual clock; nothing is stored or sent.
   *
   * @param scenario in the form of the API
   * @return the answer of the API, with the {@code jobs} in the order of their instants
   */
  public JsonNode simulate(JsonNode scenario) {
    return transport.send(new Transport.Call("POST", "/v1/simulate", scenario), JsonNode.class);
  }

  /** The status of the deployment. */
  public Status status() {
    return transport.send(STATUS, Status.class);
  }

  /**
   * The time of the server's clock, to the second, from the date in an answer. A refusal has a date
   * as well. The result is empty if the answer has none.
   */
  public Optional<Instant> time() {
    return transport.date(STATUS);
  }

  /**
   * Sends a request unchanged, signed like any other, and returns the answer. A refusal is also
   * returned, and not thrown.
   *
   * @throws CarillonException.Unreachable if no answer arrives
   */
  public RawAnswer send(RawRequest request) {
    return transport.send(request);
  }
}
