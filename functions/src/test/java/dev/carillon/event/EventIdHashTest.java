package dev.carillon.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventIdHashTest {

  @Test
  void theHashIsThePrefixOfTheSha256() {
    assertThat(EventIdHash.of("abc")).isEqualTo(0xba7816bf8f01cfeaL);
    assertThat(EventIdHash.of("")).isEqualTo(0xe3b0c44298fc1c14L);
  }

  @Test
  void differentIdsHaveDifferentHashes() {
    assertThat(EventIdHash.of("é")).isNotEqualTo(EventIdHash.of("e"));
  }
}
