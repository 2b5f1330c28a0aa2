package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.Call.Result;
import dev.carillon.client.schedule.Json;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The doctor finds a schedule of a local engine whose timer was deleted from the table. */
@Timeout(600)
class LostTimerTest {

  private static final String NAMESPACE = "lost-timer";

  @TempDir private Path folder;
  private LocalEngine engine;
  private Call call;

  /**
   * An engine of its own: how old a missing fire must be depends on what other schedules left due.
   */
  @BeforeEach
  void startEngine() throws InterruptedException {
    engine = Engine.start();
    call = Call.to(engine.http()).in(NAMESPACE);
  }

  @AfterEach
  void stopEngine() {
    engine.close();
  }

  /** A daily schedule that should have fired two hours ago. */
  private void store(String name) throws IOException {
    ZonedDateTime fire = Instant.now().minus(Duration.ofHours(2)).atZone(ZoneOffset.UTC);
    String document =
        """
        {"trigger": {"type": "cron", "expression": "0 %d %d * * ?", "zone": "UTC"},
         "target": {"queue": "work", "template": "x"}, "state": "ACTIVE"}
        """
            .formatted(fire.getMinute(), fire.getHour());
    Path file = Files.writeString(folder.resolve(name + ".json"), document);
    Result stored = call.run("apply --yes -f " + file);
    assertThat(stored.code()).as(stored.err()).isZero();
  }

  private String finding() {
    List<String> lines = call.run("doctor").lines();
    return lines.stream().filter(it -> it.startsWith("timers missing")).findFirst().orElseThrow();
  }

  @Test
  void aScheduleWhoseLastFireHasNoJobIsFound() throws IOException, InterruptedException {
    for (String name : List.of("lost", "launched", "resumed", "new")) {
      store(name);
    }
    assertThat(call.run("schedules launch launched").code()).isZero();
    assertThat(finding()).matches("timers missing +ok +none *");

    deleteTimer("lost");
    makeOlder("lost");
    makeOlder("launched");
    makeOlder("resumed");
    assertThat(call.run("schedules suspend resumed").code()).isZero();
    assertThat(call.run("schedules resume resumed").code()).isZero();
    assertThat(finding()).matches("timers missing +wrong +1: lost *");
    assertThat(call.run("doctor").err()).contains("timers missing: 1: lost", "suspend and resume");
  }

  private void deleteTimer(String name) throws IOException, InterruptedException {
    String table = engine.environment().get("TIMERS_TABLE");
    JsonNode key = keyed(table, "due", "#" + NAMESPACE + "/" + name + "#", "shard", "due");
    ObjectNode request = Json.object().put("TableName", table);
    request.set("Key", key);
    send("DeleteItem", request);
  }

  /** Lets a schedule have been stored, and active, for three hours. */
  private void makeOlder(String name) throws IOException, InterruptedException {
    Instant before = Instant.now().minus(Duration.ofHours(3));
    change(name, "updatedAt", before.toString());
    change(name, "periods", Long.toString(before.toEpochMilli(), Character.MAX_RADIX));
  }

  private void change(String name, String attribute, String text)
      throws IOException, InterruptedException {
    String table = engine.environment().get("SCHEDULES_TABLE");
    int changed = 0;
    for (JsonNode item : send("Scan", Json.object().put("TableName", table)).path("Items")) {
      if (item.toString().contains("\"" + NAMESPACE + "/" + name + "\"") && item.has(attribute)) {
        changed++;
        ObjectNode other = item.deepCopy();
        other.putObject(attribute).put("S", text);
        ObjectNode request = Json.object().put("TableName", table);
        request.set("Item", other);
        send("PutItem", request);
      }
    }
    assertThat(changed).as("items of %s with %s", name, attribute).isPositive();
  }

  private JsonNode keyed(String table, String member, String part, String... names)
      throws IOException, InterruptedException {
    for (JsonNode item : send("Scan", Json.object().put("TableName", table)).path("Items")) {
      if (item.path(member).path("S").asText().contains(part)) {
        ObjectNode key = Json.object();
        List.of(names).forEach(name -> key.set(name, item.path(name)));
        return key;
      }
    }
    throw new AssertionError("there is no " + part + " in " + table);
  }

  private JsonNode send(String operation, JsonNode body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(engine.dynamoDb())
            .header("X-Amz-Target", "DynamoDB_20120810." + operation)
            .header("Content-Type", "application/x-amz-json-1.0")
            .header(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request,"
                    + " SignedHeaders=host, Signature=0")
            .POST(BodyPublishers.ofString(Json.write(body)))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.read(answer.body(), JsonNode.class);
  }
}
