package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The worker in Python, as it is. */
@Timeout(600)
class ExampleWorkerTest {

  private static final Path EXAMPLE = Path.of("../examples/worker.py");
  private static final String RESULT = "return {\"done\": json.loads(body)}";

  private static final long LONGEST_WAIT_SECONDS = 120;

  private final FakeApi api = new FakeApi();
  private final FakeSqs sqs = new FakeSqs();
  @TempDir private Path directory;
  private Process process;

  @BeforeAll
  static void needsPython() {
    String[] path = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    assumeTrue(
        Arrays.stream(path).anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
        "python3 is not installed");
  }

  @AfterEach
  void stop() throws InterruptedException {
    process.destroyForcibly().waitFor();
    api.close();
    sqs.close();
  }

  private void run(String source) throws IOException {
    Path file = Files.writeString(directory.resolve("worker.py"), source);
    ProcessBuilder python = new ProcessBuilder("python3", file.toString());
    python.environment().put("API_URL", api.uri().toString());
    python.environment().put("SQS_URL", sqs.uri().toString());
    python.redirectErrorStream(true).redirectOutput(directory.resolve("output").toFile());
    process = python.start();
  }

  private void send(String job, String body) {
    sqs.send(
        body,
        Map.of(
            "carillon-job-id", job, "carillon-attempt", "2", "carillon-program", "team/exporter"));
  }

  @Test
  void itClaimsWorksAndReports() throws Exception {
    run(Files.readString(EXAMPLE));
    send("a", "{\"day\": 1}");
    send("b", "not JSON");

    assertThat(api.next("claim").body().get("attempt").asInt()).isEqualTo(2);
    assertThat(api.next("succeed").body())
        .hasToString("{\"claimToken\":\"t-a-2\",\"output\":{\"done\":{\"day\":1}}}");
    JsonNode failure = api.next("fail").body();
    assertThat(failure.get("claimToken").asText()).isEqualTo("t-b-2");
    assertThat(failure.get("error").asText()).startsWith("JSONDecodeError");
    assertThat(Rig.next(sqs.deleted)).isEqualTo("{\"day\": 1}");
    assertThat(Rig.next(sqs.deleted)).isEqualTo("not JSON");
  }

  @Test
  void aRefusedClaimSaysWhatBecomesOfTheMessage() throws Exception {
    run(Files.readString(EXAMPLE));
    api.refuse("claim", 409, FakeApi.problem("not-yet"));
    send("a", "stays");
    api.next("claim");
    api.refuse("claim", 409, FakeApi.problem("superseded"));
    send("b", "goes");
    assertThat(Rig.next(sqs.deleted)).isEqualTo("goes");
  }

  @Test
  void itStopsWhenItsHeartbeatsAreNotAnswered() throws Exception {
    api.claimSeconds = 5;
    api.refuse("heartbeat", 503, "");
    String source = Files.readString(EXAMPLE);
    assertThat(source).contains(RESULT);
    run(source.replace(RESULT, "stopped.wait()"));
    send("a", "1");

    assertThat(api.next("heartbeat").body()).hasToString("{\"claimToken\":\"t-a-2\"}");
    assertThat(api.next("fail").body().get("error").asText())
        .isEqualTo("stopped before the work was done");
  }

  @Test
  void aReportThatIsNotAnsweredIsSentAgain() throws Exception {
    api.refuse("succeed", 503, "");
    String pause = "time.sleep(1 if";
    String source = Files.readString(EXAMPLE);
    assertThat(source).contains(pause);
    run(source.replace(pause, "time.sleep(0 if"));
    send("a", "1");
    for (int i = 0; i < 20; i++) {
      assertThat(api.next("succeed").job()).isEqualTo("a");
    }
    api.accept("succeed");
    send("b", "not JSON");
    assertThat(api.next("fail").job()).isEqualTo("b");
  }

  @Test
  void anOutputThatJsonCannotHoldIsAFailure() throws Exception {
    run(Files.readString(EXAMPLE).replace(RESULT, "return {body} if body == '1' else body"));
    send("a", "1");
    send("b", "2");
    assertThat(api.next("fail").body().get("error").asText()).startsWith("TypeError");
    assertThat(api.next("succeed").job()).isEqualTo("b");
  }

  /** Seven heartbeats fit before 0.8 of a lifetime; many more before its end. */
  @Test
  void heartbeatsThatDoNotExtendTheClaimDoNotDelayTheStop() throws Exception {
    api.claimSeconds = 5;
    run(Files.readString(EXAMPLE).replace(RESULT, "stopped.wait()"));
    api.lastEnd = Duration.ofNanos(System.nanoTime()).plusSeconds(5);
    send("a", "1");
    assertThat(api.next("fail").body().get("error").asText())
        .isEqualTo("stopped before the work was done");
    assertThat(api.rest("heartbeat")).hasSizeLessThan(12);
  }

