package dev.carillon.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

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
            .timeout(request.longest())
            .method(
                request.method(),
                request.body() == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(request.body()));
    request.headers().forEach((name, values) -> values.forEach(it -> sent.header(name, it)));
    HttpResponse<byte[]> answer = http.send(sent.build(), BodyHandlers.ofByteArray());
    return new RawAnswer(answer.statusCode(), answer.headers().map(), answer.body());
  }
}
