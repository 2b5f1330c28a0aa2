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

/** Makes the SDK's clients; with an endpoint of its own, a deployment needs no real credentials. */
final class Clients {

  private Clients() {}

  static DynamoDbClient dynamoDb(Config config, int connections) {
    var builder = DynamoDbClient.builder().httpClient(http(connections));
    return configured(builder, config, config.endpoints().dynamoDb()).build();
  }

  static SqsClient sqs(Config config, int connections) {
    var builder = SqsClient.builder().httpClient(http(connections));
    return configured(builder, config, config.endpoints().sqs()).build();
  }

  private static SdkHttpClient http(int connections) {
    return Apache5HttpClient.builder().maxConnections(connections).build();
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
