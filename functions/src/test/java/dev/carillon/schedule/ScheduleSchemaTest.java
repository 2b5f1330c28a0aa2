package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.aDocument;
import static dev.carillon.schedule.Documents.aDocumentWith;
import static dev.carillon.schedule.Documents.aFullDocument;
import static dev.carillon.schedule.Documents.aPooledDocument;
import static dev.carillon.schedule.Documents.faultsOf;
import static dev.carillon.schedule.Documents.schemaFaultsOf;
import static dev.carillon.schedule.Documents.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.ScheduleSchema;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The published schema and the parser agree. Every test that reads a document also checks that the
 * schema accepts it.
 */
class ScheduleSchemaTest {

  @Test
  void acceptsTheSmallestAndTheFullestDocumentAndTheirStoredForms() {
    for (ObjectNode document : List.of(aDocument(), aFullDocument())) {
      assertThat(schemaFaultsOf(document)).isEmpty();
      assertThat(schemaFaultsOf(Documents.parsed(document).document())).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /description     | null
          /app             | "exports"
          /program         | "sales/exporter"
          /tags            | {"team": "data", "a.b-c_d": "x y"}
          /customer        | "acme ${schedule}"
          /zone            | "Asia/Kathmandu"
          /priority        | 0
          /priority        | "${properties.p}"
          /properties      | {"a": [1, {"b": null}]}
          /constraints     | []
          /pool            | null
          /timeout         | null
          /timeout         | {"after": "P1D", "action": "launch"}
          /whilePending    | "skip"
          /whilePending    | null
          /catchUp         | {"policy": "all", "window": null}
          /retry           | null
          /tracking        | null
          /tracking        | {}
          /tracking        | {"heartbeatTimeout": "PT30S", "runTimeout": "P1D"}
          /state           | "SUSPENDED"
          /afterCompletion | "delete"
          /target/template | "text ${jobId}"
          /target/template | [1, 2]
          /target/queue    | "arn:aws:sqs:eu-west-1:123456789012:a"
          /target/attributes | {"kind": "a\\tb"}
          /target/groupId  | "${customer}"
          /onEnd           | null
          /onEnd           | {"queue": "q", "template": {"outcome": "${outcome}"}, "attributes": {"kind": "end"}, "groupId": "${jobId}"}
          /trigger         | {"type": "cron", "expression": "0 3 * * ? *", "dialect": "aws", "dst": {"gap": "shift", "overlap": null}}
          /trigger         | {"type": "cron", "expression": "0 3 * * *", "dialect": "unix", "zone": null, "exclude": [], "flexible": null}
          /trigger         | {"type": "rate", "every": "pt1h30m0.5s", "anchor": "2026-01-01T00:00:00Z"}
          /trigger         | {"type": "rate", "every": "P1DT-1H"}
          /trigger         | {"type": "rate", "every": "PT1H", "flexible": "PT1H", "exclude": ["us-holidays", "de"]}
          /trigger         | {"type": "cron", "expression": "0 0 3 * * ?", "flexible": "PT4H", "exclude": null}
          /trigger         | {"type": "elapsed", "since": "lastLaunch", "duration": "PT4H"}
          /trigger         | {"type": "elapsed", "since": {"type": "partition", "dataset": "d"}, "duration": "P1D"}
          /trigger         | {"type": "quiet", "of": {"type": "size", "stream": "s", "bytes": 1}, "period": "PT1M", "atMost": "PT1H"}
          /trigger         | {"type": "quiet", "of": {"type": "programStatus", "program": "p", "statuses": ["FAILED"], "count": 1}, "period": "PT1M"}
          /catchUp         | {"policy": "all", "window": null}
          /trigger         | {"type": "at", "time": "2030-01-01T00:00", "zone": "Europe/Berlin"}
          /trigger         | {"type": "partition", "dataset": "ns.purchases", "count": 1000000000}
          /trigger         | {"type": "size", "stream": "clicks", "bytes": 1000000000000000}
          /trigger         | {"type": "event", "key": "aws.s3:Object Created", "count": null, "filter": {"a": {"b": [{"prefix": "x"}]}, "$or": [{"c": [1]}, {"d": [2]}]}}
          /trigger         | {"type": "programStatus", "program": "etl", "statuses": ["STARTED", "CANCELLED"]}
          /trigger         | {"type": "and", "triggers": [{"type": "or", "triggers": [{"type": "partition", "dataset": "d"}, {"type": "manual"}]}]}
          """)
  void acceptsDocumentsThatTheParserAccepts(String pointer, String value) {
    ObjectNode document = aDocumentWith(pointer, value);
    assertThat(faultsOf(document)).isEmpty();
    assertThat(schemaFaultsOf(document)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /pool       | "encode"
          /pool       | "match"
          /target     | {"queue": null, "template": "t", "attributes": {"kind": "a"}, "groupId": "g"}
          /retry      | {"maxAttempts": 2}
          /operations | [{"id": "1"}]
          /onEnd      | {"queue": "q", "template": "t"}
          """)
  void acceptsDocumentsWithAPoolThatTheParserAccepts(String pointer, String value) {
    ObjectNode document = with(aPooledDocument(), pointer, value);
    assertThat(faultsOf(document)).isEmpty();
    assertThat(schemaFaultsOf(document)).isEmpty();
    assertThat(schemaFaultsOf(Documents.parsed(document).document())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /pool         | null
          /pool         | ""
          /pool         | ["encode"]
          /target/queue | "q"
          /target       | {"queue": null}
          /onEnd        | {"template": "t"}
          """)
  void refusesDocumentsWithAPoolThatTheParserRefuses(String pointer, String value) {
    ObjectNode document = with(aPooledDocument(), pointer, value);
    assertThat(faultsOf(document)).isNotEmpty();
    assertThat(schemaFaultsOf(document)).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /colour          | "red"
          /description     | 5
          /app             | "a b"
          /app             | ".."
          /program         | "a/b/c"
          /program         | "sales/"
          /tags            | []
          /tags            | {"a b": "x"}
          /tags            | {"a": 1}
          /customer        | ""
          /customer        | "a\\u0000b"
          /zone            | 1
          /priority        | 10
          /priority        | -1
          /priority        | 4.5
          /priority        | "high"
          /priority        | true
          /properties      | []
          /constraints     | [{"type": "concurrency", "max": 0}]
          /timeout         | {"after": "P1D"}
          /pool            | "p"
          /pool            | "a b"
          /pool            | {"name": "p"}
          /operations      | []
          /tracking        | {"timeout": "PT1M"}
          /tracking        | {"claimTimeout": "P1M"}
          /onEnd           | {"queue": "q"}
          /onEnd           | {"queue": null, "template": "t"}
          /onEnd           | {"template": "t"}
          /onEnd           | "q"
          /onEnd           | {"queue": "q", "template": "t", "on": "FAILED"}
          /timeout         | {"action": "discard"}
          /timeout         | {"after": "P1M", "action": "discard"}
          /timeout         | {"after": "P1D", "action": "skip"}
          /timeout         | {"after": "P1D", "action": "launch", "then": 1}
          /whilePending    | "wait"
          /catchUp         | {"policy": "most"}
          /catchUp         | {"window": "P1M"}
          /catchUp         | {"windw": "P1D"}
          /retry           | {"maxAttempts": 0}
          /retry           | {"jitter": 1}
          /afterCompletion | "archive"
          /state           | "COMPLETED"
          /target          | null
          /target/queue    | null
          /target/queue    | "q-${customer}"
          /target/template | null
          /target/template | ""
          /target/attributes | {"a": "1", "b": "2", "c": "3", "d": "4", "e": "5"}
          /target/attributes | {"Carillon-x": "1"}
          /target/attributes | {"a": ""}
          /target/groupId  | 7
          /target/colour   | "red"
          /trigger         | null
          /trigger         | {}
          /trigger         | {"type": "sun"}
          /trigger         | {"type": "quiet", "of": {}, "period": "PT1M"}
          /trigger         | {"type": "manual", "count": 1}
          /trigger         | {"type": "cron"}
          /trigger         | {"type": "cron", "expression": ""}
          /trigger         | {"type": "cron", "expression": "0 0 3 * * ?", "dialect": "posix"}
          /trigger         | {"type": "cron", "expression": "0 0 3 * * ?", "dst": {"gap": "both"}}
          /trigger         | {"type": "cron", "expression": "0 0 3 * * ?", "exclude": "us"}
          /trigger         | {"type": "cron", "expression": "0 0 3 * * ?", "exclude": ["u s"]}
          /trigger         | {"type": "cron", "expression": "0 0 3 * * ?", "exclude": ["us", "us"]}
          /trigger         | {"type": "elapsed", "duration": "PT1H"}
          /trigger         | {"type": "elapsed", "since": "lastRun", "duration": "PT1H"}
          /trigger         | {"type": "elapsed", "since": {"type": "manual"}, "duration": "PT1H"}
          /trigger         | {"type": "quiet", "of": {"type": "event", "key": "k"}}
          /trigger         | {"type": "quiet", "of": {"type": "event", "key": "k", "count": 2}, "period": "PT1M"}
          /trigger         | {"type": "quiet", "of": {"type": "size", "stream": "s", "bytes": 2}, "period": "PT1M"}
          /trigger         | {"type": "quiet", "of": {"type": "event", "key": "k"}, "period": "PT1M", "atMost": 5}
          /trigger         | {"type": "rate", "every": "P1M"}
          /trigger         | {"type": "rate", "every": "P1W"}
          /trigger         | {"type": "rate", "every": "PT"}
          /trigger         | {"type": "rate", "every": 60}
          /trigger         | {"type": "rate", "every": "PT1M", "flexible": "P1W"}
          /trigger         | {"type": "at"}
          /trigger         | {"type": "at", "time": 5}
          /trigger         | {"type": "partition", "dataset": "d", "count": 0}
          /trigger         | {"type": "partition", "dataset": "", "count": 1}
          /trigger         | {"type": "size", "stream": "s"}
          /trigger         | {"type": "size", "stream": "s", "bytes": 1.5}
          /trigger         | {"type": "event", "key": "event:k"}
          /trigger         | {"type": "event", "key": "k", "filter": {}}
          /trigger         | {"type": "event", "key": "k", "filter": {"a": 1}}
          /trigger         | {"type": "event", "key": "k", "filter": {"a": []}}
          /trigger         | {"type": "event", "key": "k", "filter": []}
          /trigger         | {"type": "programStatus", "program": "p", "statuses": []}
          /trigger         | {"type": "programStatus", "program": "p", "statuses": ["DONE"]}
          /trigger         | {"type": "programStatus", "program": "p", "statuses": ["FAILED", "FAILED"]}
          /trigger         | {"type": "and", "triggers": []}
          /trigger         | {"type": "or", "triggers": [{"type": "sun"}]}
          """)
  void refusesDocumentsThatTheParserRefuses(String pointer, String value) {
    ObjectNode document = aDocumentWith(pointer, value);
    assertThat(faultsOf(document)).isNotEmpty();
    assertThat(schemaFaultsOf(document)).isNotEmpty();
  }

  /** The rules that need a clock, a calendar, time zones, the schedule's own name or arithmetic. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /program  | "other/etl"
          /zone     | "Mars/Base"
          /customer | "${nonsense}"
          /trigger  | {"type": "cron", "expression": "0 0 3 31 2 ?"}
          /trigger  | {"type": "rate", "every": "PT0.5S"}
          /trigger  | {"type": "at", "time": "2020-01-01T00:00:00Z"}
          /trigger  | {"type": "event", "key": "k", "filter": {"a": [{"prefix": 1}]}}
          /trigger  | {"type": "rate", "every": "PT1M", "flexible": "PT2M"}
          /trigger  | {"type": "quiet", "of": {"type": "event", "key": "k"}, "period": "PT1H", "atMost": "PT1M"}
          /catchUp  | {"policy": "latest"}
          /catchUp  | {"policy": "none", "window": "P1D"}
          /retry    | {"backoff": "PT20S"}
          /tracking | {"claimTimeout": "PT0.5S"}
          /tracking | {"runTimeout": "P15D"}
          """)
  void leavesOtherRulesToTheParser(String pointer, String value) {
    ObjectNode document = aDocumentWith(pointer, value);
    assertThat(faultsOf(document)).isNotEmpty();
    assertThat(schemaFaultsOf(document)).isEmpty();
  }

  @Test
  void knowsEveryFieldThatIsStored() {
    Set<String> known = new TreeSet<>();
    ScheduleSchema.document().path("properties").fieldNames().forEachRemaining(known::add);
    Set<String> stored = new TreeSet<>(List.of("state"));
    Documents.parsed(aFullDocument()).document().fieldNames().forEachRemaining(stored::add);
    assertThat(known).isEqualTo(stored);
  }
}
