package dev.carillon.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.carillon.api.ScheduleSchema;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;

/** Schedule documents for tests. */
final class Documents {

  static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  static final ScheduleId ID = new ScheduleId("sales", "report");

  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
          .getSchema(ScheduleSchema.document());

  private Documents() {}

  static ObjectNode aDocument() {
    return (ObjectNode)
        json(
            """
            {"trigger": {"type": "manual"}, "target": {"queue": "exports", "template": {}}}
            """);
  }

  static ObjectNode aPooledDocument() {
    return (ObjectNode)
        json(
            """
            {"trigger": {"type": "manual"}, "target": {"template": {}}, "pool": "encode"}
            """);
  }

  /** A document with every field. */
  static ObjectNode aFullDocument() {
    return (ObjectNode)
        json(
            """
            {"description": "All of it", "app": "exports", "program": "sales/exporter",
             "tags": {"team": "data"}, "customer": "${properties.customer}",
             "zone": "America/Los_Angeles",
             "trigger": {"type": "or", "triggers": [
               {"type": "cron", "expression": "0 0 3 * * ?", "zone": "Europe/Berlin",
                "dst": {"gap": "skip", "overlap": "both"}, "exclude": []},
               {"type": "cron", "expression": "0 2 * * 1", "dialect": "unix"},
               {"type": "rate", "every": "P1D", "anchor": "2020-01-01T06:30:00+01:00"},
               {"type": "at", "time": "2026-07-01T09:00"},
               {"type": "and", "triggers": [
                 {"type": "partition", "dataset": "ns.purchases", "count": 3},
                 {"type": "size", "stream": "clicks", "bytes": 1000000000000},
                 {"type": "event", "key": "aws.s3:Object Created"},
                 {"type": "programStatus", "program": "sales/etl",
                  "statuses": ["SUCCEEDED", "FAILED"], "count": 2}]}]},
             "constraints": [], "timeout": null, "pool": null,
             "target": {"queue": "exports", "template": {"date": "${yesterdaysDate}", "n": [1, 2.5]},
               "attributes": {"kind": "daily"}, "groupId": "${customer}"},
             "priority": 3, "properties": {"region": "eu", "nested": {"a": [null, 1]}},
             "whilePending": "queue", "catchUp": {"policy": "all"},
             "tracking": {"heartbeatTimeout": "PT30S"},
             "retry": {"maxAttempts": 5, "backoff": "PT10S", "rate": 2.0, "maxBackoff": "PT60M"},
             "afterCompletion": "delete", "state": "ACTIVE"}
            """);
  }

  /** The small document with one part set; creates missing parent objects. */
  static ObjectNode aDocumentWith(String pointer, String value) {
    return with(aDocument(), pointer, value);
  }

  static ObjectNode with(ObjectNode document, String pointer, String value) {
    JsonPointer place = JsonPointer.compile(pointer);
    ObjectNode parent =
        place.head().matches() ? document : document.withObject(place.head().toString());
    parent.set(place.last().getMatchingProperty(), json(value));
    return document;
  }

  static JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  static Schedule parsed(JsonNode document) {
    Schedule valid = new ScheduleParser(ZoneId.of("UTC")).parse(ID, document, NOW);
    assertThat(schemaFaultsOf(document)).as("of a valid document: " + document).isEmpty();
    return valid;
  }

  /** The faults that the published schema finds. */
  static Set<ValidationMessage> schemaFaultsOf(JsonNode document) {
    return SCHEMA.validate(document);
  }

  /** The faults that the parser finds; none if the document is valid. */
  static List<Fault> faultsOf(JsonNode document) {
    try {
      parsed(document);
      return List.of();
    } catch (InvalidDocument invalid) {
      return invalid.faults();
    }
  }
}
