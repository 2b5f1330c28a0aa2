package dev.carillon.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import java.util.List;

/**
 * An app to be deployed.
 *
 * @param programs all of its programs
 * @param schedules all of its schedules; each launches one of the programs
 * @param updateSchedules whether its schedules are made to be as these: others of the app are
 *     deleted. If not, only those of programs that are not listed any more are
 */
public record App(
    String name, List<String> programs, List<Schedule> schedules, boolean updateSchedules) {

  public App {
    programs = List.copyOf(programs);
    schedules = List.copyOf(schedules);
  }

  /** An app whose schedules are made to be as these. */
  public static App of(String name, List<String> programs, List<Schedule> schedules) {
    return new App(name, programs, schedules, true);
  }

  /** The same, but schedules that are there are left as they are. */
  public App keepingSchedules() {
    return new App(name, programs, schedules, false);
  }

  /** What the API takes: a schedule that names no app belongs to this one. */
  ObjectNode document() {
    ObjectNode document = Json.object();
    document.set("programs", Json.tree(programs));
    ObjectNode byName = document.putObject("schedules");
    schedules.forEach(schedule -> byName.set(schedule.name(), schedule.document()));
    return document.put("updateSchedules", updateSchedules);
  }
}
