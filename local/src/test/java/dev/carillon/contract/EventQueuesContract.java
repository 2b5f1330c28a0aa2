package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessage;
import dev.carillon.event.RejectedMessages;
import dev.carillon.event.RejectedMessages.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

abstract class EventQueuesContract {

  abstract IngestQueue ingest();

  abstract List<String> arrived();

  abstract RejectedMessages rejected();

  abstract List<RejectedMessage> kept();

  @Test
  void allEventsAreSent() {
    List<String> bodies = IntStream.range(0, 300).mapToObj(i -> "{\"id\": " + i + "}").toList();

    ingest().send(bodies);

    assertThat(arrived()).containsExactlyInAnyOrderElementsOf(bodies);
  }

  @Test
  void largeEventsAreSentToo() {
    List<String> bodies = IntStream.range(0, 30).mapToObj(i -> i + "ü".repeat(60_000)).toList();

    ingest().send(bodies);

    assertThat(arrived()).containsExactlyInAnyOrderElementsOf(bodies);
  }

  private void reject(String body, String reason) {
    rejected().reject(List.of(new Rejection(body, reason)));
  }

  @Test
  void aRejectedEventIsKeptAsItCame() {
    reject("{\"eventType\": 7}", "eventType is no text");

    assertThat(kept())
        .containsExactly(
            new RejectedMessage("{\"eventType\": 7}", Map.of("reason", "eventType is no text")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\u0000b", "\u0007", "ü\uFFFE"})
  void aBodyThatAQueueRefusesIsKeptInBase64(String body) {
    reject(body, "no JSON");

    RejectedMessage message = kept().get(0);
    assertThat(message.attributes()).isEqualTo(Map.of("reason", "no JSON", "encoding", "base64"));
    assertThat(Base64.getMimeDecoder().decode(message.body()))
        .isEqualTo(body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theBeginningOfATooLargeBodyIsKept() {
    String body = "ü".repeat(900_000);

    reject(body, "x\u0000".repeat(5_000));

    RejectedMessage message = kept().get(0);
    assertThat(message.attributes()).containsEntry("encoding", "base64");
    assertThat(message.attributes()).containsEntry("truncated", "true");
    assertThat(message.attributes().get("reason")).hasSizeLessThanOrEqualTo(1_000);
    assertThat(new String(Base64.getDecoder().decode(message.body()), StandardCharsets.UTF_8))
        .startsWith("ü".repeat(300_000));
  }

  @Test
  void aLongReasonIsNotCutWithinACharacter() {
    reject("{}", "a".repeat(998) + "😀".repeat(9));

    assertThat(kept().get(0).attributes().get("reason")).isEqualTo("a".repeat(998) + "…");
  }

  @Test
  void aReasonIsNeverMissing() {
    reject("{}", "");

    assertThat(kept().get(0).attributes()).isEqualTo(Map.of("reason", "unknown"));
  }
}
