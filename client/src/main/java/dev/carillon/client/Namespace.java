package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.Transport.Call;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls to the API for one namespace: its schedules, jobs, events, apps, programs and gauges. */
public final class Namespace {

  private static final int DEFAULT_LIMIT = 100;

  private final Transport transport;
  private final String root;

  Namespace(Transport transport, String name) {
    this.transport = transport;
    this.root = "/v1/namespaces/" + NameForm.NAMESPACE.segment(name);
  }

  /** The calls for the runs of tracked jobs of this namespace. */
  public Runs runs() {
    return new Runs(transport, root);
  }

  /** The calendars of this namespace. */
  public Calendars calendars() {
    return new Calendars(transport, root);
  }

  /** The pools of this namespace. */
  public Pools pools() {
    return new Pools(transport, root);
  }

  // ---- schedules

  /** Creates or replaces a schedule. */
  public StoredSchedule put(Schedule schedule) {
    return put(schedule, Map.of());
  }

  /**
   * Creates a schedule.
   *
   * @throws CarillonException.Stale if a schedule of this name exists
   */
  public StoredSchedule create(Schedule schedule) {
    return put(schedule, Map.of("If-None-Match", "*"));
  }

  /**
   * Replaces a schedule if it was not changed since it was read.
   *
   * @param etag the value of {@link StoredSchedule#etag}
   * @throws CarillonException.Stale if it was changed
   */
  public StoredSchedule replace(Schedule schedule, String etag) {
    return put(schedule, Map.of("If-Match", etag));
  }

  /**
   * Returns what {@link #put(Schedule)} would answer, and stores nothing. The answer has the
   * document with all defaults, and the state that the schedule would have.
   */
  public StoredSchedule compare(Schedule schedule) {
    return transport.send(
        new Call(
            "PUT",
            schedulePath(schedule.name()),
            Map.of("dryRun", "true"),
            Map.of(),
            schedule.document()),
        StoredSchedule.class);
  }

  private StoredSchedule put(Schedule schedule, Map<String, String> condition) {
    return transport.send(
        new Call("PUT", schedulePath(schedule.name()), Map.of(), condition, schedule.document()),
        StoredSchedule.class);
  }

  public StoredSchedule schedule(String name) {
    return transport.send(get(schedulePath(name)), StoredSchedule.class);
  }

  /**
   * Deletes a schedule.
   *
   * @return the jobs that this cancels; empty if the server does not count them
   */
  public Optional<Cancelled> delete(String name) {
    return transport.delete(schedulePath(name), Map.of());
  }

  /**
   * Deletes a schedule if it was not changed since it was read.
   *
   * @param etag the value of {@link StoredSchedule#etag}
   * @return the jobs that this cancels; empty if the server does not count them
   * @throws CarillonException.Stale if it was changed or deleted
   */
  public Optional<Cancelled> delete(String name, String etag) {
    return transport.delete(schedulePath(name), Map.of("If-Match", etag));
  }

  /** The matching schedules; the stream reads them page by page. */
  public Stream<StoredSchedule> schedules(ScheduleFilter filter) {
    return Stream.iterate(
            schedules(filter, DEFAULT_LIMIT, null),
            Objects::nonNull,
            page -> page.next() == null ? null : schedules(filter, DEFAULT_LIMIT, page.next()))
        .flatMap(page -> page.items().stream());
  }

  /**
   * One page of the matching schedules, by name.
   *
   * @param limit 1 to 1,000
   * @param next the value of {@code next} in the previous page; null for the first page
   */
  public Page<StoredSchedule> schedules(ScheduleFilter filter, int limit, @Nullable String next) {
    Map<String, @Nullable String> query = new HashMap<>(filter.query());
    query.put("limit", Integer.toString(limit));
    query.put("next", next);
    return transport.send(
        get(root + "/schedules", query), Page.of("schedules", StoredSchedule::of));
  }

