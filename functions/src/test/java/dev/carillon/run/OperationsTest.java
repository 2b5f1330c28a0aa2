package dev.carillon.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three operations: "load" first; "check" and "send" after it. */
class OperationsTest {

  private static final Operation LOAD = new Operation("load", "copy", List.of());
  private static final Operation CHECK = new Operation("check", null, List.of("load"));
  private static final Operation SEND = new Operation("send", null, List.of("load", "check"));
  private static final Operations BEGIN = Operations.of(List.of(LOAD, CHECK, SEND));

  /** States are written like {@code load=RUNNING check=FAILED}. */
  private static Map<String, OperationState> states(String text) {
    Map<String, OperationState> states = new TreeMap<>();
    for (String one : text.isEmpty() ? new String[0] : text.split(" ")) {
      String[] parts = one.split("=");
      states.put(parts[0], OperationState.valueOf(parts[1]));
    }
    return states;
  }

  private static String text(Map<String, OperationState> states) {
    return new TreeMap<>(states)
        .entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining(" "));
  }

  private static Operations reported(String states) {
    return BEGIN.with(states(states));
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                            load",
    "load=WAITING,                                  load",
    "load=RUNNING,                                  ''",
    "load=FAILED,                                   load",
    "load=SUCCEEDED,                                check",
    "load=SUCCEEDED check=RUNNING,                  ''",
    "load=SUCCEEDED check=FAILED,                   check",
    "load=SUCCEEDED check=SUCCEEDED,                send",
    "check=SUCCEEDED,                               load",
    "load=FAILED check=SUCCEEDED,                   load",
    "load=SUCCEEDED check=SUCCEEDED send=SUCCEEDED, ''"
  })
  void anOperationMayBeginOnceAllBeforeItHaveSucceeded(String states, String ready) {
    String ids =
        reported(states).ready().stream().map(Operation::id).collect(Collectors.joining(" "));
    assertThat(ids).isEqualTo(ready);
  }

  @ParameterizedTest
  @CsvSource({
    // reported before, reported then, state
    "load=RUNNING,   load=SUCCEEDED, load=SUCCEEDED",
    "load=SUCCEEDED, load=RUNNING,   load=SUCCEEDED",
    "load=SUCCEEDED, load=WAITING,   load=SUCCEEDED",
    "load=SUCCEEDED, load=FAILED,    load=FAILED",
    "load=FAILED,    load=RUNNING,   load=RUNNING"
  })
  void anOperationThatHasSucceededDoesNotBeginAgain(String before, String then, String state) {
    assertThat(text(reported(before).with(states(then)).reported())).isEqualTo(state);
  }

  @ParameterizedTest
  @CsvSource({
    // reported before, reported late, added
    "'',             load=SUCCEEDED, load=SUCCEEDED",
    "load=WAITING,   load=SUCCEEDED, load=SUCCEEDED",
    "load=RUNNING,   load=SUCCEEDED, load=SUCCEEDED",
    "load=FAILED,    load=SUCCEEDED, ''",
    "load=SUCCEEDED, load=SUCCEEDED, ''",
    "'',             load=FAILED,    ''",
    "'',             load=RUNNING,   ''",
    "'',             load=WAITING,   ''",
    "load=FAILED,    load=SUCCEEDED check=SUCCEEDED send=RUNNING, check=SUCCEEDED"
  })
  void aLateReportAddsOnlyWhatSucceededUnlessANewerReportSaysOtherwise(
      String before, String late, String added) {
    assertThat(text(reported(before).doneBy(states(late)))).isEqualTo(added);
  }

  @ParameterizedTest
  @CsvSource({
    "'',                           ''",
    "load=RUNNING,                 ''",
    "load=SUCCEEDED check=RUNNING, load=SUCCEEDED",
    "load=SUCCEEDED check=FAILED,  check=FAILED load=SUCCEEDED"
  })
  void theNextAttemptBeginsInterruptedOperationsAgain(String before, String after) {
    Operations interrupted = reported(before).interrupted();
    assertThat(text(interrupted.reported())).isEqualTo(after);
    assertThat(interrupted.all()).isEqualTo(BEGIN.all());
  }

  @ParameterizedTest
  @CsvSource({
    "'',         true",
    "load,       true",
    "load check, true",
    "other,      false",
    "load other, false"
  })
  void aWorkerCanReportOnlyOperationsOfTheJob(String ids, boolean contains) {
    Set<String> reported = ids.isEmpty() ? Set.of() : Set.of(ids.split(" "));
    assertThat(BEGIN.contains(reported)).isEqualTo(contains);
  }

  @Test
  void aNewReportReplacesTheStatesThatItNames() {
    Operations before = reported("load=RUNNING check=FAILED");
    Operations after = before.with(states("load=SUCCEEDED"));
    assertThat(text(after.reported())).isEqualTo("check=FAILED load=SUCCEEDED");
    assertThat(after.stateOf(LOAD)).isEqualTo(OperationState.SUCCEEDED);
    assertThat(after.stateOf(SEND)).isEqualTo(OperationState.WAITING);
  }

  @Test
  void theStatesAreCounted() {
    assertThat(reported("load=SUCCEEDED").counts())
        .isEqualTo(Map.of(OperationState.SUCCEEDED, 1, OperationState.WAITING, 2));
    assertThat(Operations.NONE.counts()).isEmpty();
  }

  @Test
  void aJobCanHaveNoOperations() {
    assertThat(Operations.NONE.isEmpty()).isTrue();
    assertThat(BEGIN.isEmpty()).isFalse();
  }
}
