package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.aDocument;
import static dev.carillon.schedule.Documents.aDocumentWith;
import static dev.carillon.schedule.Documents.faultsOf;
import static dev.carillon.schedule.Documents.json;
import static dev.carillon.schedule.Documents.parsed;
import static dev.carillon.schedule.Documents.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One fault in each document, with its pointer and its detail. */
class RefusedDocumentsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /triger                | 1              | "triger" is an unknown field; did you mean "trigger"?
          /wholly~1else~0        | 1              | "wholly/else~" is an unknown field; the known fields are "description"
          /description           | 5              | "description" is 5; give a text of at most 1000
          /app                   | "a b"          | "app" is "a b"; give 1 to 64 letters
          /app                   | ""             | "app" is ""; give
          /program               | "a/b/c"        | another namespace
          /program               | "other/etl"    | "program" is "other/etl"; a program of another namespace
          /program               | "sales/"       | "program" is "sales/"; after the "/" give 1 to 64
          /program               | 7              | "program" is 7; give
          /tags                  | []             | a list is not an object
          /customer              | ""             | "customer" is ""; give 1 to 256
          /customer              | "${custom}"    | the variable ${custom} is unknown
          /customer              | "${customer}"  | the variable ${customer} is unknown
          /customer              | "${priority"   | not closed
          /customer              | 5              | "customer" is 5; give
          /zone                  | "Europe/Berlim" | the time zone is unknown; did you mean "Europe/Berlin"?
          /zone                  | "PST"          | the time zone is unknown; give a name like "America/New_York" instead of an abbreviation
          /zone                  | "utC"          | did you mean "UTC"?
          /zone                  | "Nowhere/At/All" | give one like "Europe/Berlin"
          /zone                  | ""             | "zone" is ""
          /zone                  | 1              | "zone" is 1
          /priority              | -1             | "priority" is -1; give a whole number from 0 to 9
          /priority              | 10             | "priority" is 10; give a whole number from 0 to 9
          /priority              | 4.5            | "priority" is 4.5; give
          /priority              | true           | "priority" is true; give
          /priority              | "high"         | "priority" is "high"; give a number from 0 to 9, or
          /priority              | "${priority}"  | the variable ${priority} is unknown
          /properties            | "a"            | "a" is not an object
          /afterCompletion       | "remove"       | "afterCompletion" is "remove"; use one of "keep", "delete"
          /afterCompletion       | "delet"        | did you mean "delete"?
          /state                 | "COMPLETED"    | "state" is "COMPLETED"; use one of "SUSPENDED", "ACTIVE"
          /state                 | "active"       | did you mean "ACTIVE"?
          /target                | null           | "target" is missing; give an object
          /target                | []             | a list is not an object
          /target/queue          | null           | "queue" is missing; give
          /target/queue          | ""             | "queue" is ""; give
          /target/queue          | "q-${jobId}"   | "queue" is "q-${jobId}"; a queue cannot contain variables
          /target/queue          | {}             | "queue" is an object; give
          /target/template       | null           | "template" is missing; give the message
          /target/template       | ""             | "template" is ""; SQS accepts no empty message
          /target/template       | "${todayDate}" | the variable ${todayDate} is unknown
          /target/template       | "${jobId"      | not closed
          /target/tempalte       | {}             | did you mean "template"?
          /target/groupId        | "${group}"     | the variable ${group} is unknown
          /target/groupId        | ""             | "groupId" is ""; give
          /target/attributes     | "a"            | "a" is not an object
          /target/attributes/a   | 1              | "a" is 1; give 1 to 1024 characters
          /target/attributes/a   | ""             | "a" is ""; give 1 to 1024 characters
          /target/attributes/a   | null           | "a" is missing; give
          /target/attributes/a   | "${jobid}"     | the variable ${jobid} is unknown
          /target/attributes/a b | "x"            | "a b": SQS does not accept this attribute name
          /target/attributes/AWS.Trace | "x"      | not beginning with AWS.
          /target/attributes/carillon-x | "x"     | reserved for Carillon
          /target/attributes/Carillon-x | "x"     | reserved for Carillon
          /constraints           | {}             | "constraints" is an object; give a list of at most 10
          /timeout               | "P1D"          | "P1D" is not an object
          /operations            | [{"id": "a"}]  | without "tracking" no worker can report them
          /tracking              | []             | not an object
          /tracking/claimTimeout | "PT0.9S"       | from PT1S to P14D
          /tracking/runTimeout   | "P1M"          | months
          /tracking/runTimeouts  | "PT1H"         | did you mean "runTimeout"?
          /whilePending          | "wait"         | "whilePending" is "wait"; use one of "queue", "merge", "skip"
          /catchUp               | "all"          | "all" is not an object
          /catchUp/policy        | "most"         | "policy" is "most"; use one of "all", "latest", "none"
          /catchUp/windw         | "P1D"          | did you mean "window"?
          /retry                 | {}             | add "tracking": {} or remove it
          /retry                 | {"maxAttempts": 3} | without "tracking" no worker can report a failure
          """)
  void isRefused(String pointer, String value, String detail) {
    ObjectNode document = aDocumentWith(pointer, value);
    assertThat(faultsOf(document))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "\"text\"", "5", "null", "true"})
  void onlyAnObjectIsAccepted(String document) {
    assertThat(faultsOf(json(document)))
        .singleElement()
        .satisfies(fault -> assertThat(fault.detail()).contains("is not an object"));
  }

  @Test
  void aTriggerIsRequired() {
    ObjectNode document = aDocument();
    document.remove("trigger");
    assertThat(faultsOf(document)).extracting(Fault::pointer).containsExactly("/trigger");
  }

  @ParameterizedTest
  @CsvSource({
    "/description,1000",
    "/app,64",
    "/program,64",
    "/customer,256",
    "/target/queue,512",
    "/target/groupId,256",
    "/target/attributes/a,1024",
    "/tags/a,256"
  })
  void aTextHasAMaximumLength(String pointer, int longest) {
    String text = "a".repeat(longest);
    assertThat(faultsOf(aDocumentWith(pointer, '"' + text + '"'))).isEmpty();
    assertThat(faultsOf(aDocumentWith(pointer, '"' + text + "a\"")))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.detail()).contains(Integer.toString(longest)).hasSizeLessThan(250);
            });
  }

  @Test
  void tagsAndAttributesAreCounted() {
    assertThat(faultsOf(aDocumentWith("/tags", manyMembers(50)))).isEmpty();
    assertThat(faultsOf(aDocumentWith("/tags", manyMembers(51))))
        .containsExactly(new Fault("/tags", "there are 51 tags; give at most 50"));
    assertThat(faultsOf(aDocumentWith("/target/attributes", manyMembers(4)))).isEmpty();
    assertThat(faultsOf(aDocumentWith("/target/attributes", manyMembers(5))))
        .containsExactly(new Fault("/target/attributes", "there are 5 attributes; give at most 4"));
  }

  private static String manyMembers(int count) {
    return IntStream.range(0, count)
        .mapToObj(index -> "\"m%d\": \"v\"".formatted(index))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** With all defaults, so that the answer is accepted as a document. */
  @Test
  void aDocumentHasAtMost64Kilobytes() {
    int without = parsed(aDocumentWith("/properties/a", "\"\"")).document().toString().length();
    String text = "x".repeat(64 * 1024 - without);
    assertThat(faultsOf(aDocumentWith("/properties/a", '"' + text + '"'))).isEmpty();
    assertThat(faultsOf(aDocumentWith("/properties/a", '"' + text + "x\"")))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEmpty();
              assertThat(fault.detail()).contains("65537 bytes").contains("65536");
            });
  }

  @Test
  void sizeIsCountedInBytes() {
    String text = "ä".repeat(33_000);
    assertThat(faultsOf(aDocumentWith("/properties/a", '"' + text + '"'))).hasSize(1);
  }

  @Test
  void aDocumentNestsAtMost32Deep() {
    String deepest = "[".repeat(30) + "]".repeat(30);
    assertThat(faultsOf(aDocumentWith("/properties/a", deepest))).isEmpty();
    assertThat(faultsOf(aDocumentWith("/properties/a", '[' + deepest + ']')))
        .containsExactly(
            new Fault(
                "/properties/a" + "/0".repeat(30),
                "objects and lists are nested more than 32 deep; flatten them"));
  }

  @Test
  void halfASurrogatePairIsRefused() {
    assertThat(faultsOf(aDocumentWith("/properties/a", "\"\\ud83d\"")))
        .extracting(Fault::pointer)
        .containsExactly("/properties/a");
    assertThat(faultsOf(aDocumentWith("/properties/a", "\"\\ud83d\\ude00\""))).isEmpty();
  }

  @Test
  void aNumberThatCannotBeReadBackIsRefused() {
    String number = "1".repeat(996) + "e-1001";
    assertThat(faultsOf(aDocumentWith("/properties/a", number)))
        .containsExactly(
            new Fault("/properties/a", "the number has 996 digits; give at most 900, or a text"));
    String template = "{\"a\": [%s]}";
    assertThat(faultsOf(aDocumentWith("/target/template", template.formatted(number))))
        .extracting(Fault::pointer)
        .containsExactly("/target/template/a/0");
    assertThat(faultsOf(aDocumentWith("/properties/a", "1".repeat(901)))).hasSize(1);
    for (String most : List.of("1".repeat(900), "1".repeat(900) + "e-1001")) {
      assertThat(parsed(aDocumentWith("/properties/a", most)).document().at("/properties/a"))
          .isEqualTo(json(most));
    }
  }

  @Test
  void hugeExponentsAreHarmless() {
    assertThat(parsed(aDocumentWith("/properties/a", "1e999999999")).document().at("/properties/a"))
        .isEqualTo(json("1e999999999"));
    assertThat(faultsOf(aDocumentWith("/retry/rate", "1e999999999"))).hasSize(1);
    assertThat(faultsOf(aDocumentWith("/priority", "1e999999999"))).hasSize(1);
  }

  @Test
  void faultsArePointedToInsideOfTemplates() {
    ObjectNode document =
        with(aDocument(), "/target/template", "{\"a/b\": [{\"c\": \"${what}\"}, \"${jobId}\"]}");
    assertThat(faultsOf(document))
        .extracting(Fault::pointer)
        .containsExactly("/target/template/a~1b/0/c");
  }

  @Test
  void theNumberOfFaultsIsLimited() {
    String nonsense =
        IntStream.range(0, 5_000)
            .mapToObj(index -> "\"f%d\": 1".formatted(index))
            .collect(Collectors.joining(",", "{", "}"));
    assertThat(faultsOf(json(nonsense))).hasSize(Faults.MOST);
  }
}
