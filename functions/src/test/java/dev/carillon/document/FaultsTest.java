package dev.carillon.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultsTest {

  private final Faults faults = new Faults();

  @Test
  void theCharactersOfAllListedFaultsAreLimited() {
    String pointer = "/" + "k".repeat(8_000);
    for (int index = 0; index < 1_000; index++) {
      faults.add(pointer + index, "not a number; give one");
    }
    int characters =
        faults.found().stream()
            .mapToInt(fault -> fault.pointer().length() + fault.detail().length())
            .sum();
    assertThat(characters).isBetween(500_000, Faults.MOST_CHARACTERS);
    assertThat(Faults.listed(faults.found())).isEqualTo(faults.found());
  }

  @Test
  void aFaultAtATooLongPointerIsThatOfTheValueAroundIt() {
    String key = "k".repeat(1_000_000);
    faults.add("/a/b/" + key, "one");
    faults.add("/a/" + key + "/b", "two");
    faults.add("/" + key, "three");
    assertThat(faults.found())
        .containsExactly(new Fault("/a/b", "one"), new Fault("/a", "two"), new Fault("", "three"));
  }

  @Test
  void theFirstFaultIsAlwaysListed() {
    String detail = "d".repeat(Faults.MOST_CHARACTERS + 1);
    faults.add("", detail);
    faults.add("", "another");
    assertThat(faults.found()).containsExactly(new Fault("", detail));
  }
}
