package dev.carillon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.local.LocalEngine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the demo in a few seconds. */
@Timeout(600)
@Execution(ExecutionMode.SAME_THREAD)
class DemoTest {

  private static final Path TEMPLATE = Path.of("../template.yaml");
  private static final Duration LENGTH = Duration.ofSeconds(8);

  private final StringWriter output = new StringWriter();

  @Test
  void everythingIsLaunchedThatHasToBeAndShown() throws InterruptedException {
    assertEverythingIsLaunchedAndShown(false);
  }

  @Tag("proof")
  @Test
  void everythingIsLaunchedByFunctionsInProcessesOfTheirOwn() throws InterruptedException {
    assertEverythingIsLaunchedAndShown(true);
  }

  private void assertEverythingIsLaunchedAndShown(boolean isolated) throws InterruptedException {
    List<Launch> launches;
    try (LocalEngine engine =
            LocalEngine.start(new LocalEngine.Options(TEMPLATE, 0, 0, 0, null, isolated));
        Demo demo =
            new Demo(
                engine.http(),
                engine.sqs(),
                engine.ingestQueue(),
                LENGTH,
                new Screen(new PrintWriter(output)))) {
      engine.awaitReady();
      assertThat(demo.run()).as(output.toString()).isTrue();
      launches = demo.launches();
    }
    assertThat(launches).extracting(Launch::schedule).contains("every-2s", "every-5s", "every-7s");
    assertThat(launches).noneMatch(Launch::isEarly);
    assertThat(output.toString())
        .contains("next at", "useL", "Early launches: 0.")
        .contains("partition 2/2 + 2/2", "programStatus 1/1", "size 1200/1000 MB", "manual launch")
        .contains("encoder, attempt 1: encode fails", "encoder, attempt 2: encode")
        .contains("reported a failure", "sent no heartbeat for")
        .contains("Pieces of work: 4, carried out 4 times. The late report", "was refused.")
        .containsPattern("acme +9 +2 +\\d")
        .containsPattern("bolt +4 +2 +\\d")
        .containsPattern("coda +2 +2 +\\d")
        .contains("pool were equal.")
        .contains("All required launches arrived", "no tracked work was done twice")
        .doesNotContain("\u001b");
    assertThat(output.toString().lines()).allMatch(line -> line.length() <= 100);
  }
}
