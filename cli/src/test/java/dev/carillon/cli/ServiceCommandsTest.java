package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands for events and the status. */
@Timeout(600)
class ServiceCommandsTest extends EngineCommands {

  @Test
  void eventsAreSent() throws IOException {
    assertThat(good("events send --type done --payload {\"a\":1} --id e1").lines())
        .containsExactly("EVENT", "e1");
    Path file =
        Files.writeString(
            directory.resolve("events.yaml"),
            "- {id: x, eventType: done, payload: {}}\n- {id: y, eventType: done, payload: {}}\n");
    assertThat(good("events send " + file + " -o name").lines()).containsExactly("x", "y");
    for (String option : List.of("--id e1", "--payload {}")) {
      Result refused = call.run("events send " + file + " " + option);
      assertThat(refused.code()).isEqualTo(64);
      assertThat(refused.err()).contains("--id and --payload go with --type, not with a FILE");
    }
    assertThat(call.run("events send").err()).contains("--type");
    assertThat(call.run("events send --type a --payload 1").err()).contains("not a JSON object");
  }

  @Test
  void aFileHasEventsInEachFormThatTheApiReads() throws IOException {
    Path several =
        Files.writeString(
            directory.resolve("events.json"),
            """
            [{"id": "own", "namespace": "default", "timestamp": 1700000000000, "eventType": "done"},
             {"id": "envelope", "source": "shop", "detail-type": "sold", "detail": {"price": 1.50}},
             {"Records": [{"eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "s3": {
               "bucket": {"name": "b"}, "object": {"key": "k", "sequencer": "01"}}}]}]
            """);
    assertThat(good("events send " + several + " -o name").lines())
        .hasSize(3)
        .startsWith("own", "envelope")
        .last()
        .asString()
        .startsWith("s3-");

    Path one =
        Files.writeString(
            directory.resolve("one.yaml"), "id: own\nnamespace: default\neventType: done\n");
    assertThat(good("events send " + one + " -o name").lines()).containsExactly("own");
  }

  @Test
  void aMalformedEventOfAFileIsRefusedByTheApi() throws IOException {
    Path file =
        Files.writeString(directory.resolve("events.yaml"), "- {eventType: done}\n- {id: x}\n");
    Result refused = call.run("events send " + file);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("/events/1/eventType: ");
  }

  @Test
  void theStatusShowsQueuesAndJobs() {
    Result status = call.run("status");
    assertThat(status.out()).contains("Queues", "ingest: ", "Oldest due");
    assertThat(Json.read(call.run("status -o json").out(), JsonNode.class).has("troubles"))
        .isTrue();
  }

  @Test
  void aWatchedStatusIsShownAgainUntilItIsInterrupted() {
    FakeTerminal screen = new FakeTerminal(true, 80);
    screen.onPause = Thread.currentThread()::interrupt;
    Result status = call.on(screen).run("status --watch");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(status.out()).contains("\u001b[H\u001b[2J").contains("Queues");
  }
}
