package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.document.Json;
import dev.carillon.template.MessageText;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class JsonTemplatePropertyTest {

  /** A template over the properties p0 to p2, and its expected rendering. */
  record Sample(List<String> values, Part part) {}

  record Part(JsonNode template, JsonNode expected) {}

  record Fragment(String template, String expected) {}

  @Property(tries = 500)
  void aJsonTemplateWithAnyTextsIsValidJsonThatSqsAccepts(@ForAll("samples") Sample sample)
      throws Exception {
    Launch launch = new Launch();
    launch.template = sample.part().template();
    for (int i = 0; i < sample.values().size(); i++) {
      launch.properties.put("p" + i, sample.values().get(i));
    }

    String body = launch.body();

    assertThat(Json.read(body)).isEqualTo(sample.part().expected());
    assertThat(MessageText.firstForbidden(body)).isEmpty();
  }

  @Provide
  Arbitrary<Sample> samples() {
    Arbitrary<String> anyText = Arbitraries.strings().ofMaxLength(12);
    Arbitrary<String> awkward =
        Arbitraries.of("\"", "\\", "\\\"}", "${jobId}", "$${", "\ud800", "\uffff", "\u0000", "\n");
    return Arbitraries.oneOf(anyText, awkward)
        .list()
        .ofSize(3)
        .flatMap(values -> parts(values, 3).map(part -> new Sample(values, container(part))));
  }

  private static Part container(Part part) {
    return new Part(
        Json.object().set("in", part.template()), Json.object().set("in", part.expected()));
  }

  private static Arbitrary<Part> parts(List<String> values, int depth) {
    Arbitrary<Part> leaves =
        Arbitraries.oneOf(
            texts(values),
            Arbitraries.integers().map(IntNode::valueOf).map(node -> new Part(node, node)),
            Arbitraries.of(true, false)
                .map(BooleanNode::valueOf)
                .map(node -> new Part(node, node)));
    if (depth == 0) {
      return leaves;
    }
    Arbitrary<List<Part>> inner = parts(values, depth - 1).list().ofMaxSize(4);
    return Arbitraries.oneOf(
        leaves,
        inner.map(JsonTemplatePropertyTest::array),
        inner.map(JsonTemplatePropertyTest::object));
  }

  private static Arbitrary<Part> texts(List<String> values) {
    Arbitrary<Fragment> literal =
        Arbitraries.strings()
            .ofMaxLength(6)
            .map(text -> text.replace("$", ""))
            .map(text -> new Fragment(text, text));
    Arbitrary<Fragment> hole =
        Arbitraries.integers()
            .between(0, values.size() - 1)
            .map(i -> new Fragment("${properties.p" + i + "}", values.get(i)));
    Arbitrary<Fragment> escape = Arbitraries.just(new Fragment("$${", "${"));
    return Arbitraries.oneOf(literal, hole, escape)
        .list()
        .ofMaxSize(4)
        .map(JsonTemplatePropertyTest::joined);
  }

  private static Part joined(List<Fragment> fragments) {
    StringBuilder template = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (Fragment fragment : fragments) {
      template.append(fragment.template());
      expected.append(fragment.expected());
    }
    return new Part(TextNode.valueOf(template.toString()), TextNode.valueOf(expected.toString()));
  }

  private static Part array(List<Part> parts) {
    ArrayNode template = Json.object().arrayNode();
    ArrayNode expected = Json.object().arrayNode();
    for (Part part : parts) {
      template.add(part.template());
      expected.add(part.expected());
    }
    return new Part(template, expected);
  }

  private static Part object(List<Part> parts) {
    ObjectNode template = Json.object();
    ObjectNode expected = Json.object();
    for (int i = 0; i < parts.size(); i++) {
      template.set("${k\"" + i, parts.get(i).template());
      expected.set("${k\"" + i, parts.get(i).expected());
    }
    return new Part(template, expected);
  }
}
