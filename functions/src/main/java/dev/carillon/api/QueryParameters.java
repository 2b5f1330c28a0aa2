package dev.carillon.api;

import static dev.carillon.api.Paths.APP;
import static dev.carillon.api.Paths.CALENDARS;
import static dev.carillon.api.Paths.JOBS;
import static dev.carillon.api.Paths.POOLS;
import static dev.carillon.api.Paths.PROGRAM;
import static dev.carillon.api.Paths.RESOURCES;
import static dev.carillon.api.Paths.SCHEDULE;
import static dev.carillon.api.Paths.SCHEDULES;

import java.util.List;

/** The names of the query parameters of each route. */
final class QueryParameters {

  private QueryParameters() {}

  /** The names of a route's parameters; most routes have none. */
  static List<String> of(String method, String path) {
    return switch (method + " " + path) {
      case "PUT " + SCHEDULE,
          "PUT " + APP,
          "PUT " + CALENDARS + "/{name}",
          "PUT " + POOLS + "/{pool}" ->
          List.of("dryRun");
      case "GET " + SCHEDULES ->
          List.of(
              "program",
              "app",
              "state",
              "tag",
              "eventKey",
              "triggerType",
              "broken",
              "limit",
              "next");
      case "GET " + JOBS -> List.of("state", "customer", "linkId", "program", "limit", "next");
      case "GET " + SCHEDULE + "/jobs", "GET " + PROGRAM + "/jobs" ->
          List.of("state", "limit", "next");
      case "GET " + CALENDARS,
          "GET " + POOLS,
          "GET " + RESOURCES,
          "POST " + JOBS + "/cancel",
          "POST " + JOBS + "/retry" ->
          List.of("limit", "next");
      case "GET " + SCHEDULE + "/preview" -> List.of("from", "count");
      default -> List.of();
    };
  }
}
