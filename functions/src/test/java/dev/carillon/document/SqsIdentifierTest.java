package dev.carillon.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A text that is too long, or has other characters, ends with a hash of 16 digits. */
class SqsIdentifierTest {

  private static final String HASH = "-[0-9a-f]{16}";

  @ParameterizedTest
  @CsvSource({
    // text, beginning; no beginning for a text that stays
    "acme,      ''",
    "a~!,       ''",
    "a b,       a_b",
    "größe,     gr_e",
    "a b  c,    a_b_c",
    "日本,       _"
  })
  void charactersThatSqsDoesNotAllowAreReplaced(String text, String beginning) {
    if (beginning.isEmpty()) {
      assertThat(SqsIdentifier.fit(text)).isEqualTo(text);
    } else {
      assertThat(SqsIdentifier.fit(text)).matches(beginning + HASH);
    }
  }

  @ParameterizedTest
  @CsvSource({"127, 127, false", "128, 128, false", "129, 128, true", "500, 128, true"})
  void aLongTextIsCut(int given, int kept, boolean isCut) {
    String text = "a".repeat(given);
    for (String fit : new String[] {SqsIdentifier.fit(text), SqsIdentifier.shortened(text)}) {
      assertThat(fit).hasSize(kept);
      assertThat(fit.equals(text)).isEqualTo(!isCut);
      assertThat(fit.matches("a{111}" + HASH)).isEqualTo(isCut);
    }
  }

  /** The cut is after 111 characters of Java, two of which are one of these. */
  @ParameterizedTest
  @CsvSource({"109, 111", "110, 110", "111, 111"})
  void aTextIsNotCutWithinACharacter(int before, int beginning) {
    String text = "a".repeat(before) + "😀".repeat(20);
    String shortened = SqsIdentifier.shortened(text);
    assertThat(shortened).startsWith(text.substring(0, beginning) + "-").hasSize(beginning + 17);
  }

  @Test
  void differentTextsStayDifferent() {
    String beginning = "a".repeat(200);
    assertThat(SqsIdentifier.fit("a b")).isNotEqualTo(SqsIdentifier.fit("a_b"));
    assertThat(SqsIdentifier.fit("a b")).isNotEqualTo(SqsIdentifier.fit("a\tb"));
    assertThat(SqsIdentifier.shortened(beginning + "b"))
        .isNotEqualTo(SqsIdentifier.shortened(beginning + "c"));
    assertThat(SqsIdentifier.fit("")).matches(HASH);
  }
}
