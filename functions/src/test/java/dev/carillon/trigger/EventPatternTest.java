package dev.carillon.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventPatternTest {

  private final Faults faults = new Faults();

  private EventPattern pattern(String text) {
    ObjectNode document = Json.object().set("filter", json(text));
    return EventPatternReader.read(Fields.of(document, "", faults), "filter", faults);
  }

  private static JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  /** The rules that EventBridge documents for its patterns. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"state": ["open", "new"]}                         | {"state": "new", "more": 1}       | true
          {"state": ["open"]}                                | {"state": "closed"}               | false
          {"a": {"b": [1]}}                                  | {"a": {"b": 1.0}}                 | true
          {"a": ["x"], "b": ["y"]}                           | {"a": "x"}                        | false
          {"tags": ["red"]}                                  | {"tags": ["blue", "red"]}         | true
          {"key": [{"prefix": "in/"}]}                       | {"key": "in/a.csv"}               | true
          {"key": [{"suffix": ".csv"}]}                      | {"key": "in/a.csv"}               | true
          {"key": [{"wildcard": "in/*/a.*"}]}                | {"key": "in/x/a.csv"}             | true
          {"key": [{"wildcard": "in/*/a.*"}]}                | {"key": "out/x/a.csv"}            | false
          {"key": [{"equals-ignore-case": "A"}]}             | {"key": "a"}                      | true
          {"key": [{"anything-but": ["a", "b"]}]}            | {"key": "a"}                      | false
          {"key": [{"anything-but": {"prefix": "tmp/"}}]}    | {"key": "in/a"}                   | true
          {"size": [{"numeric": [">", 0, "<=", 5]}]}         | {"size": 5}                       | true
          {"size": [{"numeric": [">", 0, "<=", 5]}]}         | {"size": 5.01}                    | false
          {"ip": [{"cidr": "10.0.0.0/24"}]}                  | {"ip": "10.0.0.255"}              | true
          {"a": [{"exists": false}]}                         | {"b": 1}                          | true
          {"a": [{"exists": true}]}                          | {"b": 1}                          | false
          {"a": [null]}                                      | {"a": null}                       | true
          {"$or": [{"a": [1]}, {"b": [2]}]}                  | {"a": 7, "b": 2}                  | true
          {"$or": [{"a": [1]}, {"b": [2]}]}                  | {"a": 7, "b": 7}                  | false
          {"s3": {"object": {"key": [{"prefix": "in/"}]}}}   | {"s3": {"object": {"key": "in/x"}}} | true
          {"a": [{"exists": false}]}                         | "a text"                          | false
          {"a": [{"exists": false}]}                         | [{"b": 1}]                        | false
          {"a": [{"exists": false}]}                         | null                              | false
          {"a": [{"numeric": [">", 1]}]}                     | {"a": 1e999999999}                | false
          """)
  void matchesAsEventBridge(String pattern, String payload, boolean matches) {
    assertThat(pattern(pattern).matches(json(payload))).isEqualTo(matches);
    assertThat(faults.found()).isEmpty();
  }

  @Test
  void patternWithTooManyCharactersIsRefused() {
    String values =
        IntStream.range(0, 300)
            .mapToObj(n -> "\"%04d\"".formatted(n))
            .collect(Collectors.joining(","));
    pattern("{\"a\": [" + values + "]}");
    assertThat(faults.found())
        .containsExactly(
            new Fault("/filter", "the pattern has 2107 characters; give at most 2048"));
  }

  @Test
  void alternativesAreBoundedByTheirCombinations() {
    assertThat(pattern(alternatives(4))).isNotNull();
    pattern(alternatives(5));
    assertThat(faults.found())
        .containsExactly(
            new Fault(
                "/filter", "the alternatives of \"$or\" have 243 combinations; give at most 100"));
  }

  private static String alternatives(int fields) {
    return IntStream.range(0, fields)
        .mapToObj(
            n -> "\"f%d\": {\"$or\": [{\"a\": [1]}, {\"b\": [1]}, {\"c\": [1]}]}".formatted(n))
        .collect(Collectors.joining(",", "{", "}"));
  }

  @Test
  void theCostOfAPatternIsBounded() {
    assertThat(pattern("{\"ip\": [" + ranges(20) + "]}")).isNotNull();
    pattern("{\"ip\": [" + ranges(21) + "]}");
    assertThat(faults.found())
        .containsExactly(
            new Fault(
                "/filter",
                "the pattern costs 1050; give at most 1000: \"cidr\" and \"numeric\" cost 50,"
                    + " \"equals-ignore-case\" 10, other values 1, in each combination of \"$or\" with them"));
  }

  private static String ranges(int count) {
    return IntStream.range(0, count)
        .mapToObj("{\"cidr\": \"10.%d.0.0/17\"}"::formatted)
        .collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"n": [COUNT x {"numeric": [">", INDEX]}]}                                      | 20
          {"a": [{"anything-but": {"equals-ignore-case": [COUNT x "INDEX"]}}]}            | 100
          {"$or": [COUNT x {"aINDEX": [1]}], "b": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]} | 50
          """)
  void eachKindOfValueHasItsCost(String form, int most) {
    assertThat(pattern(repeated(form, most))).isNotNull();
    pattern(repeated(form, most + 1));
    assertThat(faults.found()).hasSize(1);
    assertThat(faults.found().get(0).detail()).startsWith("the pattern costs ");
  }

  private static String repeated(String form, int count) {
    int begin = form.indexOf("COUNT x ");
    int end = form.indexOf(']', begin);
    while (form.substring(begin, end).chars().filter(c -> c == '[').count()
        > form.substring(begin, end).chars().filter(c -> c == ']').count()) {
      end = form.indexOf(']', end + 1);
    }
    String one = form.substring(begin + "COUNT x ".length(), end);
    String all =
        IntStream.range(0, count)
            .mapToObj(index -> one.replace("INDEX", Integer.toString(index)))
            .collect(Collectors.joining(","));
    return form.substring(0, begin) + all + form.substring(end);
  }

  /** Of the functions, only ingest matches: the others read a stored pattern as it is. */
  @Test
  void aStoredPatternIsNotCompiledBeforeItMatches() {
    ObjectNode document = Json.object().set("filter", json("{\"a\": \"no list\"}"));
    EventPattern stored = EventPatternReader.stored(Fields.of(document, "", faults), "filter");
    assertThat(faults.found()).isEmpty();
    assertThatThrownBy(() -> stored.matches(json("{\"a\": \"no list\"}")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStoredPatternThatIsNoObjectIsAFault() {
    ObjectNode document = Json.object().set("filter", json("[]"));
    EventPatternReader.stored(Fields.of(document, "", faults), "filter");
    assertThat(faults.found()).extracting(Fault::pointer).containsExactly("/filter");
  }

  @Test
  void everyFaultIsFoundWithItsPlace() {
    pattern("{\"a\": 1, \"b\": {\"c\": [{\"prefix\": 1}]}, \"d\": [1]}");
    assertThat(faults.found())
        .extracting(Fault::pointer)
        .containsExactly("/filter/a", "/filter/b/c");
  }

  @Test
  void patternsOfOneDocumentAreEqual() {
    assertThat(pattern("{\"a\": [1]}"))
        .isEqualTo(pattern("{\"a\": [1]}"))
        .hasSameHashCodeAs(pattern("{\"a\": [1]}"))
        .isNotEqualTo(pattern("{\"a\": [2]}"))
        .hasToString("{\"a\":[1]}");
  }
}
