package dev.carillon.imports.quartz;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Literals;
import dev.carillon.imports.Names;
import dev.carillon.imports.NotCarried;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a trigger, or of a job without one.
 *
 * @param element the trigger or job
 * @param job the job; null if the file does not contain it
 */
record QuartzDocument(XmlElement element, @Nullable XmlElement job, String jobKey, Conversion how) {

  private static final String GROUP = "DEFAULT";
  private static final int USUAL_PRIORITY = 5;

  /** The group and the name as one name; the default group is left out. */
  static String key(XmlElement element, String name, String group) {
    String given = element.text(group);
    String bare = String.valueOf(element.text(name));
    return given == null || given.equals(GROUP) ? bare : given + "." + bare;
  }

  String name() {
    return key(element, "name", "group");
  }

  /** A job without a trigger is launched by calls only. */
  Draft ofJob() {
    Draft draft = draft();
    draft.trigger("manual");
    draft.state(true);
    return draft;
  }

  Draft ofTrigger() {
    if (element.text("calendar-name") != null) {
      throw new NotCarried(
          "its calendar is not in the file; write one for Carillon, and exclude it");
    }
    Draft draft = draft();
    ZoneId machine = draft.zone(how.zone() == null ? "UTC" : how.zone());
    String own = element.text("time-zone");
    if (own != null) {
      draft.zone(own);
    }
    QuartzTrigger trigger = new QuartzTrigger(element, machine, how.now());
    if (how.zone() == null && (own == null || trigger.hasLocalBounds())) {
      draft.note("Quartz uses the zone of its machine; UTC is taken unless --zone is given");
    }
    trigger.add(draft);
    draft.document().putObject("catchUp").put("policy", catchUp());
    draft.state(true);
    return draft;
  }

  private Draft draft() {
    Draft draft = new Draft(element.place(), name(), how.namespace(), name());
    String own = element.text("description");
    String description = own == null && job != null ? job.text("description") : own;
    draft.describe(description == null ? "" : description);
    draft.document().put("program", Names.name(jobKey));
    draft.target(null, template(), how);
    if (job == null) {
      draft.note("the job " + jobKey + " is not in the file, so its class and data are missing");
    }
    if (job != null && "true".equals(job.text("recover"))) {
      draft.note("recover has no equivalent");
    }
    priority(draft);
    return draft;
  }

  private ObjectNode template() {
    ObjectNode template = Json.object().put("job", Literals.escaped(jobKey));
    String type = job == null ? null : job.text("job-class");
    if (type != null) {
      template.put("jobClass", Literals.escaped(type));
    }
    ObjectNode data = template.putObject("data");
    addData(data, job);
    addData(data, element);
    return template;
  }

  private static void addData(ObjectNode data, @Nullable XmlElement owner) {
    if (owner == null) {
      return;
    }
    for (XmlElement map : owner.all("job-data-map")) {
      for (XmlElement entry : map.all("entry")) {
        String value = entry.text("value");
        data.put(String.valueOf(entry.text("key")), value == null ? null : Literals.escaped(value));
      }
    }
  }

  /** Converts the priority. In Quartz, a larger number is more urgent. */
  private void priority(Draft draft) {
    String given = element.text("priority");
    if (given == null || !given.matches("-?[0-9]{1,6}")) {
      return;
    }
    int priority = 2 * USUAL_PRIORITY - Integer.parseInt(given);
    draft.document().put("priority", Math.min(9, Math.max(0, priority)));
    draft.note("the priority " + given + " of Quartz, where larger is more urgent, is reversed");
  }

  private String catchUp() {
    String instruction = element.text("misfire-instruction");
    String misfire = instruction == null ? "SMART_POLICY" : instruction;
    if (misfire.endsWith("IGNORE_MISFIRE_POLICY")) {
      return "all";
    }
    boolean isEndless =
        element.name().equals("simple") && "-1".equals(element.text("repeat-count"));
    boolean isNone =
        misfire.endsWith("DO_NOTHING")
            || misfire.contains("RESCHEDULE_NEXT")
            || (misfire.endsWith("SMART_POLICY") && isEndless);
    return isNone ? "none" : "latest";
  }
}
