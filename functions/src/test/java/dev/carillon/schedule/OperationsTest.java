package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.aDocumentWith;
import static dev.carillon.schedule.Documents.faultsOf;
import static dev.carillon.schedule.Documents.parsed;
import static dev.carillon.schedule.Documents.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Json;
import dev.carillon.run.Operation;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operations in schedule documents. */
class OperationsTest {

  private static ObjectNode tracked(String operations) {
    return with(aDocumentWith("/tracking", "{}"), "/operations", operations);
  }

  @Test
  void areReadWithTheirDefaults() {
    Schedule schedule =
        parsed(
            tracked(
                "[{\"id\": \"b\", \"after\": [\"a\", \"a\"]}, {\"id\": \"a\", \"type\": \"copy\"}]"));
    assertThat(schedule.runs().operations())
        .containsExactly(
            new Operation("b", null, List.of("a")), new Operation("a", "copy", List.of()));
    assertThat(schedule.document().path("operations"))
        .hasToString(
            "[{\"id\":\"b\",\"type\":null,\"after\":[\"a\"]},{\"id\":\"a\",\"type\":\"copy\",\"after\":[]}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                        | /operations         | give a list
          []                                        | /operations         | give 1 to 50 operations
          [5]                                       | /operations/0       | is not an object
          [{"type": "copy"}]                        | /operations/0/id    | "id" is missing
          [{"id": "a b"}]                           | /operations/0/id    | give 1 to 64 letters
          [{"id": "a", "typ": "copy"}]              | /operations/0/typ   | did you mean "type"?
          [{"id": "a", "type": ""}]                 | /operations/0/type  | give 1 to 64 characters
          [{"id": "a"}, {"id": "a"}]                | /operations/1/id    | another operation has this id
          [{"id": "a", "after": "b"}]               | /operations/0/after | give a list of ids
          [{"id": "a", "after": [1]}]               | /operations/0/after | give a list of ids
          [{"id": "a", "after": ["b"]}]             | /operations/0/after | there is no operation "b"
          [{"id": "a", "after": ["a"]}]             | /operations         | the operations a wait for each other
          [{"id": "a"}, {"id": "b", "after": ["a", "d"]}, {"id": "c", "after": ["b"]}, {"id": "d", "after": ["c"]}] | /operations | the operations b, c, d wait for each other and can never begin
          """)
  void areRefused(String operations, String pointer, String detail) {
    assertThat(faultsOf(tracked(operations)))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @Test
  void everyFaultIsFound() {
    String operations =
        "[{\"id\": \"\"}, {\"id\": \"a\", \"type\": 5}, {\"id\": \"a\", \"after\": [\"x\"]}]";
    assertThat(faultsOf(tracked(operations)))
        .extracting(Fault::pointer)
        .containsExactlyInAnyOrder(
            "/operations/0/id", "/operations/1/type", "/operations/2/id", "/operations/2/after");
  }

  /** Stored operations are read in the same way. */
  @Test
  void theirSizeIsThatWithDefaults() {
    ArrayNode operations = Json.object().putArray("operations");
    for (int number = 10; number < 60; number++) {
      ObjectNode operation = operations.addObject().put("id", longId(number));
      ArrayNode after = operation.putArray("after").add(longId(59 - number % 2));
      if (number < 16) {
        after.add(longId(57));
      }
      if (number >= 57) {
        operation.remove("after");
      }
    }
    assertThat(operations.toString().length()).isLessThan(8 * 1024);
    assertThat(faultsOf(tracked(operations.toString())))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo("/operations");
              assertThat(fault.detail()).contains("with their defaults; give at most 8192");
            });
    operations.remove(0);
    operations.remove(0);
    operations.remove(0);
    Schedule schedule = parsed(tracked(operations.toString()));
    assertThat(parsed(schedule.document()).runs()).isEqualTo(schedule.runs());
  }

  private static String longId(int number) {
    return "o".repeat(62) + number;
  }

  @Test
  void areBounded() {
    assertThat(faultsOf(tracked(some(51, "o"))))
        .extracting(Fault::pointer)
        .containsExactly("/operations");
    assertThat(faultsOf(tracked(some(50, "o")))).isEmpty();
    assertThat(faultsOf(tracked(some(50, "x".repeat(60))))).isEmpty();
    String large =
        some(50, "x".repeat(60)).replace("\"}", "\", \"type\": \"" + "é".repeat(64) + "\"}");
    assertThat(faultsOf(tracked(large)))
        .singleElement()
        .satisfies(fault -> assertThat(fault.detail()).contains("give at most 8192"));
  }

  private static String some(int count, String prefix) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{\"id\": \"%s%d\"}".formatted(prefix, i))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