  /**
   * Suspends a schedule until it is resumed.
   *
   * @param reason null for none; for a schedule that is suspended already, null keeps the present
   *     reason
   */
  public StoredSchedule suspend(String name, SuspendMode mode, @Nullable String reason) {
    return suspend(name, mode, reason, null);
  }

  /**
   * Suspends a schedule.
   *
   * @param reason null for none; for a schedule that is suspended already, null keeps the present
   *     reason
   * @param until when the suspension ends; null for no end
   */
  public StoredSchedule suspend(
      String name, SuspendMode mode, @Nullable String reason, @Nullable Instant until) {
    ObjectNode how = Json.object();
    how.set("mode", Json.tree(Known.sent(mode, SuspendMode.UNRECOGNIZED, "/mode")));
    how.put("reason", reason).put("until", until == null ? null : until.toString());
    return transport.send(post(schedulePath(name) + "/suspend", how), StoredSchedule.class);
  }

  /** Resumes a schedule, and launches the jobs that the suspension kept. */
  public StoredSchedule resume(String name) {
    return transport.send(
        post(schedulePath(name) + "/resume", Json.object()), StoredSchedule.class);
  }

  /** Launches a job now, whatever the trigger. */
  public Launched launch(String name) {
    return launch(name, LaunchNow.plain());
  }

  /** Launches a job now, whatever the trigger. */
  public Launched launch(String name, LaunchNow how) {
    return transport.send(post(schedulePath(name) + "/launch", Json.tree(how)), Launched.class);
  }

  /** Skips the next fire. */
  public Skipped skip(String name) {
    return transport.send(post(schedulePath(name) + "/skip", Json.object()), Skipped.class);
  }

  /**
   * Launches the fires of a past range. Do not repeat the call if no answer arrived, because that
   * could start a second backfill.
   */
  public Backfill backfill(String name, BackfillRange range) {
    return transport.send(
        post(schedulePath(name) + "/backfill", range.body(false)), Backfill.class);
  }

  /** The fires that a backfill would launch. */
  public BackfillPreview previewBackfill(String name, BackfillRange range) {
    return transport.send(
        post(schedulePath(name) + "/backfill", range.body(true)), BackfillPreview.class);
  }

  /** The progress of a backfill. */
  public Backfill backfill(String name, String backfillId) {
    return transport.send(get(backfillPath(name, backfillId)), Backfill.class);
  }

  /** Cancels a backfill: it launches no more fires. Launched jobs continue. */
  public void cancelBackfill(String name, String backfillId) {
    transport.send(new Call("DELETE", backfillPath(name, backfillId), null), JsonNode.class);
  }

  /**
   * The next fires, with the requests that they will send.
   *
   * @param from the exclusive beginning; null means the present instant
   * @param count 1 to 1,000
   */
  public Preview preview(String name, @Nullable Instant from, int count) {
    Map<String, @Nullable String> query = new HashMap<>();
    query.put("from", from == null ? null : from.toString());
    query.put("count", Integer.toString(count));
    return transport.send(get(schedulePath(name) + "/preview", query), Preview.class);
  }

  /**
   * The fires that a schedule would have if it were stored, with the requests that they would send.
   *
   * @param from the exclusive beginning; null means the present instant
   * @param count 1 to 1,000
   */
  public Preview preview(Schedule schedule, @Nullable Instant from, int count) {
    ObjectNode body = Preview.request(schedule, from, count);
    return transport.send(post(schedulePath(schedule.name()) + "/preview", body), Preview.class);
  }

  /** Explains why a schedule has not launched, and when it will. */
  public Explanation explain(String name) {
    return Explanation.of(transport.send(get(schedulePath(name) + "/explain"), JsonNode.class));
  }

  // ---- jobs

  /** The newest jobs of a schedule, newest first. The schedule may be deleted. */
  public Page<Job> jobs(String schedule) {
    return jobs(schedule, null, DEFAULT_LIMIT, null);
  }

