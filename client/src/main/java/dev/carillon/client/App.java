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
 * @param updateSchedules whether the deployment makes the app's stored schedules equal to {@code
 *     schedules}, and deletes all others. If false, it creates and replaces none, and only deletes
 *     the app's schedules whose program is not in {@code programs}
 */
public record App(
    String name, List<String> programs, List<Schedule> schedules, boolean updateSchedules) {

  public App {
    programs = List.copyOf(programs);
    schedules = List.copyOf(schedules);
  }

  /** An app whose deployment replaces the app's stored schedules. */
  public static App of(String name, List<String> programs, List<Schedule> schedules) {
    return new App(name, programs, schedules, true);
  }

  /** The same app, whose deployment creates and replaces no schedule. */
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
