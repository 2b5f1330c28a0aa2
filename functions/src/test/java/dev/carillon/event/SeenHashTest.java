package dev.carillon.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenHashTest {

  @Test
  void isTheBeginningOfTheSha256() {
    assertThat(SeenHash.of("abc")).isEqualTo(0xba7816bf8f01cfeaL);
    assertThat(SeenHash.of("")).isEqualTo(0xe3b0c44298fc1c14L);
  }

  @Test
  void tellsIdsApart() {
    assertThat(SeenHash.of("é")).isNotEqualTo(SeenHash.of("e"));
  }
}
