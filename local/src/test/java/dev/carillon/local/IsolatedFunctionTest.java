package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The life of a function's process. */
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(600)
class IsolatedFunctionTest {

  private static final RuntimeClient CLIENT = RuntimeClient.ofThisEngine();

  @TempDir private static Path artifact;
  private IsolatedFunction function;

  @BeforeAll
  static void unpack() throws IOException {
    StubArtifact.unpack(artifact);
  }

  @AfterEach
  void stop() {
    if (function != null) {
      function.close();
    }
  }

  private void start(boolean snapStart, Map<String, String> environment) {
    function =
        IsolatedFunction.start(
            CLIENT,
            new SamTemplate.Function(
                "Trouble",
                StubTroubleHandler.class.getName(),
                artifact,
                snapStart,
                Duration.ofSeconds(5),
                128,
                Map.of(),
                List.of()),
            environment);
    function.awaitReady();
  }

  private String invoke(String body) {
    return function
        .invoke(
            new APIGatewayProxyRequestEvent().withBody(body), APIGatewayProxyResponseEvent.class)
        .getBody();
  }

  @Test
  void oneProcessServesOneInvocationAfterTheOther() {
    start(false, Map.of());
    String first = invoke("work");
    assertThat(Long.parseLong(first)).isNotEqualTo(ProcessHandle.current().pid());
    assertThat(invoke("more")).isEqualTo(first);
  }

  @Test
  void anExceptionFailsTheInvocationAndLeavesTheProcess() {
    start(false, Map.of());
    String process = invoke("work");
    assertThatThrownBy(() -> invoke("throw"))
        .isInstanceOf(FunctionFault.class)
        .hasMessageContaining("java.lang.IllegalStateException: instructed to throw");
    assertThat(invoke("more")).isEqualTo(process);
  }

  @Test
  void aFunctionThatTakesTooLongIsKilledAndTheNextInvocationHasANewProcess() {
    start(false, Map.of());
    long first = Long.parseLong(invoke("work"));
    assertThatThrownBy(() -> invoke("hang")).hasMessageContaining("timed out after 5 s");
    assertThat(ProcessHandle.of(first)).isEmpty();
    assertThat(Long.parseLong(invoke("more"))).isNotEqualTo(first);
  }

  @Tag("proof")
  @Test
  void aProcessThatEndsFailsItsInvocationAndTheNextHasANewOne() {
    start(false, Map.of());
    assertThatThrownBy(() -> invoke("exit")).hasMessageContaining("exit code 3");
    assertThat(invoke("work")).isNotEmpty();
  }

  @Test
  void aProcessThatIsKilledWhileItRestsIsReplaced() {
    start(false, Map.of());
    long first = Long.parseLong(invoke("work"));
    ProcessHandle rests = ProcessHandle.of(first).orElseThrow();
    rests.destroyForcibly();
    rests.onExit().join();
    assertThat(Long.parseLong(invoke("work"))).isNotEqualTo(first);
  }

  @Tag("proof")
  @Test
  void itsMemoryIsBoundedByTheTemplate() {
    start(false, Map.of());
    assertThatThrownBy(() -> invoke("fill")).hasMessageContaining("OutOfMemoryError");
  }

  @Test
  void snapStartsHooksRunOnceBeforeTheFirstInvocation() {
    start(true, Map.of());
    assertThat(invoke("work")).endsWith(" checkpoint restore");
    assertThat(invoke("work")).endsWith(" checkpoint restore").doesNotContain("restore check");
  }

  @Tag("proof")
  @Test
  void withoutSnapStartNoHookRuns() {
    start(false, Map.of());
    assertThat(invoke("work")).doesNotContain("checkpoint");
  }

  @Tag("proof")
  @Test
  void twoInvocationsRunSideBySideAndAThirdWaits() throws Exception {
    start(false, Map.of());
    List<CompletableFuture<String>> calls =
        List.of("hang", "work").stream()
            .map(body -> CompletableFuture.supplyAsync(() -> invoke(body)))
            .toList();
    assertThat(calls.get(1).get()).isNotEmpty();
    assertThat(calls.get(0)).isNotDone();
  }

  @Test
  void theCauseOfAFailedStartIsReported() {
    assertThatThrownBy(() -> start(false, Map.of("TROUBLE", "yes")))
        .isInstanceOf(StartFault.class)
        .hasMessageContaining("Trouble")
        .hasMessageContaining("instructed to fail");
  }

  @Test
  void noProcessIsLeftAfterTheEnd() {
    start(false, Map.of());
    long process = Long.parseLong(invoke("work"));
    function.close();
    assertThat(ProcessHandle.of(process)).isEmpty();
  }

  @Tag("proof")
  @Test
  void noProcessOutlivesAnEngineThatIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StubParent.class.getName(),
                artifact.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(parent.inputReader().readLine()).isEqualTo("ready");
      List<ProcessHandle> functions = parent.children().toList();
      assertThat(functions).hasSize(2).allMatch(ProcessHandle::isAlive);
      parent.destroyForcibly().onExit().join();
      for (ProcessHandle function : functions) {
        function.onExit().get(60, TimeUnit.SECONDS);
      }
    } finally {
      parent.descendants().forEach(ProcessHandle::destroyForcibly);
      parent.destroyForcibly();
    }
  }
}
