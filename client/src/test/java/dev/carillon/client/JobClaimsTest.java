package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobClaimsTest {

  private final Stub stub = new Stub();
  private final JobClaims claims = CarillonClient.local(stub.uri()).namespace("team").claims();

  @AfterEach
  void stop() {
    stub.close();
  }

  @Test
  void aClaimLastsAsLongAsTheServerSays() {
    stub.answers(
        200,
        """
        {"claimToken": "t", "attempt": 2, "expiresAt": "2026-01-01T00:01:00Z", "expiresIn": 59.25,
         "operations": {"load": "SUCCEEDED"}, "later": 1}
        """);

    Claim claim = claims.claim("team~a~1", "w1", 2);

    assertThat(claim.claimToken()).isEqualTo("t");
    assertThat(claim.attempt()).isEqualTo(2);
    assertThat(claim.lifetime()).isEqualTo(Duration.ofMillis(59_250));
    assertThat(claim.operations()).isEqualTo(json("{\"load\": \"SUCCEEDED\"}"));
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/jobs/team~a~1/claim");
    assertThat(json(stub.body())).isEqualTo(json("{\"worker\": \"w1\", \"attempt\": 2}"));
  }

  @Test
  void anAnswerWithoutItsDurationIsNoClaim() {
    stub.answers(
        200, "{\"claimToken\": \"t\", \"attempt\": 1, \"expiresAt\": \"2026-01-01T00:01:00Z\"}");
    assertThatThrownBy(() -> claims.claim("j", "w", 1))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @ParameterizedTest
  @CsvSource({"superseded", "notYet", "stale"})
  void aRefusalHasItsCode(String code) {
    stub.answers(409, "{\"detail\": \"no\", \"code\": \"%s\"}".formatted(code));
    CarillonException.Conflict refused =
        catchThrowableOfType(
            CarillonException.Conflict.class, () -> claims.succeed("j", "t", null));
    assertThat(refused.problem().code()).isEqualTo(code);
  }

  @Test
  void aHeartbeatCarriesWhatChanged() {
    String renewal =
        "{\"expiresAt\": \"2026-01-01T00:01:00Z\", \"expiresIn\": 60, \"cancelled\": true}";
    stub.answers(200, renewal).answers(200, renewal);
    Duration longest = Duration.ofSeconds(5);

    Renewal renewed =
        claims.heartbeat(
            "j", "t", json("{\"rows\": 7}"), Map.of("load", OperationState.RUNNING), longest);

    assertThat(renewed.cancelled()).isTrue();
    assertThat(renewed.lifetime()).isEqualTo(Duration.ofMinutes(1));
    assertThat(json(stub.body()))
        .isEqualTo(
            json(
                """
                {"claimToken": "t", "progress": {"rows": 7}, "operations": {"load": "RUNNING"}}
                """));
    claims.heartbeat("j", "t", null, Map.of(), longest);
    assertThat(json(stub.body())).isEqualTo(json("{\"claimToken\": \"t\"}"));
  }

  @Test
  void aHeartbeatWaitsOnlyAsLongAsItCan() {
    assertThatThrownBy(() -> claims.heartbeat("j", "t", null, Map.of(), Duration.ofNanos(1)))
        .isInstanceOf(CarillonException.Unreachable.class);
  }

  @Test
  void anEndSaysHow() {
    stub.answers(200, "{}").answers(200, "").answers(200, "{}").answers(200, "{}");

    claims.succeed("j", "t", json("{\"file\": \"f\"}"));
    assertThat(json(stub.body()))
        .isEqualTo(json("{\"claimToken\": \"t\", \"output\": {\"file\": \"f\"}}"));
    claims.succeed("j", "t", null);
    assertThat(json(stub.body())).isEqualTo(json("{\"claimToken\": \"t\"}"));
    claims.fail("j", "t", "broken", false);
    assertThat(json(stub.body()))
        .isEqualTo(json("{\"claimToken\": \"t\", \"error\": \"broken\", \"retriable\": false}"));
    claims.fail("j", "t", null, true);
    assertThat(json(stub.body())).isEqualTo(json("{\"claimToken\": \"t\", \"retriable\": true}"));
  }

  private static JsonNode json(String text) {
    return Json.read(text, JsonNode.class);
  }
}
