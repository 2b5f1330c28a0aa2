package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.template.VariableName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TemplateRenderingTest {

  private static final String PROPERTIES =
      "{\"text\":\"a\\\"b\\\\c\\n\",\"number\":12.50,\"flag\":true,\"nothing\":null,"
          + "\"list\":[1,[2,3]],\"deep\":{\"er\":{\"x y\":\"found\"}},\"a.b\":\"dotted\","
          + "\"mark\":\"${jobId}\"}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "[\"${properties.text}\"]           ~ [\"a\\\"b\\\\c\\n\"]",
        "[\"<${properties.text}>\"]         ~ [\"<a\\\"b\\\\c\\n>\"]",
        "[\"${properties.number}\"]         ~ [12.50]",
        "[\"<${properties.number}>\"]       ~ [\"<12.50>\"]",
        "[\"${properties.flag}\"]           ~ [true]",
        "[\"<${properties.flag}>\"]         ~ [\"<true>\"]",
        "[\"${properties.nothing}\"]        ~ [null]",
        "[\"<${properties.nothing}>\"]      ~ [\"<>\"]",
        "[\"${properties.list}\"]           ~ [[1,[2,3]]]",
        "[\"<${properties.list}>\"]         ~ [\"<[1,[2,3]]>\"]",
        "[\"${properties.list[1][-1]}\"]    ~ [3]",
        "[\"${properties.deep}\"]           ~ [{\"er\":{\"x y\":\"found\"}}]",
        "[\"<${properties.deep}>\"]         ~ [\"<{\\\"er\\\":{\\\"x y\\\":\\\"found\\\"}}>\"]",
        "[\"${properties.deep.er.x y}\"]    ~ [\"found\"]",
        "[\"${properties.a.b}\"]            ~ [\"dotted\"]",
        "[\"${properties.mark}\"]           ~ [\"${jobId}\"]",
        "[\"${priority}${attempt}\"]        ~ [\"51\"]",
        "{\"${jobId}\":\"${priority}\"}     ~ {\"${jobId}\":5}",
        "[\"$${jobId}\"]                    ~ [\"${jobId}\"]",
        "[\"$$${priority}\"]                ~ [\"$${priority}\"]",
        "[\"$5 and } and {${priority}}\"]   ~ [\"$5 and } and {5}\"]",
        "{ \"z\" : 1.0, \"a\" : [ ], \"m\" : 1e3 } ~ {\"z\":1.0,\"a\":[],\"m\":1E+3}",
        "[\"\",null,{},true,-1]             ~ [\"\",null,{},true,-1]",
        "42                                 ~ 42",
      })
  void jsonTemplatesRenderToTheExactBody(String template, String body) {
    assertThat(Launch.ofJson(template).withProperties(PROPERTIES).body()).isEqualTo(body);
  }

  static SortedSet<String> fixedNames() {
    return VariableName.FIXED;
  }

  @ParameterizedTest
  @MethodSource("fixedNames")
  void everyNameHasAVariable(String name) {
    Launch launch = Launch.ofJson("[\"${" + name + "}\"]").withProperties("{\"a\":1}");
    launch.customer = "acme";
    launch.previous = Optional.of(Instant.parse("2018-03-21T00:09:00Z"));
    launch.launchNow = (ObjectNode) Launch.json("{\"payload\":{\"b\":2}}");
    assertThat(launch.body()).isNotEqualTo("[null]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "<${properties.text}>      ~ `<a\"b\\c\n>`",
        "${properties.deep}        ~ {\"er\":{\"x y\":\"found\"}}",
        "${properties.number}      ~ 12.50",
        "x${properties.nothing}y   ~ xy",
        "x${properties.absent}y    ~ xy",
        "$${properties.text}       ~ ${properties.text}",
        "${properties.mark}        ~ ${jobId}",
      })
  void textTemplatesInsertValuesUnchanged(String template, String body) {
    assertThat(Launch.ofText(template).withProperties(PROPERTIES).body()).isEqualTo(body);
  }

  @Test
  void missingValuesAreNullOrNothingAndNotedOnce() {
    Launch launch =
        Launch.ofJson(
            "[\"${payload.x.y}\",\"<${payload.x.y}>\",\"${events[0].id}\",\"${customer}\","
                + "\"${previousScheduledFor}\",\"${properties.list[2]}\",\"${payload}\"]");

    assertThat(launch.withProperties("{\"list\":[1,2]}").body())
        .isEqualTo("[null,\"<>\",null,null,null,null,null]");
    assertThat(launch.notes())
        .containsExactly(
            "${payload.x.y} has no value",
            "${events[0].id} has no value",
            "${customer} has no value",
            "${previousScheduledFor} has no value",
            "${properties.list[2]} has no value",
            "${payload} has no value");
  }

  @Test
  void aValueThatIsNullIsNotMissing() {
    Launch launch = Launch.ofJson("[\"${properties.a}\"]").withProperties("{\"a\":null}");

    assertThat(launch.notes()).isEmpty();
  }

  @Test
  void theJobAndItsScheduleAreVariables() {
    Launch launch =
        Launch.ofText(
            "${namespace} ${schedule} ${program} ${customer} ${priority} ${attempt} ${jobId}");
    launch.customer = "acme";
    launch.priority = 2;

    assertThat(launch.body()).isEqualTo("default report exporter acme 2 1 " + launch.job().id());
  }

  @Test
  void eventsCanBeIndexedFromBothEnds() {
    Launch launch =
        Launch.ofJson(
                "{\"first\":\"${events[0].id}\",\"last\":\"${events[-1].id}\","
                    + "\"at\":\"${events[-1].timestamp}\",\"type\":\"${events[1].eventType}\","
                    + "\"key\":\"${events[-1].payload.partitionKeys[-1]}\","
                    + "\"all\":\"${events[0].payload}\",\"beyond\":\"${events[-3].id}\"}")
            .withEvent("e1", "{\"partitionKeys\":[\"p1\"]}")
            .withEvent("e2", "{\"partitionKeys\":[\"p2\",\"p3\"]}");

    assertThat(launch.body())
        .isEqualTo(
            "{\"first\":\"e1\",\"last\":\"e2\",\"at\":1700000000123,\"type\":\"PARTITION\","
                + "\"key\":\"p3\",\"all\":{\"partitionKeys\":[\"p1\"]},\"beyond\":null}");
  }

  @Test
  void thePayloadAndPropertiesOfALaunchNowOverrideThoseOfTheSchedule() {
    Launch launch =
        Launch.ofJson("[\"${payload}\",\"${payload.files[0]}\",\"${properties}\"]")
            .withProperties("{\"region\":\"eu\",\"size\":1}")
            .launchedWith("{\"payload\":{\"files\":[\"f\"]},\"properties\":{\"size\":2}}");

    assertThat(launch.body())
        .isEqualTo("[{\"files\":[\"f\"]},\"f\",{\"region\":\"eu\",\"size\":2}]");
    assertThat(launch.properties).isEqualTo(Launch.json("{\"region\":\"eu\",\"size\":1}"));
  }

  @Test
  void aPayloadNeedNotBeAnObject() {
    Launch launch = Launch.ofJson("{\"p\":\"${payload}\",\"second\":\"${payload[1]}\"}");

    assertThat(launch.launchedWith("{\"payload\":[1,\"b\"]}").body())
        .isEqualTo("{\"p\":[1,\"b\"],\"second\":\"b\"}");
  }

  @Test
  void theTriggerInformationIsAVariable() {
    Launch launch = Launch.ofJson("{\"why\":\"${trigger}\"}");
    List<String> leaves =
        Launch.json(launch.body()).path("why").path("leaves").findValuesAsText("type");

    assertThat(leaves).containsExactly("at");
  }
}
