package dev.carillon.api;

import java.util.List;

/** The paths of the API's routes, as the OpenAPI document writes them. */
final class Paths {

  static final String SCHEDULES = "/v1/namespaces/{ns}/schedules";
  static final String SCHEDULE = SCHEDULES + "/{name}";
  static final String APP = "/v1/namespaces/{ns}/apps/{app}";
  static final String PROGRAM = "/v1/namespaces/{ns}/programs/{program}";
  static final String CALENDARS = "/v1/namespaces/{ns}/calendars";
  static final String POOLS = "/v1/namespaces/{ns}/pools";
  static final String RESOURCES = "/v1/namespaces/{ns}/resources";
  static final String JOBS = "/v1/namespaces/{ns}/jobs";
  static final String JOB = JOBS + "/{id}";
  static final String EVENTS = "/v1/namespaces/{ns}/events";
  static final String PREVIEW = "/v1/preview";
  static final String SIMULATE = "/v1/simulate";
  static final String STATUS = "/v1/status";
  static final String OPEN_API = "/v1/openapi.json";
  static final String SCHEMA = "/v1/schedule.schema.json";
  static final List<String> ALL =
      List.of(
          SCHEDULES,
          SCHEDULE,
          SCHEDULE + "/suspend",
          SCHEDULE + "/resume",
          SCHEDULE + "/launch",
          SCHEDULE + "/skip",
          SCHEDULE + "/backfill",
          SCHEDULE + "/backfills/{id}",
          SCHEDULE + "/preview",
          SCHEDULE + "/explain",
          SCHEDULE + "/jobs",
          APP,
          PROGRAM,
          PROGRAM + "/jobs",
          CALENDARS,
          CALENDARS + "/{name}",
          POOLS,
          POOLS + "/{pool}",
          RESOURCES,
          RESOURCES + "/{name}",
          JOBS,
          JOBS + "/cancel",
          JOBS + "/retry",
          JOB,
          JOB + "/explain",
          JOB + "/claim",
          JOB + "/heartbeat",
          JOB + "/succeed",
          JOB + "/fail",
          JOB + "/cancel",
          JOB + "/retry",
          EVENTS,
          PREVIEW,
          SIMULATE,
          STATUS,
          OPEN_API,
          SCHEMA);

  private Paths() {}
}
