package dev.carillon;

import java.net.URI;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The SDK's clients, and how what they hold is renewed around a snapshot. They share one HTTP
 * client: a second one would make its own TLS context, which is felt in a cold start.
 *
 * @param dropConnections closes all; nothing may be under way
 * @param renewCredentials has them asked for anew
 * @param closeHttp closes what the SDK's clients leave open
 */
record Clients(
    DynamoDbClient dynamoDb,
    SqsClient sqs,
    Runnable dropConnections,
    Runnable renewCredentials,
    Runnable closeHttp)
    implements AutoCloseable {

  /** Of the caller's making; he renews what has to be. */
  static Clients given(DynamoDbClient dynamoDb, SqsClient sqs) {
    return new Clients(dynamoDb, sqs, () -> {}, () -> {}, () -> {});
  }

  /**
   * @param connections the most that are open, to both services together
   */
  static Clients of(Config config, int connections) {
    RenewableHttpClient http =
        new RenewableHttpClient(
            () -> Apache5HttpClient.builder().maxConnections(connections).build());
    RenewableCredentials credentials =
        new RenewableCredentials(() -> DefaultCredentialsProvider.builder().build());
    return new Clients(
        configured(
                DynamoDbClient.builder().httpClient(http),
                config,
                config.endpoints().dynamoDb(),
                credentials)
            .build(),
        configured(
                SqsClient.builder().httpClient(http), config, config.endpoints().sqs(), credentials)
            .build(),
        http::renew,
        credentials::renew,
        http::close);
  }

  /** With an endpoint of its own, a deployment needs no real credentials. */
  private static <B extends AwsClientBuilder<B, ?>> B configured(
      B builder, Config config, Optional<URI> endpoint, AwsCredentialsProvider credentials) {
    builder.region(Region.of(config.region()));
    endpoint.ifPresent(builder::endpointOverride);
    return builder.credentialsProvider(endpoint.isPresent() ? localCredentials() : credentials);
  }

  private static AwsCredentialsProvider localCredentials() {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
  }

  @Override
  public void close() {
    dynamoDb.close();
    sqs.close();
    closeHttp.run();
  }
}
