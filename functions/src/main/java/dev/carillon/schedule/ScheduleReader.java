package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.ConstraintReader;
import dev.carillon.constraint.ConstraintWriter;
import dev.carillon.constraint.Constraints;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.ProgramName;
import dev.carillon.id.ScheduleId;
import dev.carillon.template.Template.Scope;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.TriggerReader;
import dev.carillon.trigger.TriggerWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one schedule document; the result is valid only if no fault was noted. */
final class ScheduleReader {

  private static final List<String> FIELDS =
      List.of(
          "description",
          "app",
          "program",
          "tags",
          "customer",
          "zone",
          "trigger",
          "constraints",
          "timeout",
          "target",
          "pool",
          "priority",
          "properties",
          "operations",
          "whilePending",
          "catchUp",
          "tracking",
          "retry",
          "onEnd",
          "afterCompletion",
          "state");

  private static final TextForm DESCRIPTION =
      new TextForm(1_000, Pattern.compile("(?s).*"), "give a text of at most 1000 characters");
  private static final TextForm TAG_VALUE = TextForm.line(256);
  private static final TextForm CUSTOMER = TextForm.line(256);
  private static final TextForm PRIORITY = TextForm.line(256);
  private static final int MOST_TAGS = 50;
  private static final int DEFAULT_PRIORITY = 5;

  private final ScheduleId id;
  private final ZoneId defaultZone;
  private final @Nullable Instant now;
  private final Faults faults;
  private final Fields fields;

  ScheduleReader(
      ScheduleId id, JsonNode document, ZoneId defaultZone, @Nullable Instant now, Faults faults) {
    this.id = id;
    this.defaultZone = defaultZone;
    this.now = now;
    this.faults = faults;
    this.fields = Fields.of(document, "", faults);
  }

  Schedule read() {
    fields.allowOnly(FIELDS);
    ZoneId given = fields.optionalZone("zone");
    ZoneId zone = given == null ? defaultZone : given;
    String program = fields.has("program") ? program() : id.name();
    Trigger trigger = trigger(zone);
    Constraints constraints = new ConstraintReader(zone, now, faults).read(fields, "constraints");
    boolean delete = choice("afterCompletion", "keep", "delete").equals("delete");
    Schedule schedule =
        new Schedule(
            id,
            program,
            fields.optionalText("app", TextForm.NAME),
            tags(),
            Templates.optionalText(fields, "customer", CUSTOMER, Scope.TRIGGER),
            zone,
            trigger,
            constraints,
            TargetReader.ofLaunches(fields, faults),
            fields.optionalText("pool", TextForm.NAME),
            TargetReader.ofCallbacks(fields, faults),
            priority(),
            properties(),
            CatchUpReader.read(fields, trigger),
            PendingReader.timeout(fields, constraints),
            PendingReader.whilePending(fields),
            RunReader.read(fields, faults),
            delete,
            state(),
            Json.object());
    return schedule.withDocument(document(schedule));
  }

  private String program() {
    return ProgramName.read(fields, "program", id.namespace());
  }

  private String choice(String name, String usual, String other) {
    return fields.choice(name, List.of(usual, other), usual);
  }

  private @Nullable ScheduleState state() {
    return fields.has("state")
        ? ScheduleState.valueOf(choice("state", "SUSPENDED", "ACTIVE"))
        : null;
  }

  private Map<String, String> tags() {
    Fields tags = fields.object("tags");
    List<String> names = tags.names();
    if (names.size() > MOST_TAGS) {
      faults.add(
          fields.at("tags"), "there are " + names.size() + " tags; give at most " + MOST_TAGS);
    }
    Map<String, String> read = new LinkedHashMap<>();
    for (String name : names) {
      if (!TextForm.NAME.fits(name)) {
        String remedy = TextForm.NAME.remedy();
        faults.add(tags.at(name), Faults.quoted(name) + " is not a valid tag name; " + remedy);
      }
      read.put(name, tags.text(name, TAG_VALUE));
    }
    return Collections.unmodifiableMap(read);
  }

  private Trigger trigger(ZoneId zone) {
    if (!fields.has("trigger")) {
      fields.refuse("trigger", "give the condition of a launch, like {\"type\": \"manual\"}");
      return new Trigger.Manual();
    }
    ZoneId known = fields.isRefused("zone") ? null : zone;
    TriggerReader reader = new TriggerReader(id, known, now, faults);
    return reader.read(fields.get("trigger"), fields.at("trigger"));
  }

  private JsonNode priority() {
    JsonNode given = fields.get("priority");
    if (given.isTextual()) {
      if (!given.textValue().contains("${")) {
        fields.refuse("priority", "give a number from 0 to 9, or a text with a variable");
        return given;
      }
      Templates.text(fields, "priority", PRIORITY, Scope.TRIGGER);
      return given;
    }
    return IntNode.valueOf((int) fields.whole("priority", 0, 9, DEFAULT_PRIORITY));
  }

  private ObjectNode properties() {
    Fields given = fields.object(LinkId.PROPERTIES);
    if (now != null) {
      LinkId.check(given);
    }
    return fields.get(LinkId.PROPERTIES) instanceof ObjectNode own ? own : Json.object();
  }

  private ObjectNode document(Schedule schedule) {
    ObjectNode document = Json.object();
    String description = fields.optionalText("description", DESCRIPTION);
    document.put("description", description == null ? "" : description);
    document.put("app", schedule.app()).put("program", schedule.program());
    ObjectNode tags = document.putObject("tags");
    new TreeMap<>(schedule.tags()).forEach(tags::put);
    document.put("customer", schedule.customer()).put("zone", schedule.zone().getId());
    document.set("trigger", TriggerWriter.write(schedule.trigger()));
    document.set("constraints", ConstraintWriter.write(schedule.constraints()));
    document.set("target", TargetReader.document(schedule.target()));
    document.set("priority", schedule.priority());
    document.set("properties", schedule.properties());
    document.put("pool", schedule.pool());
    Target onEnd = schedule.onEnd();
    document.set(TargetReader.ON_END, onEnd == null ? null : TargetReader.document(onEnd));
    RunReader.write(document, schedule.runs());
    document.set("timeout", PendingReader.document(schedule.timeout()));
    document.put("whilePending", PendingReader.word(schedule.whilePending()));
    document.set("catchUp", CatchUpReader.document(schedule.catchUp()));
    return document.put("afterCompletion", schedule.deleteAfterCompletion() ? "delete" : "keep");
  }
}
