package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ErrorTextTest {

  @Test
  void aFailureIsItsStackTrace() {
    String text = ErrorText.of(new IllegalStateException("no space", new RuntimeException("disk")));
    assertThat(text)
        .startsWith("java.lang.IllegalStateException: no space")
        .contains(
            "ErrorTextTest.aFailureIsItsStackTrace", "Caused by: java.lang.RuntimeException: disk");
  }

  @Test
  void aLongTextEndsWithTheLastWholeCharacter() {
    assertThat(ErrorText.cut("x".repeat(4096))).hasSize(4096);
    assertThat(ErrorText.cut("x".repeat(4097))).hasSize(4096);
    assertThat(ErrorText.cut("x" + "€".repeat(2000))).isEqualTo("x" + "€".repeat(1365));
    assertThat(ErrorText.cut("xx" + "\uD83D\uDE00".repeat(2000)).getBytes(StandardCharsets.UTF_8))
        .hasSize(2 + 4 * 1023);
    assertThat(ErrorText.cut("a lone \uD83D half")).isEqualTo("a lone ? half");
  }
}
