package dev.carillon.event;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Reads the notifications of S3. Each record is one event. */
final class S3Notification {

  private static final TextForm NAME = TextForm.line(256);

  /**
   * The form of object keys. S3 allows 1,024 bytes, which can become three times as long because a
   * notification URL-encodes the key.
   */
  private static final TextForm KEY = TextForm.line(3_072);

  private final String defaultId;
  private final Instant now;
  private final String namespace;
  private final Faults faults;

  S3Notification(String defaultId, Instant now, String namespace, Faults faults) {
    this.defaultId = defaultId;
    this.now = now;
    this.namespace = namespace;
    this.faults = faults;
  }

  static boolean is(JsonNode message) {
    return message.path("Records").isArray();
  }

  /** Whether the message is the test message that S3 sends when notifications are configured. */
  static boolean isTest(JsonNode message) {
    return message.path("Event").asText().equals("s3:TestEvent")
        && message.path("Service").asText().equals("Amazon S3");
  }

  List<Event> read(Fields message) {
    JsonNode records = message.get("Records");
    if (records.isEmpty()) {
      message.refuse("Records", "give at least one record");
    }
    List<Event> events = new ArrayList<>();
    for (JsonNode record : records) {
      String pointer = message.at("Records") + "/" + events.size();
      String id = records.size() == 1 ? defaultId : defaultId + "-" + events.size();
      events.add(event(record, pointer, id));
    }
    return List.copyOf(events);
  }

  private Event event(JsonNode record, String pointer, String id) {
    Fields fields = Fields.of(record, pointer, faults);
    if (record.isObject() && !fields.get("eventSource").asText().equals("aws:s3")) {
      fields.refuse("eventSource", "give \"aws:s3\", the only supported source");
    }
    Instant time = EventReader.time(fields, "eventTime", now);
    String type = "aws.s3:" + detailType(fields.text("eventName", TextForm.line(256)));
    return new Event(
        id(fields.requiredObject("s3"), id),
        namespace,
        time,
        type,
        record,
        Map.of("event:" + type, 1L));
  }

  /**
   * The detail-type that EventBridge gives to such an event. If EventBridge has no such event, this
   * is the name that S3 gives.
   */
  private static String detailType(String eventName) {
    if (eventName.startsWith("ObjectCreated:")) {
      return "Object Created";
    }
    return eventName.startsWith("ObjectRemoved:") ? "Object Deleted" : eventName;
  }

  /**
   * The id of the event. The sequencer grows with every change of an object, so it distinguishes
   * changes of one key.
   */
  private static String id(Fields s3, String fallback) {
    String bucket = s3.requiredObject("bucket").text("name", NAME);
    Fields object = s3.requiredObject("object");
    String key = object.text("key", KEY);
    if (!object.has("sequencer")) {
      return fallback;
    }
    String change = bucket + "\n" + key + "\n" + object.text("sequencer", NAME);
    return "s3-" + HexFormat.of().formatHex(EventIdHash.sha256(change), 0, 16);
  }
}
