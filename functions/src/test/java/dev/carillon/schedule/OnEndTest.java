package dev.carillon.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The member {@code onEnd} of a schedule document. */
class OnEndTest {

  private static final ScheduleId ID = new ScheduleId("default", "report");
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final ScheduleParser PARSER = new ScheduleParser(ZoneOffset.UTC);

  private static Schedule parsed(String onEnd) {
    ObjectNode document =
        Json.readObject(
            """
            {"trigger": {"type": "manual"}, "target": {"queue": "work", "template": "go"},
             "onEnd": %s}
            """
                .formatted(onEnd));
    return PARSER.parse(ID, document, NOW);
  }

  private static List<Fault> faultsOf(String onEnd) {
    return catchThrowableOfType(InvalidDocument.class, () -> parsed(onEnd)).faults();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${outcome}",
        "${output}",
        "${output.rows[0].id}",
        "${error}",
        "${jobId}",
        "${attempt}",
        "${customer}",
        "${properties.region}",
        "${events[-1].payload.a}",
        "${yesterdaysDate}"
      })
  void itsTemplatesKnowTheVariablesOfALaunchAndHowTheJobEnded(String variable) {
    Schedule schedule =
        parsed(
            """
            {"queue": "ended", "template": {"a": "%1$s"}, "attributes": {"a": "%1$s"},
             "groupId": "%1$s"}
            """
                .formatted(variable));
    assertThat(schedule.onEnd().groupId()).isEqualTo(variable);
  }

  @ParameterizedTest
  @ValueSource(strings = {"${outcome}", "${output}", "${output.a}", "${error}"})
  void aLaunchDoesNotKnowHowTheJobEnds(String variable) throws JsonProcessingException {
    ObjectNode document = Json.object();
    document.set("trigger", Json.read("{\"type\": \"manual\"}"));
    document.putObject("target").put("queue", "work").put("template", variable);
    assertThat(
            catchThrowableOfType(InvalidDocument.class, () -> PARSER.parse(ID, document, NOW))
                .faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo("/target/template");
              assertThat(fault.detail()).contains("is unknown");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /onEnd              | "q"                                              | not an object
          /onEnd/queue        | {"template": "t"}                                | "queue" is missing; give
          /onEnd/queue        | {"queue": "q-${jobId}", "template": "t"}         | a queue cannot contain variables
          /onEnd/template     | {"queue": "q"}                                   | "template" is missing; give the message
          /onEnd/template/a/0 | {"queue": "q", "template": {"a": ["${outcom}"]}} | ${outcom} is unknown
          /onEnd/template     | {"queue": "q", "template": "${outcome.a}"}       | ${outcome.a} is unknown
          /onEnd/groupId      | {"queue": "q", "template": "t", "groupId": "${job}"} | ${job} is unknown
          /onEnd/attributes   | {"queue": "q", "template": "t", "attributes": {"a": "1", "b": "1", "c": "1", "d": "1", "e": "1"}} | give at most 4
          /onEnd/attributes/carillon-outcome | {"queue": "q", "template": "t", "attributes": {"carillon-outcome": "1"}} | reserved for Carillon
          /onEnd/outcomes     | {"queue": "q", "template": "t", "outcomes": []}  | unknown field
          """)
  void isRefused(String pointer, String onEnd, String detail) {
    assertThat(faultsOf(onEnd))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @Test
  void theFaultOfAnUnknownVariableNamesTheKnownOnes() {
    assertThat(faultsOf("{\"queue\": \"q\", \"template\": \"${end}\"}").get(0).detail())
        .contains("outcome, output, error, output.PATH");
  }

  @Test
  void itIsStoredWithItsDefaultsAndReadAgain() {
    Schedule schedule = parsed("{\"queue\": \"ended\", \"template\": \"${outcome}\"}");
    assertThat(schedule.document().path("onEnd"))
        .hasToString(
            "{\"queue\":\"ended\",\"template\":\"${outcome}\",\"attributes\":{},\"groupId\":null}");
    Definition stored = new Definition(ID, 1, schedule.document(), NOW, NOW, "test", NOW);
    assertThat(stored.wantsCallbacks()).isTrue();
    assertThat(PARSER.parseStored(stored).onEnd()).isEqualTo(schedule.onEnd());
  }

  @Test
  void withoutItNothingIsWanted() {
    Schedule schedule = parsed("null");
    assertThat(schedule.onEnd()).isNull();
    assertThat(new Definition(ID, 1, schedule.document(), NOW, NOW, "test", NOW).wantsCallbacks())
        .isFalse();
  }

  @Test
  void anotherOneIsAnotherGeneration() {
    Schedule without = parsed("null");
    Schedule with = parsed("{\"queue\": \"ended\", \"template\": \"${outcome}\"}");
    assertThat(with.isSameGenerationAs(without)).isFalse();
  }
}