  /**
   * Jobs of a schedule, newest first.
   *
   * @param state null for any
   * @param limit 1 to 1,000
   * @param next the value of {@code next} in the previous page; null for the first page
   */
  public Page<Job> jobs(
      String schedule, Job.@Nullable State state, int limit, @Nullable String next) {
    return page(schedulePath(schedule) + "/jobs", state, limit, next);
  }

  private Page<Job> page(String path, Job.@Nullable State state, int limit, @Nullable String next) {
    Map<String, @Nullable String> query = new HashMap<>();
    query.put(
        "state",
        state == null ? null : Known.sent(state, Job.State.UNRECOGNIZED, "/query/state").name());
    query.put("limit", Integer.toString(limit));
    query.put("next", next);
    return transport.send(get(path, query), Page.of("jobs", Job.class));
  }

  /**
   * The unfinished jobs of all schedules; if the filter names a link, all jobs of that link. The
   * stream reads them page by page, in no particular order.
   */
  public Stream<Job> jobs(JobFilter filter) {
    return Stream.iterate(
            jobs(filter, DEFAULT_LIMIT, null),
            Objects::nonNull,
            page -> page.next() == null ? null : jobs(filter, DEFAULT_LIMIT, page.next()))
        .flatMap(page -> page.items().stream());
  }

  /**
   * One page of the jobs of {@link #jobs(JobFilter)}. A page can have fewer jobs than {@code
   * limit}, or none, although there is a next page.
   *
   * @param limit 1 to 1,000
   * @param next the value of {@code next} in the previous page; null for the first page
   */
  public Page<Job> jobs(JobFilter filter, int limit, @Nullable String next) {
    Map<String, @Nullable String> query = new HashMap<>(filter.query());
    query.put("limit", Integer.toString(limit));
    query.put("next", next);
    return transport.send(get(root + "/jobs", query), Page.of("jobs", Job.class));
  }

  /** The progress of the jobs of a link. */
  public LinkSummary progress(String linkId) {
    Map<String, @Nullable String> query = new HashMap<>();
    query.put("linkId", linkId);
    query.put("limit", "1");
    return transport.send(
        get(root + "/jobs", query),
        answer -> Json.read(Json.member(answer, "summary"), LinkSummary.class));
  }

  public Job job(String jobId) {
    return transport.send(get(jobPath(jobId)), Job.class);
  }

  /** Explains why a job waits, and when it is checked next. */
  public Explanation explainJob(String jobId) {
    return Explanation.of(transport.send(get(jobPath(jobId) + "/explain"), JsonNode.class));
  }

  // ---- events

  /**
   * Sends events.
   *
   * @param events up to 1,000; if one is malformed, none is accepted
   * @return their ids. After {@link CarillonException.Unavailable} or {@link
   *     CarillonException.Unreachable} the same events can be sent again; accepted events count
   *     once
   */
  public List<String> send(List<Event> events) {
    return sendAll(Json.tree(events));
  }

  /**
   * Sends events in any form of the API: Carillon's own, EventBridge envelopes, and S3
   * notifications.
   *
   * @param events up to 1,000; if one is malformed, none is accepted
   * @return the ids of the events. An S3 notification can have several events
   */
  public List<String> send(ArrayNode events) {
    return sendAll(events);
  }

  private List<String> sendAll(JsonNode events) {
    ObjectNode body = Json.object();
    body.set("events", events);
    return transport.send(
        post(root + "/events", body),
        answer -> Json.list(answer, "ids").valueStream().map(JsonNode::asText).toList());
  }

  /** Sends events. */
  public List<String> send(Event... events) {
    return send(List.of(events));
  }

  // ---- apps

  /**
   * Deploys an app. After {@link CarillonException.Unavailable} the same deployment can be sent
   * again; it then continues.
   *
   * @throws CarillonException.Conflict if a schedule belongs to another app or to none, or if
   *     another deployment of the app is in progress
   */
  public Deployment deploy(App app) {
    return transport.send(
        new Call("PUT", appPath(app.name()), Map.of(), Map.of(), app.document()), Deployment.class);
  }

