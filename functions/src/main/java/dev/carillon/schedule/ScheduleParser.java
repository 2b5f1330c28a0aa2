package dev.carillon.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.ScheduleId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes schedules of documents, or finds everything that is wrong with them. Open to subclasses
 * that count what is parsed.
 */
public class ScheduleParser {

  private final ZoneId defaultZone;

  /**
   * @param defaultZone of documents that name none
   */
  public ScheduleParser(ZoneId defaultZone) {
    this.defaultZone = defaultZone;
  }

  /** The zone of documents that name none. */
  public ZoneId defaultZone() {
    return defaultZone;
  }

  /**
   * Reads what a user sent.
   *
   * @throws InvalidDocument holding every fault
   */
  public Schedule parse(ScheduleId id, JsonNode document, Instant now) {
    Fault whole = Fields.wholeAnswer(document, "schedule");
    if (whole != null) {
      throw new InvalidDocument(List.of(whole));
    }
    Faults faults = new Faults();
    checkName(id, faults);
    Bounds.checkSize(Json.write(document), "", faults);
    Bounds.checkContent(document, "", faults);
    return read(id, document, now, faults);
  }

  /** Reads what was found valid when it was stored; its times may be past by now. */
  public Schedule parseStored(Definition definition) {
    try {
      return read(definition.id(), definition.document(), null, new Faults());
    } catch (InvalidDocument damaged) {
      throw new IllegalStateException("damaged in the store: " + definition.id(), damaged);
    }
  }

  private Schedule read(ScheduleId id, JsonNode document, @Nullable Instant now, Faults faults) {
    Schedule read = new ScheduleReader(id, document, defaultZone, now, faults).read();
    ObjectNode canonical = canonical(read.document(), faults);
    if (!faults.none()) {
      throw new InvalidDocument(faults.found());
    }
    return read.withDocument(canonical);
  }

  private static void checkName(ScheduleId id, Faults faults) {
    if (!TextForm.NAMESPACE.fits(id.namespace())) {
      String shown = Faults.quoted(id.namespace());
      faults.add("", shown + " is no name of a namespace; " + TextForm.NAMESPACE.remedy());
    }
    if (!TextForm.NAME.fits(id.name())) {
      String shown = Faults.quoted(id.name());
      faults.add("", shown + " is no name of a schedule; " + TextForm.NAME.remedy());
    }
  }

  /** As it will be after it was stored, for a number may be another node then. */
  private static ObjectNode canonical(ObjectNode document, Faults faults) {
    try {
      return (ObjectNode) Json.read(Json.write(document));
    } catch (JsonProcessingException unreadable) {
      faults.add("", "a number here has too many digits; give at most 900 or write a text");
      return document;
    }
  }
}
