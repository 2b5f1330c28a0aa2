package dev.carillon.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InstantRange;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one JSON value that contains one or several events. */
final class EventReader {

  static final TextForm ID = TextForm.line(128);

  /** The form of keys. It has room for the longest source and detail-type of EventBridge. */
  static final TextForm KEY = TextForm.line(400);

  private static final String DEFAULT_NAMESPACE = "default";

  private static final List<String> MEMBERS =
      List.of("id", "namespace", "timestamp", "eventType", "key", "payload");

  private final String defaultId;
  private final Instant now;
  private final Optional<String> forcedNamespace;
  private final boolean isStrict;
  private final Faults faults;

  /**
   * @param isStrict whether an event in Carillon's own form is refused if it has unknown members
   */
  EventReader(
      String defaultId,
      Instant now,
      Optional<String> forcedNamespace,
      boolean isStrict,
      Faults faults) {
    this.defaultId = defaultId;
    this.now = now.truncatedTo(ChronoUnit.MILLIS);
    this.forcedNamespace = forcedNamespace;
    this.isStrict = isStrict;
    this.faults = faults;
  }

  Faults faults() {
    return faults;
  }

  List<Event> read(JsonNode document, String pointer) {
    Fields fields = Fields.of(document, pointer, faults);
    if (!document.isObject()) {
      return List.of();
    }
    if (fields.has("eventType")) {
      return List.of(own(fields));
    }
    if (S3Notification.isTest(document)) {
      return List.of();
    }
    if (S3Notification.is(document)) {
      return new S3Notification(defaultId, now, namespace(), faults).read(fields);
    }
    return List.of(fields.has("detail-type") ? envelope(fields, document) : own(fields));
  }

  private String namespace() {
    return forcedNamespace.orElse(DEFAULT_NAMESPACE);
  }

  private Event own(Fields fields) {
    if (isStrict) {
      fields.allowOnly(MEMBERS);
    }
    String id = fields.has("id") ? fields.text("id", ID) : defaultId;
    String namespace = namespace(fields);
    Instant timestamp = Instant.ofEpochMilli(millis(fields));
    String type = fields.text("eventType", KEY);
    JsonNode payload = fields.has("payload") ? fields.get("payload") : Json.object();
    Map<String, Long> weights = new EventWeights(namespace).of(type, fields);
    return new Event(id, namespace, timestamp, type, payload, weights);
  }

  private long millis(Fields fields) {
    long latest = InstantRange.END_OF_TIME.toEpochMilli() - 1;
    String remedy =
        "give the milliseconds since 1970-01-01T00:00:00Z, a whole number from 0 to " + latest;
    return fields.has("timestamp")
        ? fields.whole("timestamp", 0, latest, remedy)
        : now.toEpochMilli();
  }

  private String namespace(Fields fields) {
    return forcedNamespace.isEmpty() && fields.has("namespace")
        ? fields.text("namespace", TextForm.NAMESPACE)
        : namespace();
  }

  /** An optional instant, truncated to milliseconds. */
  static Instant time(Fields fields, String name, Instant fallback) {
    if (!fields.has(name)) {
      return fallback;
    }
    return fields.parsed(
        name,
        text -> InstantRange.bounded(Instant.parse(text).truncatedTo(ChronoUnit.MILLIS)),
        fallback,
        "give an ISO-8601 instant like \"2030-01-31T08:00:00Z\", " + InstantRange.TEXT);
  }

  /**
   * Reads an EventBridge envelope. The payload is the whole envelope, so that templates can use all
   * of it.
   */
  private Event envelope(Fields fields, JsonNode document) {
    String id = fields.has("id") ? fields.text("id", ID) : defaultId;
    String type =
        fields.text("source", TextForm.line(256))
            + ":"
            + fields.text("detail-type", TextForm.line(128));
    if (fields.get("detail") instanceof MissingNode) {
      fields.refuse("detail", "give the detail of the event, or give an \"eventType\" instead");
    }
    return new Event(
        id, namespace(), time(fields, "time", now), type, document, Map.of("event:" + type, 1L));
  }
}
