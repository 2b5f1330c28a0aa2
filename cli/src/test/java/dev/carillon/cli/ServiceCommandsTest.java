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
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("--id and --payload go with --type, not with a FILE");
    }
    assertThat(call.run("events send").err()).contains("--type");
    assertThat(call.run("events send --type a --payload 1").err()).contains("not a JSON object");
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
