package dev.carillon.imports.cdap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Literals;
import dev.carillon.imports.Members;
import dev.carillon.imports.Names;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.Place;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the Carillon schedule for a schedule of CDAP. */
record CdapDocument(Place place, String item, JsonNode json, Conversion how) {

  private static final List<String> OF_CDAP = List.of("applicationVersion", "lastUpdateTime");
  private static final String MAPPING = "triggering.properties.mapping";

  Draft draft() {
    Members schedule = Members.of(json).ignoring(OF_CDAP);
    String given = schedule.text("namespace");
    String namespace = given == null ? how.namespace() : given;
    String app = schedule.required("application");
    // The names of CDAP's schedules are unique only within an application.
    Draft draft = new Draft(place, item, namespace, app + "." + schedule.required("name"));
    String description = schedule.text("description");
    draft.describe(description == null ? "" : description);
    draft.document().put("app", Names.name(app));
    String program = schedule.object("program").required("programName");
    draft.document().put("program", program(app, program));
    draft.zone(how.zone() == null ? "UTC" : how.zone());
    CdapTrigger triggers = new CdapTrigger(namespace, draft);
    draft.document().set("trigger", triggers.of(schedule.get("trigger")));
    if (how.zone() == null && triggers.usesClock()) {
      draft.note("CDAP uses the zone of its server; UTC is taken unless --zone is given");
    }
    draft.target(null, template(namespace, app, schedule.get("program")), how);
    properties(draft, schedule.get("properties"));
    Duration delay = CdapConstraint.add(draft, schedule.get("constraints"));
    timeout(draft, schedule.whole("timeoutMillis"), delay);
    draft.state("SCHEDULED".equals(schedule.text("status")));
    schedule.noteUnread(draft);
    return draft;
  }

  /**
   * The name of a program together with that of its application, because programs of different
   * applications can have the same name.
   */
  static String program(String app, String program) {
    return Names.name(app + "." + program);
  }

  private static ObjectNode template(String namespace, String app, JsonNode program) {
    ObjectNode template = Json.object().put("namespace", Literals.escaped(namespace));
    template.put("application", Literals.escaped(app));
    template.set("program", Literals.escaped(program));
    template.put("runtimeArgs", "${properties}").put("logicalStartTime", "${scheduledFor}");
    return template.put("triggerInfo", "${trigger}");
  }

  private static void properties(Draft draft, JsonNode properties) {
    if (properties.isEmpty()) {
      return;
    }
    draft.document().set("properties", properties);
    for (var property : properties.properties()) {
      if (property.getKey().equals(MAPPING)) {
        draft.note("the worker must apply " + MAPPING + " to triggerInfo");
      } else if (property.getValue().asText().contains("${")) {
        draft.note("the worker must resolve the macro in the property " + property.getKey());
      }
    }
  }

  private static void timeout(Draft draft, @Nullable Long millis, Duration delay) {
    if (millis == null) {
      return;
    }
    Duration after = Duration.ofMillis(millis);
    if (delay.compareTo(after) > 0) {
      throw new NotCarried("its delay " + delay + " exceeds its timeout, so it never launches");
    }
    draft.document().putObject("timeout").put("after", after.toString()).put("action", "discard");
  }
}
