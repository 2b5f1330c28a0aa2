package dev.carillon.bench.coldstart;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Builds a client of DynamoDB and one of SQS, and makes one call with each. */
final class TwoRequests implements Runnable {

  private static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

  private final DynamoDbClient dynamoDb =
      DynamoDbClient.builder()
          .httpClientBuilder(Apache5HttpClient.builder())
          .endpointOverride(URI.create(System.getenv("AWS_ENDPOINT_URL_DYNAMODB")))
          .credentialsProvider(CREDENTIALS)
          .build();

  private final SqsClient sqs =
      SqsClient.builder()
          .httpClientBuilder(Apache5HttpClient.builder())
          .endpointOverride(URI.create(System.getenv("AWS_ENDPOINT_URL_SQS")))
          .credentialsProvider(CREDENTIALS)
          .build();

  @Override
  public void run() {
    dynamoDb.getItem(
        get ->
            get.tableName(System.getenv("STATUS_TABLE"))
                .key(Map.of("id", AttributeValue.fromS("progress"))));
    sqs.sendMessage(
        send -> send.queueUrl(System.getenv("CHECK_QUEUE_URL")).messageBody("a cold start"));
  }
}
