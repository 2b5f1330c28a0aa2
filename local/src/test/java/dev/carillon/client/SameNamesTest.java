package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.TextForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client refuses the names that the API refuses, and gives the same remedy. */
class SameNamesTest {

  private static final String TEN = "0123456789";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "Z-_9",
        "a.b",
        ".a",
        ".",
        "...",
        "",
        " ",
        "a b",
        "a/b",
        "a%20b",
        "a~b",
        "ä",
        "a\n",
        "\n",
        TEN + TEN + TEN + "01",
        TEN + TEN + TEN + "012",
        TEN + TEN + TEN + TEN + TEN + TEN + "0123",
        TEN + TEN + TEN + TEN + TEN + TEN + "01234"
      })
  void bothRefuseTheSameNames(String name) {
    assertThat(NameForm.OBJECT.fault(name).isEmpty()).isEqualTo(TextForm.NAME.fits(name));
    assertThat(NameForm.NAMESPACE.fault(name).isEmpty()).isEqualTo(TextForm.NAMESPACE.fits(name));
  }

  @Test
  void bothGiveTheSameRemedy() {
    assertThat(NameForm.OBJECT.fault("a/b").orElseThrow()).endsWith(TextForm.NAME.remedy());
    assertThat(NameForm.NAMESPACE.fault("a/b").orElseThrow()).endsWith(TextForm.NAMESPACE.remedy());
  }
}
