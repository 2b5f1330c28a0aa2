package dev.carillon.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Json;
import dev.carillon.template.Template.Scope;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of templates. Of variables only payload.* and properties.* have values here. */
class TemplateTest {

  private static final JsonNode VALUES =
      json("{\"text\": \"a\\\"b\", \"number\": 1.50, \"none\": null, \"object\": {\"z\": [1, 2]}}");

  private final List<String> notes = new ArrayList<>();

  private static JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException fault) {
      throw new IllegalArgumentException(fault);
    }
  }

  private static JsonNode value(String name) {
    return name.startsWith("payload.")
        ? VALUES.path(name.substring("payload.".length()))
        : MissingNode.getInstance();
  }

  private String rendered(String template) {
    return new Template(json(template)).render(TemplateTest::value, notes::add);
  }

  private static List<String> faults(String template, Scope scope) {
    return new Template(json(template))
        .faults(scope).stream().map(fault -> fault.pointer() + ": " + fault.detail()).toList();
  }

  // ---- rendering

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        // a string that is one variable takes the value's type
        "{\"a\": \"${payload.number}\"} | {\"a\":1.50}",
        "{\"a\": \"${payload.object}\"} | {\"a\":{\"z\":[1,2]}}",
        "{\"a\": \"${payload.none}\"}   | {\"a\":null}",
        // elsewhere its text is inserted and escaped
        "{\"a\": \"<${payload.text}>\"} | {\"a\":\"<a\\\"b>\"}",
        "{\"a\": \"${payload.number}${payload.number}\"} | {\"a\":\"1.501.50\"}",
        "{\"a\": \"x${payload.object}\"} | {\"a\":\"x{\\\"z\\\":[1,2]}\"}",
        "{\"a\": \"x${payload.none}y\"} | {\"a\":\"xy\"}",
        // everything else stays, keys too
        "{\"${payload.text}\": 1, \"b\": [true, null, \"c\", {\"d\": \"${payload.number}\"}]} | {\"${payload.text}\":1,\"b\":[true,null,\"c\",{\"d\":1.50}]}",
        "{\"a\": \"$${payload.text}\"} | {\"a\":\"${payload.text}\"}",
        "{\"a\": \"$ {} }\"} | {\"a\":\"$ {} }\"}",
        "[\"${payload.number}\"] | [1.50]"
      })
  void aJsonTemplateIsFilledStringByString(String template, String expected) {
    assertThat(rendered(template)).isEqualTo(expected);
    assertThat(notes).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "\"<${payload.text}>\"    | <a\"b>",
        "\"${payload.object}\"    | {\"z\":[1,2]}",
        "\"x${payload.none}y\"    | xy",
        "\"$${payload.text}\"     | ${payload.text}",
        "\"plain\"                | plain"
      })
  void aTextTemplateIsFilledAsItIs(String template, String expected) {
    assertThat(rendered(template)).isEqualTo(expected);
  }

  @Test
  void whatHasNoValueIsNotedAndNullOrNothing() {
    assertThat(rendered("{\"a\": \"${payload.x}\", \"b\": \"<${payload.y}>\"}"))
        .isEqualTo("{\"a\":null,\"b\":\"<>\"}");
    assertThat(notes).containsExactly("${payload.x} has no value", "${payload.y} has no value");
    assertThat(rendered("\"<${payload.z}>\"")).isEqualTo("<>");
  }

  @Test
  void aTemplateThatIsFaultyByNowIsNeverSent() {
    assertThatThrownBy(() -> rendered("{\"a\": \"${nothing}\"}"))
        .isInstanceOf(UnsendableException.class)
        .hasMessageContaining("unknown variable ${nothing}");
    assertThatThrownBy(() -> rendered("\"${nothing} and more\""))
        .isInstanceOf(UnsendableException.class);
    assertThatThrownBy(() -> rendered("\"${payload.text\""))
        .isInstanceOf(UnsendableException.class)
        .hasMessageContaining("is not closed");
  }

  // ---- faults

  @Test
  void eachFaultIsNamedByThePlaceOfItsString() {
    String template =
        """
        {"a": "${x}", "b/c~": ["fine", "${y} ${z}"], "d": {"e": "${jobId"}, "f": 1}
        """;
    assertThat(faults(template, Scope.LAUNCH))
        .extracting(fault -> fault.split(";")[0].replaceAll(" known are.*", ""))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("/a: unknown variable ${x}"),
            two -> assertThat(two).startsWith("/b~1c~0/1: unknown variable ${y}"),
            three -> assertThat(three).startsWith("/b~1c~0/1: unknown variable ${z}"),
            four -> assertThat(four).startsWith("/d/e: the variable ${jobId is not closed"));
    assertThat(faults("{\"${x}\": \"$${x}\"}", Scope.LAUNCH)).isEmpty();
    assertThat(faults("[\"${x}\"]", Scope.LAUNCH)).hasSize(1);
  }

  @Test
  void aTextMayNotContainWhatSqsDoesNotTake() {
    Template text = Template.ofText("a\u0000b");
    assertThat(text.faults(Scope.LAUNCH)).extracting(Fault::pointer).containsExactly("");
    assertThat(text.faults(Scope.LAUNCH).get(0).detail()).contains("which SQS does not take");
    assertThat(Template.ofText("a\tb").faults(Scope.LAUNCH)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jobId",
        "payload",
        "payload.a",
        "payload.a[0].b",
        "payload[0]",
        "properties",
        "properties.a",
        "properties.a[0]",
        "events[0].id",
        "events[0].timestamp",
        "events[12].eventType",
        "events[0].payload",
        "events[0].payload.a[1]"
      })
  void variablesOfBothScopes(String name) {
    assertThat(VariableName.fault(name, Scope.LAUNCH)).isEmpty();
    assertThat(VariableName.fault(name, Scope.TRIGGER)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "jobid",
        "jobId.a",
        "properties[0]",
        "events",
        "events[0]",
        "events.id",
        "events.a.id",
        "events[0][1]",
        "events[0].other",
        "events[0].id.a",
        "payload.",
        "payload[x]"
      })
  void noVariables(String name) {
    assertThat(VariableName.fault(name, Scope.LAUNCH)).isPresent();
    assertThat(VariableName.fault(name, Scope.TRIGGER)).isPresent();
  }

  @Test
  void customerAndPriorityAreKnownAtTheLaunchOnly() {
    for (String name : List.of("customer", "priority")) {
      assertThat(VariableName.fault(name, Scope.LAUNCH)).isEmpty();
      assertThat(VariableName.fault(name, Scope.TRIGGER).orElseThrow())
          .contains("known are attempt, endOfPreviousDay")
          .doesNotContain("customer, ")
          .doesNotContain("priority, ")
          .contains("properties.NAME, payload.PATH");
    }
    assertThat(VariableName.fault("x", Scope.LAUNCH).orElseThrow())
        .contains("customer, ")
        .contains("priority, ");
  }

  @Test
  void longNamesAreCut() {
    assertThat(VariableName.shown("x".repeat(80))).isEqualTo("${" + "x".repeat(80) + "}");
    assertThat(VariableName.shown("x".repeat(81))).isEqualTo("${" + "x".repeat(80) + "…}");
  }

  @ParameterizedTest
  @CsvSource({"payload, payload", "payload.a, payload", "events[0].id, events", "'', ''"})
  void theRootStandsBeforeTheFirstDotOrBracket(String name, String root) {
    assertThat(VariableName.root(name)).isEqualTo(root);
  }

  @Test
  void valuesTogetherAreNoLargerThanAMessage() {
    JsonNode large = json("\"" + "x".repeat(600_000) + "\"");
    Template one = new Template(json("{\"a\": \"${payload.a}\"}"));
    Template two = new Template(json("{\"a\": \"${payload.a}\", \"b\": \"<${payload.a}>\"}"));
    assertThat(one.render(name -> large, notes::add)).hasSize(600_008);
    assertThatThrownBy(() -> two.render(name -> large, notes::add))
        .isInstanceOf(UnsendableException.class)
        .hasMessageContaining("larger than a message");
  }
}
