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

/** The grammar of templates. Of the variables, only payload.* and properties.* have values here. */
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
        // a string that is exactly one variable takes the type of the value
        "{\"a\": \"${payload.number}\"} | {\"a\":1.50}",
        "{\"a\": \"${payload.object}\"} | {\"a\":{\"z\":[1,2]}}",
        "{\"a\": \"${payload.none}\"}   | {\"a\":null}",
        // elsewhere the text of the value is inserted and escaped
        "{\"a\": \"<${payload.text}>\"} | {\"a\":\"<a\\\"b>\"}",
        "{\"a\": \"${payload.number}${payload.number}\"} | {\"a\":\"1.501.50\"}",
        "{\"a\": \"x${payload.object}\"} | {\"a\":\"x{\\\"z\\\":[1,2]}\"}",
        "{\"a\": \"x${payload.none}y\"} | {\"a\":\"xy\"}",
        // everything else is unchanged, including keys
        "{\"${payload.text}\": 1, \"b\": [true, null, \"c\", {\"d\": \"${payload.number}\"}]} | {\"${payload.text}\":1,\"b\":[true,null,\"c\",{\"d\":1.50}]}",
        "{\"a\": \"$${payload.text}\"} | {\"a\":\"${payload.text}\"}",
        "{\"a\": \"$ {} }\"} | {\"a\":\"$ {} }\"}",
        "[\"${payload.number}\"] | [1.50]"
      })
  void aJsonTemplateIsRenderedStringByString(String template, String expected) {
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
  void aTextTemplateIsRenderedUnchanged(String template, String expected) {
    assertThat(rendered(template)).isEqualTo(expected);
  }

  @Test
  void missingValuesAreNotedAndBecomeNullOrNothing() {
    assertThat(rendered("{\"a\": \"${payload.x}\", \"b\": \"<${payload.y}>\"}"))
        .isEqualTo("{\"a\":null,\"b\":\"<>\"}");
    assertThat(notes).containsExactly("${payload.x} has no value", "${payload.y} has no value");
    assertThat(rendered("\"<${payload.z}>\"")).isEqualTo("<>");
  }

  @Test
  void aStoredTemplateThatIsNowInvalidIsNeverSent() {
    assertThatThrownBy(() -> rendered("{\"a\": \"${nothing}\"}"))
        .isInstanceOf(UnsendableException.class)
        .hasMessageContaining("the variable ${nothing} is unknown");
    assertThatThrownBy(() -> rendered("\"${nothing} and more\""))
        .isInstanceOf(UnsendableException.class);
    assertThatThrownBy(() -> rendered("\"${payload.text\""))
        .isInstanceOf(UnsendableException.class)
        .hasMessageContaining("is not closed");
  }

  // ---- faults

  @Test
  void eachFaultHasThePointerOfItsString() {
    String template =
        """
        {"a": "${x}", "b/c~": ["fine", "${y} ${z}"], "d": {"e": "${jobId"}, "f": 1}
        """;
    assertThat(faults(template, Scope.LAUNCH))
        .extracting(fault -> fault.split(";")[0])
        .satisfiesExactly(
            one -> assertThat(one).startsWith("/a: the variable ${x} is unknown"),
            two -> assertThat(two).startsWith("/b~1c~0/1: the variable ${y} is unknown"),
            three -> assertThat(three).startsWith("/b~1c~0/1: the variable ${z} is unknown"),
            four -> assertThat(four).startsWith("/d/e: the variable ${jobId is not closed"));
    assertThat(faults("{\"${x}\": \"$${x}\"}", Scope.LAUNCH)).isEmpty();
    assertThat(faults("[\"${x}\"]", Scope.LAUNCH)).hasSize(1);
  }

  @Test
  void aTextMustNotContainCharactersThatSqsRefuses() {
    Template text = Template.ofText("a\u0000b");
    assertThat(text.faults(Scope.LAUNCH)).extracting(Fault::pointer).containsExactly("");
    assertThat(text.faults(Scope.LAUNCH).get(0).detail()).contains("which SQS does not accept");
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
  void validNamesInBothScopes(String name) {
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
  void invalidNames(String name) {
    assertThat(VariableName.fault(name, Scope.LAUNCH)).isPresent();
    assertThat(VariableName.fault(name, Scope.TRIGGER)).isPresent();
  }

  @Test
  void customerAndPriorityAreKnownOnlyAtTheLaunch() {
    for (String name : List.of("customer", "priority")) {
      assertThat(VariableName.fault(name, Scope.LAUNCH)).isEmpty();
      assertThat(VariableName.fault(name, Scope.TRIGGER).orElseThrow())
          .contains("the known variables are attempt, endOfPreviousDay")
          .doesNotContain("customer, ")
          .doesNotContain("priority, ")
          .contains("properties.NAME, payload.PATH");
    }
    assertThat(VariableName.fault("x", Scope.LAUNCH).orElseThrow())
        .contains("customer, ")
        .contains("priority, ");
  }

  @Test
  void longNamesAreShortened() {
    assertThat(VariableName.shown("x".repeat(80))).isEqualTo("${" + "x".repeat(80) + "}");
    assertThat(VariableName.shown("x".repeat(81))).isEqualTo("${" + "x".repeat(80) + "…}");
  }

  @ParameterizedTest
  @CsvSource({"payload, payload", "payload.a, payload", "events[0].id, events", "'', ''"})
  void theRootEndsBeforeTheFirstDotOrBracket(String name, String root) {
    assertThat(VariableName.root(name)).isEqualTo(root);
  }

  @Test
  void valuesTogetherCannotExceedAMessage() {
    JsonNode large = json("\"" + "x".repeat(600_000) + "\"");
    Template one = new Template(json("{\"a\": \"${payload.a}\"}"));
    Template two = new Template(json("{\"a\": \"${payload.a}\", \"b\": \"<${payload.a}>\"}"));
    assertThat(one.render(name -> large, notes::add)).hasSize(600_008);
    assertThatThrownBy(() -> two.render(name -> large, notes::add))
        .isInstanceOf(UnsendableException.class)
        .hasMessageContaining("the most that an SQS message can have");
  }
}
