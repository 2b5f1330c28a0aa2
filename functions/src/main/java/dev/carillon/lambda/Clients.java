package dev.carillon.lambda;

import dev.carillon.dynamodb.Cancellations;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryUtils;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The SDK clients, and how their state is renewed around a snapshot. They share one HTTP client,
 * because a second one would create another TLS context and make a cold start slower.
 *
 * @param http the HTTP client of both SDK clients; null if the caller created them and renews them
 * @param credentials the credentials of both SDK clients; null if the caller created them and
 *     renews them
 */
record Clients(
    DynamoDbClient dynamoDb,
    SqsClient sqs,
    @Nullable RenewableHttpClient http,
    @Nullable RenewableCredentials credentials)
    implements AutoCloseable {

  /**
   * The SDK retries a request if the service sends no data for this long. The time is short enough
   * for a retry within one invocation. The services answer within hundredths of a second, and no
   * request uses long polling.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(2);

  /** Clients that the caller created. */
  static Clients given(DynamoDbClient dynamoDb, SqsClient sqs) {
    return new Clients(dynamoDb, sqs, null, null);
  }

  /**
   * Clients whose requests never leave the process.
   *
   * @param tables the answer to each request to DynamoDB
   */
  static Clients offline(String tables) {
    OfflineHttpClient http = new OfflineHttpClient(tables);
    Region region = Region.US_EAST_1;
    return new Clients(
        DynamoDbClient.builder()
            .httpClient(http)
            .region(region)
            .credentialsProvider(localCredentials())
            .build(),
        SqsClient.builder()
            .httpClient(http)
            .region(region)
            .credentialsProvider(localCredentials())
            .build(),
        null,
        null);
  }

  /**
   * @param connections how many connections to both services together can be open
   */
  static Clients of(Config config, int connections) {
    RenewableHttpClient http =
        new RenewableHttpClient(
            () ->
                Apache5HttpClient.builder()
                    .maxConnections(connections)
                    .socketTimeout(LONGEST_SILENCE)
                    .proxyConfiguration(proxy(config.endpoints()))
                    .build());
    RenewableCredentials credentials =
        new RenewableCredentials(() -> DefaultCredentialsProvider.builder().build());
    return new Clients(
        configured(
                DynamoDbClient.builder().httpClient(http),
                config,
                config.endpoints().dynamoDb().orElse(null),
                credentials)
            .build(),
        configured(
                SqsClient.builder().httpClient(http),
                config,
                config.endpoints().sqs().orElse(null),
                credentials)
            .build(),
        http,
        credentials);
  }

  /**
   * The proxy that the environment names; none if an endpoint is given, because that server can be
   * one that only this machine reaches.
   */
  private static ProxyConfiguration proxy(Config.Endpoints endpoints) {
    boolean isOfAws = endpoints.dynamoDb().isEmpty() && endpoints.sqs().isEmpty();
    return ProxyConfiguration.builder()
        .useEnvironmentVariableValues(isOfAws)
        .useSystemPropertyValues(isOfAws)
        .build();
  }

  /**
   * Configures a client. A deployment that gives the endpoint of another server needs no real
   * credentials.
   */
  private static <B extends AwsClientBuilder<B, ?>> B configured(
      B builder, Config config, @Nullable URI endpoint, AwsCredentialsProvider credentials) {
    builder.region(Region.of(config.region()));
    return endpoint == null
        ? builder.credentialsProvider(credentials)
        : builder.endpointOverride(endpoint).credentialsProvider(localCredentials());
  }

  private static AwsCredentialsProvider localCredentials() {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
  }

  /** Closes all connections. It must not be called while requests run. */
  void dropConnections() {
    if (http != null) {
      http.renew();
    }
  }

  /** Makes the next request resolve the credentials again. */
  void renewCredentials() {
    if (credentials != null) {
      credentials.renew();
    }
  }

  /** Also closes the shared HTTP client, which is left open when the SDK clients are closed. */
  @Override
  public void close() {
    dynamoDb.close();
    sqs.close();
    if (http != null) {
      http.close();
    }
  }

  /** Whether a service has throttled its caller, so that the same request can succeed later. */
  static boolean isThrottled(RuntimeException failure) {
    return failure instanceof TransactionCanceledException cancellation
        ? Cancellations.isThrottled(cancellation)
        : failure instanceof SdkException sdk && RetryUtils.isThrottlingException(sdk);
  }
}
