package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.History.ArrivedCallback;
import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallbackJudgeTest {

  private static final long FAULTS_TO = 1_000_000;
  private static final long LATER = FAULTS_TO + 100_000;

  private final List<ArrivedCallback> callbacks = new ArrayList<>();
  private final List<RunCall> calls = new ArrayList<>();

  private void calledBack(String job, int attempt) {
    callbacks.add(new ArrivedCallback(job, "s", attempt));
  }

  private void askedForRetry(String job, long at, int status) {
    calls.add(new RunCall(Kind.RETRY, job, 0, "", "", false, at, at, status, "", false));
  }

  private List<String> found() {
    List<Finding> findings = new ArrayList<>();
    new CallbackJudge(callbacks, calls, FAULTS_TO, findings).judge();
    return findings.stream().map(it -> it.kind() + " " + it.jobId()).toList();
  }

  @Test
  void aCallbackMayBeRepeated() {
    calledBack("a", 2);
    calledBack("a", 2);
    calledBack("b", 1);
    assertThat(found()).isEmpty();
  }

  @Test
  void anEndHasOneCallback() {
    calledBack("a", 1);
    calledBack("a", 2);
    calledBack("a", 3);
    assertThat(found()).containsExactly("DOUBLED a");
  }

  @Test
  void aRetryByACallerEndsTheJobOnceMore() {
    calledBack("a", 1);
    askedForRetry("a", LATER, 200);
    calledBack("a", 2);
    assertThat(found()).isEmpty();
    calledBack("a", 3);
    assertThat(found()).containsExactly("DOUBLED a");
  }

  @Test
  void aRetryOfAnotherJobExplainsNothing() {
    calledBack("a", 1);
    askedForRetry("b", LATER, 200);
    calledBack("a", 2);
    assertThat(found()).containsExactly("DOUBLED a");
  }

  @Test
  void aRetryThatWasRefusedWhileFaultsStruckMayHaveBeenCarriedOut() {
    calledBack("a", 1);
    calledBack("a", 2);
    askedForRetry("a", LATER, 409);
    assertThat(found()).containsExactly("DOUBLED a");
    askedForRetry("a", FAULTS_TO, 409);
    assertThat(found()).isEmpty();
  }
}
