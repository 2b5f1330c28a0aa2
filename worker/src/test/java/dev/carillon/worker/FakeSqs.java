package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** One queue behind the JSON protocol of SQS: what the example in Python needs of it. */
final class FakeSqs implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool(Threads.named("fake-sqs"));
  private final BlockingQueue<ObjectNode> visible = new LinkedBlockingQueue<>();
  final BlockingQueue<String> deleted = new LinkedBlockingQueue<>();

  /** The status and answer of all requests of an action, instead of its own. */
  private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

  private record Refusal(int status, ObjectNode answer) {}

  FakeSqs() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException noPort) {
      throw new IllegalStateException(noPort);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void send(String body, Map<String, String> attributes) {
    ObjectNode message = Json.object().put("ReceiptHandle", body).put("Body", body);
    message.put("MessageId", "id of " + body);
    if (!attributes.isEmpty()) {
      ObjectNode values = message.putObject("MessageAttributes");
      attributes.forEach(
          (name, value) ->
              values.putObject(name).put("DataType", "String").put("StringValue", value));
    }
    visible.add(message);
  }

  /** Refuses all requests of an action from now on. */
  void refuse(String action, int status, String type) {
    refusals.put(action, new Refusal(status, Json.object().put("__type", type)));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String action = exchange.getRequestHeaders().getFirst("X-Amz-Target").split("\\.")[1];
    String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    JsonNode request = Json.read(text, JsonNode.class);
    Refusal refusal = refusals.get(action);
    ObjectNode answer = refusal == null ? accepted(action, request) : refusal.answer();
    byte[] bytes = Json.write(answer).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(refusal == null ? 200 : refusal.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private ObjectNode accepted(String action, JsonNode request) {
    ObjectNode answer = Json.object();
    if (action.equals("ReceiveMessage")) {
      ArrayNode messages = answer.putArray("Messages");
      try {
        messages.add(visible.take());
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    } else {
      deleted.add(request.get("ReceiptHandle").asText());
    }
    return answer;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
