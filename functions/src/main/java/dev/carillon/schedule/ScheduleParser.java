package dev.carillon.schedule;

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

/** Parses schedule documents and finds all their faults. Tests subclass it to count parses. */
public class ScheduleParser {

  private final ZoneId defaultZone;

  /**
   * @param defaultZone the zone of documents that name none
   */
  public ScheduleParser(ZoneId defaultZone) {
    this.defaultZone = defaultZone;
  }

  /** The zone of documents that name none. */
  public ZoneId defaultZone() {
    return defaultZone;
  }

  /**
   * Parses a caller's document.
   *
   * @throws InvalidDocument if the document has faults; the exception has every one
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
    Schedule read = read(id, document, now, faults);
    // An answer has all defaults, and must be accepted again.
    Bounds.checkSize(Json.write(read.document()), "", faults);
    if (!faults.none()) {
      throw new InvalidDocument(faults.found());
    }
    return read;
  }

  /**
   * Parses a stored document. It was valid when it was stored; its times can be in the past now.
   */
  public Schedule parseStored(Definition definition) {
    try {
      return read(definition.id(), definition.document(), null, new Faults());
    } catch (InvalidDocument damaged) {
      throw new IllegalStateException(
          "the stored definition of schedule " + definition.id() + " is not valid", damaged);
    }
  }

  private Schedule read(ScheduleId id, JsonNode document, @Nullable Instant now, Faults faults) {
    Schedule read = new ScheduleReader(id, document, defaultZone, now, faults).read();
    if (!faults.none()) {
      throw new InvalidDocument(faults.found());
    }
    return read.withDocument(canonical(read.document()));
  }

  private static void checkName(ScheduleId id, Faults faults) {
    if (!TextForm.NAMESPACE.fits(id.namespace())) {
      String shown = Faults.quoted(id.namespace());
      faults.add("", shown + " is not a valid namespace; " + TextForm.NAMESPACE.remedy());
    }
    if (!TextForm.NAME.fits(id.name())) {
      String shown = Faults.quoted(id.name());
      faults.add("", shown + " is not a valid schedule name; " + TextForm.NAME.remedy());
    }
  }

  /**
   * The document as a later read from the store returns it. That read can return another kind of
   * JSON node for a number.
   */
  private static ObjectNode canonical(ObjectNode document) {
    return Json.readObject(Json.write(document));
  }
}
