package dev.carillon.local;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The local AWS account, and clients for it. */
public final class LocalAccount {

  public static final String ID = "000000000000";
  public static final String REGION = "us-east-1";

  static final String ACCESS_KEY = "local";

  private static final int CONNECTIONS = 50;
  private static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, ACCESS_KEY));

  private LocalAccount() {}

  /**
   * @param watching the interceptors, which see every request
   */
  public static DynamoDbClient dynamoDb(URI endpoint, ExecutionInterceptor... watching) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.of(REGION))
        .credentialsProvider(CREDENTIALS)
        .httpClientBuilder(http())
        .overrideConfiguration(it -> List.of(watching).forEach(it::addExecutionInterceptor))
        .build();
  }

  /**
   * @param watching the interceptors, which see every request
   */
  public static SqsClient sqs(URI endpoint, ExecutionInterceptor... watching) {
    return SqsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.of(REGION))
        .credentialsProvider(CREDENTIALS)
        .httpClientBuilder(http())
        .overrideConfiguration(it -> List.of(watching).forEach(it::addExecutionInterceptor))
        .build();
  }

  /** An HTTP client without a proxy, because the endpoints are of this machine. */
  private static Apache5HttpClient.Builder http() {
    return Apache5HttpClient.builder()
        .maxConnections(CONNECTIONS)
        .proxyConfiguration(
            ProxyConfiguration.builder()
                .useEnvironmentVariableValues(false)
                .useSystemPropertyValues(false)
                .build());
  }

  /** The environment variables of a function that uses these endpoints. */
  static Map<String, String> environment(SamTemplate.Function function, URI dynamoDb, URI sqs) {
    Map<String, String> environment = new LinkedHashMap<>(function.environment());
    environment.put("AWS_REGION", REGION);
    environment.put("AWS_ENDPOINT_URL_DYNAMODB", dynamoDb.toString());
    environment.put("AWS_ENDPOINT_URL_SQS", sqs.toString());
    environment.put("CREATE_TARGET_QUEUES", "true");
    return environment;
  }

  static String queueArn(String queueName) {
    return "arn:aws:sqs:" + REGION + ":" + ID + ":" + queueName;
  }

  static String functionArn(String functionName) {
    return "arn:aws:lambda:" + REGION + ":" + ID + ":function:" + functionName;
  }

  static String tableArn(String tableName) {
    return "arn:aws:dynamodb:" + REGION + ":" + ID + ":table/" + tableName;
  }
}
