package dev.carillon.lambda;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * An HTTP client that sends nothing. Answers each request with one document, which suffices for
 * every DynamoDB and SQS operation that a warm-up runs.
 */
final class OfflineHttpClient implements SdkHttpClient {

  private static final byte[] DOCUMENT =
      "{\"QueueUrl\": \"https://sqs.us-east-1.amazonaws.com/000000000000/nowhere\"}"
          .getBytes(StandardCharsets.UTF_8);

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() {
        return HttpExecuteResponse.builder()
            .response(SdkHttpResponse.builder().statusCode(200).build())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(DOCUMENT)))
            .build();
      }

      @Override
      public void abort() {}
    };
  }

  @Override
  public void close() {}
}
