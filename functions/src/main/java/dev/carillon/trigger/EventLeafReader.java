package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import dev.carillon.id.ProgramName;
import dev.carillon.trigger.Trigger.AnyEvent;
import dev.carillon.trigger.Trigger.Partition;
import dev.carillon.trigger.Trigger.ProgramStatus;
import dev.carillon.trigger.Trigger.Size;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads the triggers that count events. */
final class EventLeafReader {

  static final List<String> PARTITION = List.of("type", "dataset", "count");
  static final List<String> SIZE = List.of("type", "stream", "bytes");
  static final List<String> EVENT = List.of("type", "key", "count", "filter");
  static final List<String> PROGRAM_STATUS = List.of("type", "program", "statuses", "count");

  private static final TextForm OPAQUE = TextForm.line(256);

  private final String namespace;
  private final boolean isStored;
  private final Faults faults;

  /**
   * @param isStored whether the trigger is a stored one, which was validated earlier
   */
  EventLeafReader(String namespace, boolean isStored, Faults faults) {
    this.namespace = namespace;
    this.isStored = isStored;
    this.faults = faults;
  }

  Partition partition(Fields fields) {
    return new Partition(fields.text("dataset", OPAQUE), count(fields));
  }

  Size size(Fields fields) {
    return new Size(fields.text("stream", OPAQUE), fields.whole("bytes", 1, Trigger.MOST_BYTES));
  }

  AnyEvent event(Fields fields) {
    EventPattern filter =
        isStored
            ? EventPatternReader.stored(fields, "filter")
            : EventPatternReader.read(fields, "filter", faults);
    return new AnyEvent(key(fields), count(fields), filter);
  }

  /**
   * Refuses a whole event key in the form in which {@code explain} shows it, because the trigger
   * would wait for {@code event:event:…}.
   */
  private String key(Fields fields) {
    String key = fields.text("key", OPAQUE);
    if (!isStored && key.startsWith(AnyEvent.PREFIX)) {
      String rest = key.substring(AnyEvent.PREFIX.length());
      fields.refuse(
          "key",
          rest.isEmpty()
              ? "give what follows \"" + AnyEvent.PREFIX + "\""
              : "\"" + AnyEvent.PREFIX + "\" is added automatically; write " + Faults.quoted(rest));
    }
    return key;
  }

  ProgramStatus programStatus(Fields fields) {
    String program = ProgramName.read(fields, "program", namespace);
    return new ProgramStatus(program, statuses(fields), count(fields));
  }

  private static long count(Fields fields) {
    return fields.whole("count", 1, Trigger.MOST_COUNT, 1);
  }

  private Set<String> statuses(Fields fields) {
    JsonNode list = fields.get("statuses");
    String known = String.join(", ", ProgramStatus.STATUSES);
    if (!list.isArray() || list.isEmpty()) {
      fields.refuse("statuses", "give a list of one or more of " + known);
      return Set.of();
    }
    Set<String> statuses = new TreeSet<>();
    for (int index = 0; index < list.size(); index++) {
      JsonNode status = list.get(index);
      String pointer = fields.at("statuses") + "/" + index;
      if (!status.isTextual() || !ProgramStatus.STATUSES.contains(status.textValue())) {
        faults.add(pointer, Faults.shown(status) + " is not a status; use one of " + known);
      } else if (!statuses.add(status.textValue())) {
        faults.add(pointer, Faults.shown(status) + " is repeated; name each status once");
      }
    }
    return Collections.unmodifiableSet(new LinkedHashSet<>(statuses));
  }
}
