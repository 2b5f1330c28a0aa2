package dev.carillon.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import java.util.List;

/**
 * An app to deploy.
 *
 * @param programs all programs of the app
 * @param schedules all schedules of the app; each launches one of the programs
 * @param updateSchedules whether the deployment replaces the app's schedules by these and deletes
 *     all others. If false, it only deletes schedules of programs that are no longer listed
 */
public record App(
    String name, List<String> programs, List<Schedule> schedules, boolean updateSchedules) {

  public App {
    programs = List.copyOf(programs);
    schedules = List.copyOf(schedules);
  }

  /** An app whose deployment replaces its schedules. */
  public static App of(String name, List<String> programs, List<Schedule> schedules) {
    return new App(name, programs, schedules, true);
  }

  /** This app, with a deployment that leaves stored schedules unchanged. */
  public App keepingSchedules() {
    return new App(name, programs, schedules, false);
  }

  /** The request body. A schedule that names no app belongs to this one. */
  ObjectNode document() {
    ObjectNode document = Json.object();
    document.set("programs", Json.tree(programs));
    ObjectNode byName = document.putObject("schedules");
    schedules.forEach(schedule -> byName.set(schedule.name(), schedule.document()));
    return document.put("updateSchedules", updateSchedules);
  }
}
