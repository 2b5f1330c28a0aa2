package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.Episode.Outcome;
import dev.carillon.campaign.engine.FaultProfile;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.RunCall.Kind;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.system.Tampering;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The fixed scenarios have the reports that they are named for: the random numbers of the workers
 * decide that.
 */
class ReportedScenariosTest {

  @AutoClose private final Workers workers = new Workers();

  private Outcome played(String name) {
    Scenario scenario = Objects.requireNonNull(FixedScenarios.reported().get(name));
    return Episode.run(
        scenario, CrashExhaustionTest.SEED, workers, Tampering.NONE, FaultProfile.none(), true);
  }

  private static List<RunCall> messages(List<RunCall> calls) {
    return calls.stream().filter(call -> call.queued() != null).toList();
  }

  @Test
  void aFailureAndASuccessAreMessages() {
    List<RunCall> calls = played(FixedScenarios.ENDS_BY_MESSAGES).history().runCalls();
    assertThat(messages(calls)).extracting(RunCall::kind).contains(Kind.FAIL, Kind.SUCCEED);
  }

  @Test
  void heartbeatsAFailureAndASuccessAreMessages() {
    Outcome outcome = played(FixedScenarios.REPORTED_BY_MESSAGES);
    assertThat(messages(outcome.history().runCalls()))
        .extracting(RunCall::kind)
        .contains(Kind.HEARTBEAT, Kind.FAIL, Kind.SUCCEED);
    assertThat(outcome.trace().lines()).anyMatch(line -> line.contains("report#"));
  }

  @Test
  void messagesHaveTokensOfFormerClaims() {
    List<RunCall> calls = played(FixedScenarios.MESSAGES_OF_FORMER_CLAIMS).history().runCalls();
    assertThat(messages(calls)).anyMatch(message -> !message.token().equals(token(calls, message)));
  }

  /** The token of the last claim before a message. */
  private static String token(List<RunCall> calls, RunCall message) {
    return calls.stream()
        .filter(call -> call.kind() == Kind.CLAIM && call.returned() < message.called())
        .filter(call -> !call.token().isEmpty())
        .max(Comparator.comparingLong(RunCall::returned))
        .orElseThrow()
        .token();
  }

  @Test
  void messagesReportTheStatesOfOperations() {
    List<RunCall> calls = played(FixedScenarios.OPERATIONS_BY_MESSAGES).history().runCalls();
    assertThat(messages(calls))
        .flatExtracting(message -> message.operations().values())
        .contains("RUNNING", "SUCCEEDED", "FAILED");
    assertThatARetryGoesOn(calls);
  }

  @Test
  void requestsReportTheStatesOfOperations() {
    List<RunCall> calls = played(FixedScenarios.OPERATIONS_BY_REQUESTS).history().runCalls();
    assertThat(messages(calls)).isEmpty();
    assertThatARetryGoesOn(calls);
  }

  /** The last claim names what the attempt before has done, and what it has not. */
  private static void assertThatARetryGoesOn(List<RunCall> calls) {
    List<RunCall> claims = calls.stream().filter(call -> call.kind() == Kind.CLAIM).toList();
    assertThat(claims.get(claims.size() - 1).operations())
        .containsEntry("o1", "SUCCEEDED")
        .containsEntry("o2", "WAITING");
    assertThat(calls.get(calls.size() - 1).kind()).isEqualTo(Kind.SUCCEED);
  }
}
