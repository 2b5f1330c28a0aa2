package dev.carillon.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each step changes in a run; everything else stays. All times are seconds after noon. */
class RunTest {

  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
  private static final Operation LOAD = new Operation("load", null, List.of());
  private static final Tracking TRACKING =
      new Tracking(
          Duration.ofSeconds(900),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(600));
  private static final RunPolicy POLICY = new RunPolicy(TRACKING, RetryPolicy.USUAL, List.of(LOAD));
  private static final Place PLACE = new Place("encode", NOON, true);
  private static final Claim CLAIM = new Claim("worker", "token", NOON, null);
  private static final FinalReport REPORT = new FinalReport("token", true);
  private static final JsonNode HALF = Json.object().put("percent", 50);
  private static final JsonNode OUTPUT = Json.object().put("rows", 7);

  /** A run in its second attempt, with a value in each part. */
  private static final Run RUN =
      new Run(
          POLICY,
          PLACE,
          Operations.of(List.of(LOAD)).with(Map.of("load", OperationState.RUNNING)),
          CLAIM,
          new FinalReport("before", false),
          true,
          HALF,
          OUTPUT,
          "disk full");

  private static Instant at(long seconds) {
    return NOON.plusSeconds(seconds);
  }

  @Test
  void aRunBeginsWithTheOperationsOfItsPolicy() {
    assertThat(Run.of(POLICY))
        .isEqualTo(
            new Run(
                POLICY, null, Operations.of(List.of(LOAD)), null, null, false, null, null, null));
  }

  @Test
  void aLaunchCanHaveOperationsOfItsOwn() {
    Operation other = new Operation("other", null, List.of());
    assertThat(POLICY.with(List.of(other)))
        .isEqualTo(new RunPolicy(TRACKING, RetryPolicy.USUAL, List.of(other)));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"token, token, true", "token, other, false", "-, token, false"})
  void aRunIsHeldByTheTokenOfItsClaim(@Nullable String claimed, String token, boolean isHeld) {
    Run begun = Run.of(POLICY);
    Run run = claimed == null ? begun : begun.with(new Claim("worker", claimed, NOON, null));
    assertThat(run.isHeldBy(token)).isEqualTo(isHeld);
  }

  // ---- steps

  @Test
  void aClaimAPlaceOrProgressReplacesTheOneBefore() {
    Claim claim = new Claim("other", "other", at(1), null);
    Place place = new Place("other", at(1), false);
    JsonNode all = Json.object().put("percent", 100);
    Map<String, OperationState> done = Map.of("load", OperationState.SUCCEEDED);
    assertThat(RUN.with(claim).with(place).with(all).with(done))
        .isEqualTo(
            new Run(
                POLICY,
                place,
                RUN.operations().with(done),
                claim,
                RUN.last(),
                true,
                all,
                OUTPUT,
                "disk full"));
    assertThat(RUN.with((JsonNode) null)).as("progress that has not changed").isEqualTo(RUN);
  }

  @Test
  void aCancelRequestWaitsForTheWorker() {
    assertThat(Run.of(POLICY).cancelRequested().isCancelRequested()).isTrue();
    assertThat(RUN.cancelRequested()).isEqualTo(RUN);
  }

  @Test
  void aSuccessHasItsOutputAndNoError() {
    JsonNode result = Json.object().put("rows", 8);
    assertThat(RUN.succeeded(REPORT, result))
        .isEqualTo(
            new Run(POLICY, PLACE, RUN.operations(), CLAIM, REPORT, true, HALF, result, null));
  }

  /** Without a report, a time-out has ended the attempt. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aFailureHasItsErrorAndNoOutput(boolean isReported) {
    FinalReport last = isReported ? REPORT : RUN.last();
    assertThat(RUN.failed(isReported ? REPORT : null, "no disk"))
        .isEqualTo(
            new Run(POLICY, PLACE, RUN.operations(), CLAIM, last, true, HALF, null, "no disk"));
  }

  @Test
  void theNextAttemptKeepsTheErrorAndTheLastReportOfTheOneBefore() {
    assertThat(RUN.unclaimed())
        .isEqualTo(
            new Run(
                POLICY,
                PLACE,
                Operations.of(List.of(LOAD)),
                null,
                RUN.last(),
                false,
                null,
                null,
                "disk full"));
  }

  // ---- time-outs

  @Test
  void theRunTimeoutBeginsWithTheFirstReport() {
    assertThat(Run.of(POLICY).deadline()).as("not claimed").isNull();
    assertThat(RUN.deadline()).as("claimed").isNull();
    Run started = RUN.with(CLAIM.started(at(5)));
    assertThat(started.deadline()).isEqualTo(at(605));
  }

  /** The first report came at noon, so the run must have ended after 600 seconds. */
  @ParameterizedTest
  @CsvSource({"0, 60", "539, 599", "540, 600", "541, 600", "600, 600"})
  void theNextReportIsDueAfterTheHeartbeatTimeoutButNotAfterTheRunTimeout(long now, long next) {
    Run started = RUN.with(CLAIM.started(NOON));
    assertThat(started.nextReport(at(now))).isEqualTo(at(next));
    assertThat(RUN.nextReport(at(now))).as("not started").isEqualTo(at(now + 60));
  }

  // ---- claims

  @Test
  void onlyTheFirstReportStartsAClaim() {
    Claim started = CLAIM.started(at(5));
    assertThat(started).isEqualTo(new Claim("worker", "token", NOON, at(5), null));
    assertThat(started.started(at(9))).isEqualTo(started);
  }

  /** The newest accepted heartbeat was sent 20 seconds after noon. */
  @ParameterizedTest
  @CsvSource({"19, true", "20, false", "21, false"})
  void aHeartbeatIsOvertakenByOneThatWasSentLater(long sent, boolean isOvertaken) {
    Claim reported = CLAIM.started(at(5)).reported(at(20));
    assertThat(reported).isEqualTo(new Claim("worker", "token", NOON, at(5), at(20)));
    assertThat(reported.isOvertaken(at(sent))).isEqualTo(isOvertaken);
    assertThat(CLAIM.isOvertaken(at(sent))).as("the first heartbeat").isFalse();
  }
}
