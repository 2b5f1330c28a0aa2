package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.AppId;
import dev.carillon.id.ProgramName;
import dev.carillon.id.ScheduleId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The body of a deployment.
 *
 * @param programs the names of the programs of the app, without the namespace
 * @param documents the documents of the schedules by name; each document names the app
 * @param updates whether the deployment creates and replaces the schedules of these documents
 */
record DeploymentRequest(
    AppId app, Set<String> programs, Map<String, SubmittedDocument> documents, boolean updates) {

  /**
   * The largest body. Lambda accepts a payload of 6 MB, in which each quote of the body takes two
   * bytes.
   */
  static final int MOST_BYTES = 4 * 1024 * 1024;

  /** The number of schedules that one deployment can change within the time of a request. */
  static final int MOST_SCHEDULES = 500;

  private static final int MOST_PROGRAMS = 500;

  /**
   * Reads the body and adds its faults. Of the documents, it checks only {@code app} and {@code
   * program}.
   */
  static DeploymentRequest read(AppId app, JsonNode body, Faults faults) {
    Fields fields = Fields.of(body, "", faults);
    fields.allowOnly(List.of("programs", "schedules", "updateSchedules"));
    boolean updates = updates(fields);
    Set<String> programs = programs(app, fields, faults);
    Map<String, SubmittedDocument> documents = new LinkedHashMap<>();
    if (fields.has("schedules")) {
      Fields schedules = fields.object("schedules");
      List<String> names = schedules.names();
      boolean tooMany = tooMany(fields, "schedules", names.size(), MOST_SCHEDULES, faults);
      for (String name : tooMany ? List.<String>of() : names) {
        JsonNode given = body.path("schedules").path(name);
        if (fields.get("programs").isArray()) {
          checkProgram(app, name, given, schedules, programs, faults);
        }
        ScheduleId id = new ScheduleId(app.namespace(), name);
        JsonNode document = document(app, given, schedules.at(name), faults);
        documents.put(name, new SubmittedDocument(id, document));
      }
    } else if (updates) {
      fields.refuse("schedules", "give the schedules of the app by name; {} deletes all of them");
    }
    return new DeploymentRequest(app, programs, documents, updates);
  }

  private static boolean updates(Fields fields) {
    JsonNode given = fields.get("updateSchedules");
    if (fields.has("updateSchedules") && !given.isBoolean()) {
      fields.refuse("updateSchedules", "give true or false");
    }
    return given.asBoolean(true);
  }

  private static Set<String> programs(AppId app, Fields fields, Faults faults) {
    JsonNode given = fields.get("programs");
    if (!given.isArray()) {
      fields.refuse("programs", "give the list of the app's programs, like [\"exporter\"]");
      return Set.of();
    }
    tooMany(fields, "programs", given.size(), MOST_PROGRAMS, faults);
    ObjectNode byIndex = Json.object();
    for (int index = 0; index < given.size(); index++) {
      byIndex.set(Integer.toString(index), given.get(index));
    }
    Fields listed = Fields.of(byIndex, fields.at("programs"), faults);
    return listed.names().stream()
        .map(index -> ProgramName.read(listed, index, app.namespace()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static boolean tooMany(Fields fields, String name, int count, int most, Faults faults) {
    if (count <= most) {
      return false;
    }
    faults.add(
        fields.at(name),
        "there are %d %s; give at most %d, or split the app".formatted(count, name, most));
    return true;
  }

  private static void checkProgram(
      AppId app,
      String name,
      JsonNode given,
      Fields schedules,
      Set<String> programs,
      Faults faults) {
    JsonNode named = given.path("program");
    boolean isDefault = named.isMissingNode() || named.isNull();
    String own = app.namespace() + "/";
    String program = isDefault ? name : named.isTextual() ? named.textValue() : "";
    String bare = program.startsWith(own) ? program.substring(own.length()) : program;
    if (TextForm.NAME.fits(bare) && !programs.contains(bare)) {
      faults.add(
          isDefault ? schedules.at(name) : schedules.at(name) + "/program",
          "the schedule launches the program %s, which the app does not list; add it to \"programs\""
              .formatted(Faults.quoted(bare)));
    }
  }

  /** The document with the name of the app added. */
  private static JsonNode document(AppId app, JsonNode given, String pointer, Faults faults) {
    if (!(given instanceof ObjectNode object)) {
      return given;
    }
    Fields document = Fields.of(given, pointer, faults);
    if (!document.has("app")) {
      return object.deepCopy().put("app", app.name());
    }
    JsonNode named = document.get("app");
    if (named.isTextual() && !named.textValue().equals(app.name())) {
      document.refuse(
          "app",
          "the document names the app %s, but the app %s deploys it; leave \"app\" out"
              .formatted(Faults.quoted(named.textValue()), Faults.quoted(app.name())));
    }
    return given;
  }
}
