package dev.carillon.local;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The AWS account that everything local belongs to, and clients for it. */
public final class LocalAccount {

  public static final String ID = "000000000000";
  public static final String REGION = "us-east-1";

  static final String ACCESS_KEY = "local";

  private static final int CONNECTIONS = 50;
  private static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, ACCESS_KEY));

  private LocalAccount() {}

  public static DynamoDbClient dynamoDb(URI endpoint) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.of(REGION))
        .credentialsProvider(CREDENTIALS)
        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS))
        .build();
  }

  public static SqsClient sqs(URI endpoint) {
    return SqsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.of(REGION))
        .credentialsProvider(CREDENTIALS)
        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS))
        .build();
  }

  static String queueArn(String queueName) {
    return "arn:aws:sqs:" + REGION + ":" + ID + ":" + queueName;
  }

  static String tableArn(String tableName) {
    return "arn:aws:dynamodb:" + REGION + ":" + ID + ":table/" + tableName;
  }
}
