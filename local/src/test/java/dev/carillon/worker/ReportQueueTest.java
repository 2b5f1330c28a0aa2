package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.Job.Transition;
import dev.carillon.client.OperationState;
import dev.carillon.client.schedule.Policies.Operation;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.document.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.model.Message;

/** Reports through the report queue of the local engine, whose effects callers see over HTTP. */
@Timeout(600)
class ReportQueueTest {

  private static final Tracking LONG =
      new Tracking(
          Duration.ofMinutes(10),
          Duration.ofMinutes(10),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30));
  private static final Duration SOON = Duration.ofSeconds(1);

  private final Team team = new Team();
  private String jobId = "";
  private String token = "";

  @BeforeEach
  void claimed() throws InterruptedException {
    team.store(
        LONG,
        new Retry(3, SOON, BigDecimal.ONE, SOON),
        List.of(
            new Operation("read", "read", List.of()),
            new Operation("write", "write", List.of("read"))));
    jobId = team.enqueue();
    token = team.runs().claim(jobId, "w", 1).claimToken();
  }

  private ObjectNode report(String kind) {
    return Json.object()
        .put("report", kind)
        .put("namespace", team.namespace())
        .put("jobId", jobId)
        .put("claimToken", token);
  }

  private void send(ObjectNode report) {
    send(Json.write(report));
  }

  private void send(String body) {
    String url = team.reportQueue();
    team.sqs().sendMessage(send -> send.queueUrl(url).messageBody(body));
  }

  /** What was rejected once all reports are processed: the reasons by the bodies. */
  private Map<String, String> rejected() throws InterruptedException {
    await(() -> team.isEmpty(team.reportQueue()));
    String url = team.rejectedQueue();
    Map<String, String> reasons = new HashMap<>();
    while (!team.isEmpty(url)) {
      List<Message> messages =
          team.sqs()
              .receiveMessage(
                  it -> it.queueUrl(url).maxNumberOfMessages(10).messageAttributeNames("All"))
              .messages();
      for (Message message : messages) {
        reasons.put(message.body(), message.messageAttributes().get("reason").stringValue());
        team.sqs().deleteMessage(it -> it.queueUrl(url).receiptHandle(message.receiptHandle()));
      }
    }
    return reasons;
  }

  private List<State> states() {
    return team.job(jobId).transitions().stream().map(Transition::state).toList();
  }

  private OperationState operation(String id) {
    return team.job(jobId).operations().stream()
        .filter(it -> it.id().equals(id))
        .findFirst()
        .orElseThrow()
        .state();
  }

  @Test
  void aHeartbeatStartsTheRunAndStoresProgressAndOperations() throws InterruptedException {
    ObjectNode beat = report("heartbeat");
    beat.putObject("progress").put("rows", 7);
    beat.putObject("operations").put("read", "SUCCEEDED").put("write", "RUNNING");
    send(beat);
    await(() -> team.state(jobId) == State.RUNNING);
    assertThat(team.job(jobId).progress()).hasToString("{\"rows\":7}");
    assertThat(operation("read")).isEqualTo(OperationState.SUCCEEDED);
    assertThat(operation("write")).isEqualTo(OperationState.RUNNING);
    assertThat(rejected()).isEmpty();
  }

  @Test
  void aSuccessEndsTheJobOnceHoweverOftenItIsSent() throws InterruptedException {
    ObjectNode success = report("succeed");
    success.putObject("output").put("rows", 7);
    send(success);
    send(success);
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(rejected()).isEmpty();
    assertThat(team.job(jobId).output()).hasToString("{\"rows\":7}");
    assertThat(states()).containsOnlyOnce(State.SUCCEEDED);
  }

  @Test
  void aFailureIsRetriedUntilOneIsFinal() throws InterruptedException {
    send(report("fail").put("error", "the disk is full"));
    await(() -> team.transition(jobId, State.RETRY_WAIT).isPresent());
    await(() -> team.job(jobId).attempt() == 2 && team.state(jobId) == State.ENQUEUED);
    token = team.runs().claim(jobId, "w", 2).claimToken();
    send(report("fail").put("error", "there is no disk").put("retriable", false));
    Job job = team.awaitEnd(jobId);
    assertThat(job.state()).isEqualTo(State.FAILED);
    assertThat(job.error()).isEqualTo("there is no disk");
    assertThat(rejected()).isEmpty();
  }

  @Test
  void reportsOfALostClaimAreDroppedWithoutEffect() throws InterruptedException {
    send(report("fail"));
    await(() -> team.job(jobId).attempt() == 2 && team.state(jobId) == State.ENQUEUED);
    String lost = token;
    token = team.runs().claim(jobId, "other", 2).claimToken();
    Job before = team.job(jobId);
    for (String kind : List.of("heartbeat", "succeed")) {
      send(report(kind).put("claimToken", lost));
    }
    assertThat(rejected()).isEmpty();
    assertThat(team.job(jobId)).isEqualTo(before);
    send(report("succeed"));
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
  }

  static Stream<Arguments> refused() {
    JsonNode large = new TextNode("x".repeat(9_000));
    return Stream.of(
        arguments("sucede", "output", IntNode.valueOf(1), "use one of \"heartbeat\", \"succeed\""),
        arguments("succeed", "jobId", new TextNode("none"), "there is no job none in namespace"),
        arguments("succeed", "namespace", new TextNode("other"), "in namespace other"),
        arguments("succeed", "ouptut", IntNode.valueOf(1), "did you mean \"output\"?"),
        arguments("fail", "error", IntNode.valueOf(5), "/error: \"error\" is 5; give a text"),
        arguments(
            "heartbeat",
            "operations",
            Json.object().put("sort", "RUNNING"),
            "\"sort\" is not an operation of the job; its operations are \"read\", \"write\""),
        arguments("heartbeat", "progress", large, "\"progress\" has 9002 bytes; at most"),
        arguments("succeed", "output", large, "\"output\" has 9002 bytes; at most 8192"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aReportThatCannotBeRightIsRejectedWithTheReason(
      String kind, String member, JsonNode value, String reason) throws InterruptedException {
    Job before = team.job(jobId);
    ObjectNode report = report(kind);
    report.set(member, value);
    send(report);
    assertThat(rejected())
        .hasSize(1)
        .hasEntrySatisfying(Json.write(report), why -> assertThat(why).contains(reason));
    assertThat(team.job(jobId)).isEqualTo(before);
  }

  @Test
  void whatIsNoReportIsRejectedBesideOneThatIsAccepted() throws InterruptedException {
    send("no report");
    send(report("succeed"));
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(rejected())
        .hasSize(1)
        .hasEntrySatisfying(
            "no report", why -> assertThat(why).startsWith("the message is not valid JSON"));
  }
}