  @ParameterizedTest
  @CsvSource({"413, true", "413, false", "400, true"})
  void aSuccessThatIsRefusedEndsTheJob(int status, boolean isJson) throws Exception {
    api.refuse("succeed", status, isJson ? "{\"detail\": \"too large\"}" : "<html>");
    run(Files.readString(EXAMPLE));
    send("a", "1");

    JsonNode failure = api.next("fail").body();
    assertThat(failure.get("claimToken").asText()).isEqualTo("t-a-2");
    assertThat(failure.get("error").asText())
        .startsWith("the work was done, but its report was refused")
        .contains(isJson ? "too large" : "JSONDecodeError");
    assertThat(failure.get("retriable").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "<html>"})
  void anAnswerThatIsNotOfTheApiIsUnknown(String answer) throws Exception {
    api.refuse("claim", 200, answer);
    run(Files.readString(EXAMPLE));
    send("a", "1");
    JsonNode first = api.next("claim").body();
    api.accept("claim");
    assertThat(api.next("claim").body()).isEqualTo(first);
    api.next("succeed");
  }

  @Test
  void aConnectionThatEndsTooEarlyIsNoAnswer() throws Exception {
    api.refuse("claim", 200, "{", Map.of("Content-Length", "9"));
    run(Files.readString(EXAMPLE));
    send("a", "1");
    JsonNode first = api.next("claim").body();
    api.accept("claim");
    assertThat(api.next("claim").body()).isEqualTo(first);
  }

  @Test
  void otherMessagesStayInTheQueueAndAreNamedOnce() throws Exception {
    run(Files.readString(EXAMPLE));
    sqs.send("hello", Map.of());
    sqs.send("hello", Map.of());
    sqs.send("partly", Map.of("carillon-job-id", "b", "carillon-program", "team/exporter"));
    send("a", "1");

    assertThat(api.next("succeed").job()).isEqualTo("a");
    assertThat(Rig.next(sqs.deleted)).isEqualTo("1");
    assertThat(Files.readString(directory.resolve("output")))
        .containsOnlyOnce("no launch request: id of hello")
        .containsOnlyOnce("no launch request: id of partly");
  }

  @Test
  void aClaimThatIsAnsweredTooLateBeginsNoWork() throws Exception {
    api.claimSeconds = 0;
    run(Files.readString(EXAMPLE));
    send("a", "1");
    assertThat(api.next("fail").body().get("error").asText())
        .isEqualTo("the claim was answered too late to begin the work");
    assertThat(Files.readString(directory.resolve("output"))).doesNotContain("attempt 2 of");
  }

  @Test
  void itStopsWhenTheRenewalFails() throws Exception {
    api.claimSeconds = 5;
    api.refuse("heartbeat", 200, "{}");
    run(Files.readString(EXAMPLE).replace(RESULT, "stopped.wait()"));
    send("a", "1");
    assertThat(api.next("fail").body().get("error").asText())
        .isEqualTo("stopped before the work was done");
    assertThat(api.rest("heartbeat")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"claim, 401", "claim, 403", "succeed, 401", "succeed, 403"})
  void itEndsWhenThePermissionForARequestIsMissing(String what, int status) throws Exception {
    api.refuse(what, status, "{\"message\": \"Forbidden\"}");
    run(Files.readString(EXAMPLE));
    send("a", "1");

    assertThat(said()).contains(permission("a", what)).contains("{'message': 'Forbidden'}");
    assertThat(sqs.deleted).hasSize(what.equals("claim") ? 0 : 1);
  }

  @Test
  void itEndsAfterTheAttemptWhoseHeartbeatsNeedAPermission() throws Exception {
    api.claimSeconds = 5;
    api.refuse("heartbeat", 403, "{\"message\": \"Forbidden\"}");
    run(Files.readString(EXAMPLE).replace(RESULT, "stopped.wait()"));
    send("a", "1");

    assertThat(said()).contains(permission("a", "heartbeat"));
    assertThat(api.next("fail").body().get("error").asText())
        .isEqualTo("stopped before the work was done");
  }

  @ParameterizedTest
  @CsvSource({
    "ReceiveMessage, 403, InvalidClientTokenId",
    "ReceiveMessage, 400, com.amazonaws.sqs#AccessDeniedException",
    "DeleteMessage, 403, AccessDenied"
  })
  void itEndsWhenAPermissionForTheQueueIsMissing(String action, int status, String type)
      throws Exception {
    sqs.refuse(action, status, type);
    run(Files.readString(EXAMPLE));
    send("a", "1");

    assertThat(said())
        .contains("the permission sqs:" + action + " on " + sqs.uri())
        .contains("is missing: {'__type': '" + type + "'}");
    assertThat(api.rest("succeed")).hasSize(action.equals("DeleteMessage") ? 1 : 0);
  }

  private String permission(String job, String what) {
    return "the permission execute-api:Invoke on %s/v1/namespaces/team/jobs/%s/%s is missing"
        .formatted(api.uri(), job, what);
  }

  /** What it says until its end. */
  private String said() throws Exception {
    assertThat(process.waitFor(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)).as("it has ended").isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    return Files.readString(directory.resolve("output"));
  }
}
