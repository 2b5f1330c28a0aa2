package dev.carillon.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Fault;
import dev.carillon.document.MessageLimits;
import dev.carillon.event.ParsedMessage.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of rejected messages. SQS accepts neither control characters nor half characters. */
class RejectedMessageTest {

  private static final String REASON = "no event";
  private static final int MOST_BYTES = RejectedMessage.MOST_BODY_BYTES;

  private static String reason(String given) {
    return RejectedMessage.of("{}", given).attributes().get("reason");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", " ", "größer 😀\n\t"})
  void aBodyThatSqsAcceptsIsKeptAsItCame(String body) {
    assertThat(RejectedMessage.of(body, REASON))
        .isEqualTo(new RejectedMessage(body, Map.of("reason", REASON)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "\uFFFE"})
  void anotherBodyIsKeptInBase64(String body) {
    RejectedMessage message = RejectedMessage.of(body, REASON);
    assertThat(message.attributes()).isEqualTo(Map.of("reason", REASON, "encoding", "base64"));
    assertThat(new String(Base64.getDecoder().decode(message.body()), StandardCharsets.UTF_8))
        .isEqualTo(body);
  }

  @Test
  void anEmptyBodyIsOneLine() {
    assertThat(RejectedMessage.of("", REASON))
        .isEqualTo(new RejectedMessage("\n", Map.of("reason", REASON, "encoding", "base64")));
  }

  /** The size of a body of one kind of character, beside the bound; whether some of it is cut. */
  @ParameterizedTest
  @CsvSource({
    // character, more bytes than the bound, encoded, cut
    "a, 0,  false, false",
    "a, 1,  true,  true",
    "é, 0,  false, false",
    "é, 2,  true,  true"
  })
  void aLargeBodyIsCut(String character, int more, boolean isEncoded, boolean isCut) {
    int width = character.getBytes(StandardCharsets.UTF_8).length;
    RejectedMessage message =
        RejectedMessage.of(character.repeat((MOST_BYTES + more) / width), REASON);
    assertThat(message.attributes().containsKey("encoding")).isEqualTo(isEncoded);
    assertThat(message.attributes().containsKey("truncated")).isEqualTo(isCut);
    assertThat(message.body().getBytes(StandardCharsets.UTF_8)).hasSize(MOST_BYTES);
  }

  /** In Base64, three bytes become four characters. */
  @ParameterizedTest
  @CsvSource({"0, false", "1, true"})
  void anEncodedBodyIsCutIfItsTextWouldBeTooLarge(int more, boolean isCut) {
    String body = "\u0000".repeat(MOST_BYTES / 4 * 3 + more);
    RejectedMessage message = RejectedMessage.of(body, REASON);
    assertThat(message.attributes().containsKey("truncated")).isEqualTo(isCut);
    assertThat(message.body()).hasSize(MOST_BYTES);
  }

  // ---- reasons

  @ParameterizedTest
  @CsvSource({"'', unknown", "a, a", "'\u0007', '\uFFFD'"})
  void aReasonIsNeverEmpty(String given, String kept) {
    assertThat(reason(given)).isEqualTo(kept);
  }

  @ParameterizedTest
  @CsvSource({"999, 999, false", "1000, 1000, false", "1001, 1000, true", "5000, 1000, true"})
  void aReasonIsCutAtAThousandCharacters(int given, int kept, boolean isCut) {
    String reason = reason("a".repeat(given));
    assertThat(reason).hasSize(kept);
    assertThat(reason.endsWith("…")).isEqualTo(isCut);
  }

  /** The reason of a message that is not a check quotes that message. */
  @ParameterizedTest
  @ValueSource(ints = {996, 997, 998, 999})
  void aReasonIsNotCutWithinACharacter(int before) {
    String reason = reason("a".repeat(before) + "😀" + "a".repeat(9));
    assertThat(MessageLimits.accepts(reason)).isTrue();
    assertThat(reason).hasSizeBetween(999, 1_000).endsWith("…");
  }

  /** The reason of a malformed event: a pointer, a space and a detail. */
  @ParameterizedTest
  @CsvSource({"997, 1000, false", "998, 501, true"})
  void theReasonOfAMalformedEventIsCutToHalfAThousandCharacters(
      int detail, int length, boolean isCut) {
    String reason = new Malformed(List.of(new Fault("/a", "d".repeat(detail)))).reason();
    assertThat(reason).hasSize(length);
    assertThat(reason.endsWith("…")).isEqualTo(isCut);
  }
}
