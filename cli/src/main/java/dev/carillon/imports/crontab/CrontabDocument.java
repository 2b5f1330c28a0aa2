package dev.carillon.imports.crontab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Literals;
import dev.carillon.imports.Place;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The schedule of an entry.
 *
 * @param settings the settings above the entry
 */
record CrontabDocument(
    Place place, String line, CrontabEntry entry, Map<String, String> settings, Conversion how) {

  private static final String ZONE = "CRON_TZ";

  /**
   * @param comment the lines directly above the entry
   */
  Draft draft(String name, String comment) {
    Draft draft = new Draft(place, line, how.namespace(), name);
    draft.describe(comment);
    zone(draft);
    ObjectNode cron = draft.trigger("cron");
    cron.put("dialect", "unix").put("expression", entry.expression());
    if (isFixedForCronAlone()) {
      cron.putObject("dst").put("gap", "shift").put("overlap", "first");
    }
    draft.target(null, template(), how);
    draft.document().putObject("catchUp").put("policy", "none");
    draft.state(true);
    noteDifferences(draft);
    return draft;
  }

  /**
   * Whether cron treats the entry as one at fixed times, and Carillon would not. For cron, only a
   * minute or hour that begins with a star follows real time; a stepped range like {@code 0-6/2}
   * does not.
   */
  private boolean isFixedForCronAlone() {
    List<String> times = Arrays.asList(entry.expression().split(" ", -1)).subList(0, 2);
    return times.stream().noneMatch(field -> field.startsWith("*"))
        && times.stream().anyMatch(field -> field.contains("*") || field.contains("/"));
  }

  private void zone(Draft draft) {
    String zone = settings.getOrDefault(ZONE, how.zone());
    if (zone == null || zone.isEmpty()) {
      draft.note("the zone is the deployment's; give --zone for that of the machine");
    } else {
      draft.zone(zone);
    }
  }

  private ObjectNode template() {
    ObjectNode template = Json.object().put("command", Literals.escaped(entry.command()));
    if (entry.input() != null) {
      template.put("stdin", Literals.escaped(entry.input()));
    }
    if (entry.user() != null) {
      template.put("user", Literals.escaped(entry.user()));
    }
    ObjectNode environment = Json.object();
    settings.forEach((name, value) -> environment.put(name, Literals.escaped(value)));
    environment.remove(ZONE);
    return environment.isEmpty() ? template : template.set("environment", environment);
  }

  private void noteDifferences(Draft draft) {
    if (!settings.getOrDefault("MAILTO", "").isEmpty()) {
      draft.note("MAILTO: Carillon mails no output");
    }
    if (settings.containsKey("TZ")) {
      draft.note("TZ is given to the command; cron does not use it for times");
    }
    if (settings.containsKey("RANDOM_DELAY")) {
      draft.note("RANDOM_DELAY: Carillon does not delay; \"flexible\" spreads fires");
    }
    if (entry.isQuiet()) {
      draft.note("the hyphen in front, which stops cron's log, has no equivalent");
    }
  }
}
