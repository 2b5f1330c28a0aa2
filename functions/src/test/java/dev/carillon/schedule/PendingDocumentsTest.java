package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.aDocument;
import static dev.carillon.schedule.Documents.aDocumentWith;
import static dev.carillon.schedule.Documents.faultsOf;
import static dev.carillon.schedule.Documents.json;
import static dev.carillon.schedule.Documents.parsed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.schedule.Timeout.Action;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents with a time-out or a {@code whilePending} policy. */
class PendingDocumentsTest {

  @Test
  void byDefaultJobsWaitForeverAndOthersAreQueued() {
    Schedule schedule = parsed(aDocument());
    assertThat(schedule.timeout()).isNull();
    assertThat(schedule.whilePending()).isEqualTo(WhilePending.QUEUE);
    assertThat(schedule.document().path("timeout").isNull()).isTrue();
    assertThat(schedule.document().path("whilePending").textValue()).isEqualTo("queue");
  }

  @Test
  void timeoutIsWrittenAsDurationsAre() {
    Schedule schedule =
        parsed(aDocumentWith("/timeout", "{\"after\": \"PT1440M\", \"action\": \"launch\"}"));
    assertThat(schedule.timeout()).isEqualTo(new Timeout(Duration.ofDays(1), Action.LAUNCH));
    assertThat(schedule.document().path("timeout"))
        .isEqualTo(json("{\"after\": \"PT24H\", \"action\": \"launch\"}"));
  }

  @ParameterizedTest
  @CsvSource({"queue,QUEUE", "merge,MERGE", "skip,SKIP"})
  void whilePendingIsOneOfThree(String word, WhilePending meaning) {
    Schedule schedule = parsed(aDocumentWith("/whilePending", "\"" + word + "\""));
    assertThat(schedule.whilePending()).isEqualTo(meaning);
    assertThat(schedule.document().path("whilePending").textValue()).isEqualTo(word);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /timeout/after  | {"action": "discard"} | "after" is missing; give an ISO-8601 duration
          /timeout/after  | {"after": "PT0S", "action": "launch"} | "after" is "PT0S"; give an ISO-8601 duration
          /timeout/after  | {"after": "-PT1H", "action": "launch"} | give an ISO-8601 duration
          /timeout/after  | {"after": "P1M", "action": "launch"} | weeks, months and years are not supported
          /timeout/after  | {"after": "P400D", "action": "launch"} | to P366D
          /timeout/after  | {"after": 60, "action": "launch"} | give an ISO-8601 duration
          /timeout/action | {"after": "PT1H"} | "action" is missing; use one of "discard", "launch"
          /timeout/action | {"after": "PT1H", "action": "skip"} | use one of "discard", "launch"
          /timeout/actoin | {"after": "PT1H", "action": "launch", "actoin": 1} | did you mean "action"?
          """)
  void faultOfATimeoutIsRefused(String pointer, String timeout, String detail) {
    assertThat(faultsOf(aDocumentWith("/timeout", timeout)))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "PT1H,discard,PT1H,true",
    "PT1H,discard,PT1H0.001S,false",
    "PT1H,launch,PT2H,true",
  })
  void delayThatOutlastsEveryJobIsRefused(
      String after, String action, String delay, boolean isTaken) {
    ObjectNode document =
        aDocumentWith(
            "/timeout", "{\"after\": \"%s\", \"action\": \"%s\"}".formatted(after, action));
    document.set(
        "constraints", json("[{\"type\": \"delay\", \"duration\": \"%s\"}]".formatted(delay)));
    if (isTaken) {
      assertThat(faultsOf(document)).isEmpty();
    } else {
      assertThat(faultsOf(document)).extracting(Fault::pointer).containsExactly("/timeout/after");
    }
  }
}
