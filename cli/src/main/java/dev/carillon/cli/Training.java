package dev.carillon.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.cli.session.World;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs common commands once, against a server with a fixed answer. The launcher makes the JVM
 * archive the classes that this run loads, so that commands start quickly.
 */
public final class Training {

  private static final String ANSWER =
      """
      {"schedules": [{"namespace": "default", "name": "a", "generation": 1, "etag": "1",
        "state": "ACTIVE", "nextFire": "2030-01-01T00:00:00.000Z", "createdBy": "local",
        "createdAt": "2030-01-01T00:00:00.000Z", "updatedAt": "2030-01-01T00:00:00.000Z",
        "suspended": null, "schedule": {"trigger": {"type": "cron", "expression": "0 0 3 * * ?"},
        "target": {"queue": "work", "template": {}}}}], "next": null}
      """;

  private Training() {}

  public static void main(String[] arguments) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    server.createContext("/", Training::answer);
    server.start();
    String url = "http://localhost:" + server.getAddress().getPort();
    World world = World.ofProcess();
    Main.load();
    // Its classes are otherwise loaded only if two threads meet in a map.
    ThreadLocalRandom.current();
    CommandLines.execute(world, "--help");
    CommandLines.execute(world, "schedules", "list", "--url", url);
    server.stop(0);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
