package dev.carillon.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** Shares connections between the threads of a program. */
final class ConcurrentExchange implements Exchange {

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(LONGEST_CONNECT)
          .build();

  ConcurrentExchange() {}

  @Override
  public Answer send(Request request) throws IOException, InterruptedException {
    HttpRequest.Builder sent =
        HttpRequest.newBuilder(request.uri())
            .timeout(request.longest())
            .method(
                request.method(),
                request.body() == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(request.body()));
    request.headers().forEach((name, values) -> values.forEach(it -> sent.header(name, it)));
    HttpResponse<String> answer =
        http.send(sent.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    return new Answer(
        answer.statusCode(),
        answer.headers().firstValue("Date"),
        answer.headers().firstValue("Retry-After"),
        answer.body());
  }
}
