package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** The deployed template, with its handlers, on the local engine. */
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TemplateContract {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private LocalEngine engine;
  private SqsClient sqs;

  static LocalEngine.Options options(boolean isolated) {
    return new LocalEngine.Options(Path.of("../template.yaml"), 0, 0, 0, null, isolated);
  }

  abstract LocalEngine engine();

  @BeforeAll
  void start() throws InterruptedException {
    engine = engine();
    engine.awaitReady();
    sqs = LocalAccount.sqs(engine.sqs());
  }

  @AfterAll
  void stop() {
    sqs.close();
    engine.close();
  }

  /** Uses a low rate because moto scans all messages of a queue for each receive. */
  @Test
  void aScheduleOfEveryFiveSecondsLaunchesAndNeverEarly() throws Exception {
    put("beat", "{\"type\":\"cron\",\"expression\":\"0/5 * * * * ?\"}", "ticks");
    Message request = receive("ticks");
    Instant due = Instant.parse(json(request.body()).path("at").asText());
    assertThat(sentAt(request)).isAfterOrEqualTo(due);
    assertThat(send("DELETE", "/v1/namespaces/default/schedules/beat", "").statusCode())
        .isEqualTo(204);
  }

  @Test
  void aBacklogIsLaunchedWhenItEndsByItselfAndNotBefore() throws Exception {
    put("late", "{\"type\":\"partition\",\"dataset\":\"late\",\"count\":1}", "lates");
    String late = "/v1/namespaces/default/schedules/late";
    Instant until = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5);
    String suspension =
        "{\"mode\": \"backlog\", \"reason\": \"repairs\", \"until\": \"%s\"}".formatted(until);
    assertThat(send("POST", late + "/suspend", suspension).statusCode()).isEqualTo(200);
    JsonNode explanation = json(send("GET", late + "/explain", "").body());
    assertThat(explanation.path("summary").asText())
        .containsPattern("until [0-9T:-]+\\.000Z: repairs");
    announce("late");
    announce("late");
    for (int i = 0; i < 2; i++) {
      assertThat(sentAt(receive("lates"))).isAfterOrEqualTo(until);
    }
    assertThat(json(send("GET", late, "").body()).path("state").asText()).isEqualTo("ACTIVE");
  }

  private void announce(String dataset) {
    String event =
        "{\"eventType\":\"PARTITION\",\"payload\":{\"datasetId\":\"%s\",\"partitionKeys\":[\"a\"]}}"
            .formatted(dataset);
    sqs.sendMessage(send -> send.queueUrl(engine.ingestQueue().toString()).messageBody(event));
  }

  private static Instant sentAt(Message request) {
    return Instant.ofEpochMilli(
        Long.parseLong(request.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP)));
  }

  @Test
  void anEventFromTheIngestQueueLaunchesTheScheduleThatWaitsForIt() throws Exception {
    put("report", "{\"type\":\"partition\",\"dataset\":\"sales\",\"count\":2}", "reports");
    sqs.sendMessage(
        request ->
            request
                .queueUrl(engine.ingestQueue().toString())
                .messageBody(
                    "{\"eventType\":\"PARTITION\",\"payload\":"
                        + "{\"datasetId\":\"sales\",\"partitionKeys\":[\"a\",\"b\"]}}"));
    assertThat(json(receive("reports").body()).path("job").asText()).contains("report");
  }

  @Test
  void aBareQueueNameAndTheWholeOneMeanOneQueue() throws Exception {
    put("bare", "{\"type\":\"manual\"}", "either");
    put("whole", "{\"type\":\"manual\"}", LocalEngine.TARGET_PREFIX + "either");
    for (String name : List.of("bare", "whole")) {
      String launch = "/v1/namespaces/default/schedules/" + name + "/launch";
      assertThat(send("POST", launch, "{}").statusCode()).isEqualTo(202);
    }
    Set<String> launched = new HashSet<>();
    while (launched.size() < 2) {
      Message request = receive("either");
      launched.add(json(request.body()).path("job").asText().split("~")[1]);
    }
    assertThat(launched).containsExactlyInAnyOrder("bare", "whole");
  }

  private void put(String name, String trigger, String queue) throws Exception {
    String document =
        """
        {"trigger": %s, "state": "ACTIVE",
         "target": {"queue": "%s", "template": {"at": "${scheduledFor}", "job": "${jobId}"}}}
        """
            .formatted(trigger, queue);
    HttpResponse<String> answer = send("PUT", "/v1/namespaces/default/schedules/" + name, document);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  private HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(engine.http().resolve(path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private Message receive(String queue) {
    String name = LocalEngine.TARGET_PREFIX + queue;
    String url = sqs.getQueueUrl(request -> request.queueName(name)).queueUrl();
    List<Message> messages;
    do {
      messages =
          sqs.receiveMessage(
                  request ->
                      request
                          .queueUrl(url)
                          .waitTimeSeconds(20)
                          .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
              .messages();
    } while (messages.isEmpty());
    return messages.get(0);
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }
}