  /** The effect that a deployment would have. */
  public Difference compare(App app) {
    return transport.send(
        new Call("PUT", appPath(app.name()), Map.of("dryRun", "true"), Map.of(), app.document()),
        Difference.class);
  }

  public DeployedApp app(String name) {
    return transport.send(get(appPath(name)), DeployedApp.class);
  }

  /**
   * Deletes an app with all its schedules.
   *
   * @return the jobs that this cancels; empty if the server does not count them
   */
  public Optional<Cancelled> deleteApp(String name) {
    return transport.delete(appPath(name), Map.of());
  }

  // ---- programs

  public Program program(String name) {
    return transport.send(get(programPath(name)), Program.class);
  }

  /**
   * Jobs of all schedules that launch a program, newest first.
   *
   * @param state null for any
   * @param limit 1 to 1,000
   * @param next the value of {@code next} in the previous page; null for the first page
   * @throws CarillonException.Conflict if more schedules launch the program than one list can read
   */
  public Page<Job> jobsOfProgram(
      String name, Job.@Nullable State state, int limit, @Nullable String next) {
    return page(programPath(name) + "/jobs", state, limit, next);
  }

  /**
   * Deletes the schedules that launch a program and belong to no app. After {@link
   * CarillonException.Unavailable} the request can be sent again.
   */
  public DeletedSchedules deleteProgram(String name) {
    return transport.send(new Call("DELETE", programPath(name), null), DeletedSchedules.class);
  }

  private String programPath(String name) {
    return root + "/programs/" + NameForm.OBJECT.segment(name);
  }

  // ---- resources

  /**
   * Reports the value of a resource's gauge. Jobs that wait for it are checked at once.
   *
   * @param ttl how long the value is valid; null for no expiry
   */
  public ResourceGauge report(String resource, BigDecimal value, @Nullable Duration ttl) {
    ObjectNode body = Json.object().put("value", value);
    if (ttl != null) {
      body.put("ttl", ttl.toString());
    }
    return transport.send(
        new Call("PUT", resourcePath(resource), Map.of(), Map.of(), body), ResourceGauge.class);
  }

  public ResourceGauge resource(String name) {
    return transport.send(get(resourcePath(name)), ResourceGauge.class);
  }

  /**
   * One page of the resources with a reported value, by name.
   *
   * @param limit 1 to 1,000
   * @param next the value of {@code next} in the previous page; null for the first page
   */
  public Page<ResourceGauge> resources(int limit, @Nullable String next) {
    Map<String, @Nullable String> query = new HashMap<>();
    query.put("limit", Integer.toString(limit));
    query.put("next", next);
    return transport.send(
        get(root + "/resources", query), Page.of("resources", ResourceGauge.class));
  }

  /** Deletes the reported value; the gauge is unknown from then on. */
  public void deleteResource(String name) {
    transport.send(new Call("DELETE", resourcePath(name), null), JsonNode.class);
  }

  private String resourcePath(String name) {
    return root + "/resources/" + NameForm.OBJECT.segment(name);
  }

  private String schedulePath(String name) {
    return root + "/schedules/" + NameForm.OBJECT.segment(name);
  }

  private String backfillPath(String name, String backfillId) {
    return schedulePath(name) + "/backfills/" + Transport.encoded(backfillId);
  }

  private String jobPath(String jobId) {
    return root + "/jobs/" + Transport.encoded(jobId);
  }

  private String appPath(String name) {
    return root + "/apps/" + NameForm.OBJECT.segment(name);
  }

  private static Call get(String path) {
    return new Call("GET", path, null);
  }

  private static Call get(String path, Map<String, @Nullable String> query) {
    return new Call("GET", path, query, Map.of(), null);
  }

  private static Call post(String path, JsonNode body) {
    return new Call("POST", path, body);
  }
}
