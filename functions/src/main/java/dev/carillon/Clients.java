package dev.carillon;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The SDK's clients, over one HTTP client: a second one would make its own TLS context, which is
 * felt in a cold start. With an endpoint of its own, a deployment needs no real credentials.
 */
record Clients(SdkHttpClient http, DynamoDbClient dynamoDb, SqsClient sqs) {

  /**
   * @param connections the most that are open, to both services together
   */
  static Clients of(Config config, int connections) {
    SdkHttpClient http = Apache5HttpClient.builder().maxConnections(connections).build();
    return new Clients(
        http,
        configured(DynamoDbClient.builder().httpClient(http), config, config.endpoints().dynamoDb())
            .build(),
        configured(SqsClient.builder().httpClient(http), config, config.endpoints().sqs()).build());
  }

  private static <B extends AwsClientBuilder<B, ?>> B configured(
      B builder, Config config, java.util.Optional<java.net.URI> endpoint) {
    builder.region(Region.of(config.region()));
    endpoint.ifPresent(builder::endpointOverride);
    return builder.credentialsProvider(
        endpoint.isPresent() ? localCredentials() : DefaultCredentialsProvider.builder().build());
  }

  private static AwsCredentialsProvider localCredentials() {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
  }
}
