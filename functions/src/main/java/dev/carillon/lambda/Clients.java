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
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The SDK's clients, and how what they hold is renewed around a snapshot. They share one HTTP
 * client: a second one would make its own TLS context, which is felt in a cold start.
 *
 * @param http what both send with; null if the caller made them, who then renews what has to be
 * @param credentials what both sign with; null likewise
 */
record Clients(
    DynamoDbClient dynamoDb,
    SqsClient sqs,
    @Nullable RenewableHttpClient http,
    @Nullable RenewableCredentials credentials)
    implements AutoCloseable {

  /**
   * How long a service may send nothing before a request is tried again, which a function should
   * live to see. They answer within hundredths of seconds, and no request asks them to wait.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(2);

  /** Of the caller's making. */
  static Clients given(DynamoDbClient dynamoDb, SqsClient sqs) {
    return new Clients(dynamoDb, sqs, null, null);
  }

  /** Whose requests end {@link Nowhere}. */
  static Clients nowhere() {
    Nowhere http = new Nowhere();
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
   * @param connections the most that are open, to both services together
   */
  static Clients of(Config config, int connections) {
    RenewableHttpClient http =
        new RenewableHttpClient(
            () ->
                Apache5HttpClient.builder()
                    .maxConnections(connections)
                    .socketTimeout(LONGEST_SILENCE)
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

  /** With an endpoint of its own, a deployment needs no real credentials. */
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

  /** Closes all; nothing may be under way. */
  void dropConnections() {
    if (http != null) {
      http.renew();
    }
  }

  /** Has them asked for anew. */
  void renewCredentials() {
    if (credentials != null) {
      credentials.renew();
    }
  }

  /** Also what the SDK's clients leave open. */
  @Override
  public void close() {
    dynamoDb.close();
    sqs.close();
    if (http != null) {
      http.close();
    }
  }

  /** Whether a service takes no more just now; the same request may pass later. */
  static boolean isThrottled(RuntimeException failure) {
    return failure instanceof TransactionCanceledException cancellation
        ? Cancellations.isThrottled(cancellation)
        : failure instanceof SdkException sdk && RetryUtils.isThrottlingException(sdk);
  }
}
