package dev.carillon.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests by connections that the threads of a program share. */
final class ConcurrentExchange implements Exchange {

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(LONGEST_CONNECT)
          .build();

  ConcurrentExchange() {}

  @Override
  public RawAnswer send(Request request) throws IOException, InterruptedException {
    HttpRequest.Builder sent =
        HttpRequest.newBuilder(request.uri())
            .method(
                request.method(),
                request.body() == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(request.body()));
    request.headers().forEach((name, values) -> values.forEach(it -> sent.header(name, it)));
    HttpResponse<byte[]> answer = answer(sent.build(), request.longest());
    return new RawAnswer(answer.statusCode(), answer.headers().map(), answer.body());
  }

  /**
   * Waits for the whole answer. The time-out of an {@link HttpRequest} does not serve, because
   * before JDK 26 it ends with the headers, and a body may never come.
   */
  private HttpResponse<byte[]> answer(HttpRequest request, Duration longest)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> pending =
        http.sendAsync(request, BodyHandlers.ofByteArray());
    try {
      return pending.get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new HttpTimeoutException("request timed out");
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof IOException unreachable
          ? unreachable
          : new IOException(failure.getCause());
    } finally {
      // Frees the connection of a request without an answer; an answered one has ended.
      pending.cancel(true);
    }
  }
}
