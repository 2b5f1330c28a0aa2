package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.Result;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a local engine, each test in a namespace of its own. */
abstract class EngineCommands {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  static final String YEARLY =
      """
      program: exporter
      tags: {team: data}
      trigger: {type: cron, expression: "0 0 3 1 1 ?"}
      constraints: [{type: concurrency, max: 1}]
      target: {queue: work, template: {at: "${scheduledFor}"}}
      state: ACTIVE
      """;

  static final String UNLIMITED = YEARLY.replace("constraints: [{type: concurrency, max: 1}]", "");

  @TempDir Path directory;
  Call call;

  @BeforeEach
  void connect() throws InterruptedException {
    call = Call.to(Engine.shared().http()).in("commands-" + NAMESPACES.incrementAndGet());
  }

  void store(String name, String document) throws IOException {
    Path file = Files.writeString(directory.resolve(name + ".yaml"), document);
    assertThat(call.run("apply --yes -f " + file).code()).isZero();
  }

  Result good(String line) {
    Result result = call.run(line);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  JsonNode json(String line) {
    return Json.read(good(line + " -o json").out(), JsonNode.class);
  }
}
