package dev.carillon.contract;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** An HTTP client that delivers some requests to the server but drops their answers. */
final class LostAnswers implements SdkHttpClient {

  private final SdkHttpClient connection = Apache5HttpClient.create();
  private final AtomicInteger passing;
  private final AtomicInteger left;

  LostAnswers(int answers) {
    this(0, answers);
  }

  /**
   * @param passing how many answers arrive before one is dropped
   */
  LostAnswers(int passing, int answers) {
    this.passing = new AtomicInteger(passing);
    this.left = new AtomicInteger(answers);
  }

  private static boolean takes(AtomicInteger count) {
    return count.getAndUpdate(it -> Math.max(0, it - 1)) > 0;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest prepared = connection.prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        HttpExecuteResponse answer = prepared.call();
        if (!takes(passing) && takes(left)) {
          answer.responseBody().ifPresent(body -> body.abort());
          throw new IOException("the answer was lost");
        }
        return answer;
      }

      @Override
      public void abort() {
        prepared.abort();
      }
    };
  }

  @Override
  public void close() {
    connection.close();
  }
}
