package dev.carillon.imports.cdap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Members;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.QuartzDst;
import dev.carillon.imports.QuartzRanges;
import java.util.Locale;

/** Converts triggers of CDAP. */
final class CdapTrigger {

  private static final long MEGABYTE = 1024L * 1024;
  private static final int DAY_OF_MONTH = 2;
  private static final int DAY_OF_WEEK = 4;

  private final String namespace;
  private final Draft draft;
  private boolean usesClock;

  CdapTrigger(String namespace, Draft draft) {
    this.namespace = namespace;
    this.draft = draft;
  }

  /** Whether any converted trigger depends on the zone. */
  boolean usesClock() {
    return usesClock;
  }

  ObjectNode of(JsonNode json) {
    Members trigger = Members.of(json);
    String type = trigger.required("type");
    ObjectNode converted =
        switch (type) {
          case "TIME" -> time(trigger.required("cronExpression"));
          case "PARTITION" -> partition(trigger);
          case "STREAM_SIZE" -> size(trigger);
          case "PROGRAM_STATUS" -> programStatus(trigger);
          case "AND", "OR" -> composite(type, trigger.get("triggers"));
          default -> throw new NotCarried("the trigger type " + type + " is unknown");
        };
    trigger.noteUnread(draft);
    return converted;
  }

  /**
   * A time trigger. CDAP reads five fields in the way of Quartz, where Sunday is 1, and replaces
   * the unrestricted day field by {@code ?}.
   */
  private ObjectNode time(String cron) {
    usesClock = true;
    String[] fields = cron.strip().split("\\s+");
    String expression = String.join(" ", fields);
    if (fields.length == 5) {
      if (!fields[DAY_OF_MONTH].equals("?") && fields[DAY_OF_WEEK].equals("*")) {
        fields[DAY_OF_WEEK] = "?";
      }
      if (!fields[DAY_OF_WEEK].equals("?") && fields[DAY_OF_MONTH].equals("*")) {
        fields[DAY_OF_MONTH] = "?";
      }
      if (fields[DAY_OF_WEEK].matches(".*[0-9].*")) {
        draft.note("CDAP counts the days of the week from Sunday as 1, and so does the trigger");
      }
      expression = "0 " + String.join(" ", fields);
    }
    ObjectNode trigger = Json.object().put("type", "cron");
    trigger.put("expression", QuartzRanges.inTwo(expression));
    QuartzDst.add(trigger);
    return trigger;
  }

  private static ObjectNode partition(Members trigger) {
    Members dataset = trigger.object("dataset");
    Long count = trigger.whole("numPartitions");
    return Json.object()
        .put("type", "partition")
        .put("dataset", dataset.required("namespace") + "." + dataset.required("dataset"))
        .put("count", count == null ? 1 : count);
  }

  private static ObjectNode size(Members trigger) {
    Members stream = trigger.object("streamId");
    Long megabytes = trigger.whole("triggerMB");
    if (megabytes == null) {
      throw new NotCarried("trigger.triggerMB is missing");
    }
    return Json.object()
        .put("type", "size")
        .put("stream", stream.required("namespace") + "." + stream.required("stream"))
        .put("bytes", Math.multiplyExact(megabytes, MEGABYTE));
  }

  private ObjectNode programStatus(Members trigger) {
    Members program = trigger.object("programId");
    String owner = program.text("namespace");
    if (owner != null && !owner.equals(namespace)) {
      throw new NotCarried(
          "it waits for a program of the namespace " + owner + "; use a trigger of the type event");
    }
    ObjectNode converted = Json.object().put("type", "programStatus");
    converted.put(
        "program",
        CdapDocument.program(program.required("application"), program.required("program")));
    ArrayNode statuses = converted.putArray("statuses");
    trigger.get("programStatuses").forEach(status -> statuses.add(status(status.asText())));
    if (statuses.isEmpty()) {
      throw new NotCarried("trigger.programStatuses is missing");
    }
    return converted;
  }

  private static String status(String status) {
    return switch (status.toUpperCase(Locale.ROOT)) {
      case "COMPLETED" -> "SUCCEEDED";
      case "FAILED" -> "FAILED";
      case "KILLED" -> "CANCELLED";
      default -> throw new NotCarried("the program status " + status + " is not an end status");
    };
  }

  private ObjectNode composite(String type, JsonNode triggers) {
    ObjectNode converted = Json.object().put("type", type.toLowerCase(Locale.ROOT));
    ArrayNode list = converted.putArray("triggers");
    triggers.forEach(each -> list.add(of(each)));
    return converted;
  }
}
