package dev.carillon.bench.coldstart;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The minimal function on DynamoDB and SQS: it builds a client of each, as Carillon's functions do,
 * and makes one call with each. There is one handler per kind of event.
 */
abstract class BareHandler {

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

  final void callBoth() {
    dynamoDb.getItem(
        get ->
            get.tableName(System.getenv("STATUS_TABLE"))
                .key(Map.of("id", AttributeValue.fromS("progress"))));
    sqs.sendMessage(
        send -> send.queueUrl(System.getenv("CHECK_QUEUE_URL")).messageBody("a cold start"));
  }

  /** Handles SQS messages. */
  public static final class OfQueue extends BareHandler
      implements RequestHandler<SQSEvent, SQSBatchResponse> {

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
      callBoth();
      return new SQSBatchResponse(List.of());
    }
  }

  /** Handles HTTP requests. */
  public static final class OfApi extends BareHandler
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, Context context) {
      callBoth();
      return new APIGatewayProxyResponseEvent().withStatusCode(200).withBody("{}");
    }
  }

  /** Handles any event. */
  public static final class OfAnything extends BareHandler
      implements RequestHandler<Object, @Nullable Void> {

    @Override
    public @Nullable Void handleRequest(Object event, Context context) {
      callBoth();
      return null;
    }
  }
}
