package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.report.RunReports;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.run.Claim;
import dev.carillon.run.OperationState;
import dev.carillon.run.Operations;
import dev.carillon.run.Run;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reports of workers about the attempts that they claim, and what callers ask of jobs. */
final class RunRoutes {

  /** The largest output of a run; it travels with events and callbacks. */
  static final int MOST_OUTPUT_BYTES = 8 * 1024;

  /** The largest progress of a run; each heartbeat stores it with the job. */
  static final int MOST_PROGRESS_BYTES = 2 * 1024;

  private static final int LONGEST_ERROR = 4 * 1024;
  private static final int MOST_ATTEMPTS = 10_000;
  private static final TextForm WORKER = TextForm.line(256);
  private static final TextForm TOKEN = TextForm.line(64);

  private final RunReports reports;
  private final InstantSource clock;
  private final Supplier<UUID> random;
  private final Predicate<JobId> isCollecting;

  /**
   * @param isCollecting whether the job with an id is a collecting job
   */
  RunRoutes(
      RunReports reports,
      InstantSource clock,
      Supplier<UUID> random,
      Predicate<JobId> isCollecting) {
    this.reports = reports;
    this.isCollecting = isCollecting;
    this.clock = clock;
    this.random = random;
  }

  APIGatewayProxyResponseEvent claim(Call call) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("worker", "attempt"));
    String worker = body.text("worker", WORKER);
    Integer attempt =
        body.has("attempt") ? Integer.valueOf((int) body.whole("attempt", 1, MOST_ATTEMPTS)) : null;
    Problem.refuse(faults);
    Job job = accepted(id, reports.claim(id, worker, attempt, random.get().toString()));
    Claim claim = Objects.requireNonNull(job.claim());
    ObjectNode answer =
        Json.object().put("claimToken", claim.token()).put("attempt", job.attempt());
    Operations operations = Objects.requireNonNull(job.run()).operations();
    expiring(answer, job)
        .set("operations", operations.isEmpty() ? null : OperationsView.list(operations));
    return Answer.of(200, answer);
  }

  APIGatewayProxyResponseEvent heartbeat(Call call) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("claimToken", "progress", "operations"));
    String token = body.text("claimToken", TOKEN);
    JsonNode progress = value(body, "progress", MOST_PROGRESS_BYTES);
    Map<String, OperationState> operations = OperationsView.reported(body);
    Problem.refuse(faults);
    Optional<Reported> reported = reports.heartbeat(id, token, progress, operations);
    reported.ifPresent(known -> refuseUnknown(known, operations.keySet()));
    Job job = accepted(id, reported);
    boolean isCancelled = Objects.requireNonNull(job.run()).isCancelRequested();
    return Answer.of(200, expiring(Json.object(), job).put("cancelled", isCancelled));
  }

  private static void refuseUnknown(Reported reported, Set<String> given) {
    if (reported.result().equals(new Refused(Refusal.UNKNOWN_OPERATION))) {
      Run run = Objects.requireNonNull(reported.job().run());
      throw Problem.invalid(OperationsView.unknown(run.operations(), given));
    }
  }

  /** The instant by which the next report is due, and the time until then. */
  private ObjectNode expiring(ObjectNode answer, Job job) {
    Instant expiresAt = Objects.requireNonNull(job.reportBy());
    Duration rest = Duration.between(clock.instant(), expiresAt);
    double seconds = Math.max(0, rest.toMillis()) / 1000.0;
    return answer.put("expiresAt", ScheduleView.text(expiresAt)).put("expiresIn", seconds);
  }

  APIGatewayProxyResponseEvent succeed(Call call) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("claimToken", "output"));
    String token = body.text("claimToken", TOKEN);
    JsonNode output = value(body, "output", MOST_OUTPUT_BYTES);
    Problem.refuse(faults);
    return state(accepted(id, reports.succeed(id, token, output)));
  }

  APIGatewayProxyResponseEvent fail(Call call) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("claimToken", "error", "retriable"));
    String token = body.text("claimToken", TOKEN);
    String error = error(body);
    boolean isRetriable = flag(body, "retriable", true);
    Problem.refuse(faults);
    return state(accepted(id, reports.fail(id, token, error, isRetriable)));
  }

  APIGatewayProxyResponseEvent cancel(Call call) {
    return carryOut(call, reports::cancel);
  }

  APIGatewayProxyResponseEvent retry(Call call) {
    return carryOut(call, reports::retry);
  }

  @FunctionalInterface
  private interface Request {
    Optional<Reported> carryOut(JobId id, String caller);
  }

  private APIGatewayProxyResponseEvent carryOut(Call call, Request request) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    call.fields(faults, List.of());
    Problem.refuse(faults);
    return state(accepted(id, request.carryOut(id, call.caller())));
  }

  private static APIGatewayProxyResponseEvent state(Job job) {
    return Answer.of(
        200, Json.object().put("jobId", job.id().toString()).put("state", job.state().name()));
  }

  /** A value of any form; null if it is absent. */
  private static @Nullable JsonNode value(Fields body, String name, int mostBytes) {
    if (!body.has(name)) {
      return null;
    }
    int bytes = Json.write(body.get(name)).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > mostBytes) {
      throw Problem.tooLarge(name, bytes, mostBytes);
    }
    return body.get(name);
  }

  /** The error as text, cut to its longest length. */
  private static @Nullable String error(Fields body) {
    if (!body.has("error")) {
      return null;
    }
    if (!body.get("error").isTextual()) {
      body.refuse("error", "give a text");
      return null;
    }
    String given = body.get("error").textValue();
    return given.length() <= LONGEST_ERROR ? given : given.substring(0, LONGEST_ERROR);
  }

  private static boolean flag(Fields body, String name, boolean usual) {
    if (body.has(name) && !body.get(name).isBoolean()) {
      body.refuse(name, "give true or false");
    }
    return body.get(name).asBoolean(usual);
  }

  private Job accepted(JobId id, Optional<Reported> reported) {
    Reported known = reported.orElseThrow(() -> notStored(id));
    if (known.result() instanceof Refused refused) {
      throw refusal(known.job(), refused.why());
    }
    return known.job();
  }

  private Problem notStored(JobId id) {
    return isCollecting.test(id)
        ? Problem.conflict(
            "the job still collects events; change, suspend or delete its schedule to cancel it")
        : JobRoutes.missing(id.toString());
  }

  static Problem refusal(Job job, Refusal why) {
    String state = "the job is " + job.state() + " in attempt " + job.attempt();
    return switch (why) {
      case SUPERSEDED ->
          Problem.superseded(
              state + ": the attempt is over or another worker has it; delete the message");
      case NOT_YET ->
          Problem.notYet(state + " and cannot be claimed now; leave the message in its queue");
      case STALE ->
          Problem.staleClaim(state + ", and the token is not that of its claim; stop the work");
      case UNKNOWN_OPERATION -> Problem.conflict(state + " and does not have these operations");
      case NOT_TRACKED ->
          Problem.conflict(
              state
                  + " and is not tracked; add \"tracking\": {} to its schedule for the next ones");
      case BUSY ->
          Problem.concurrent(
              state + ": its request is being sent or its end announced; repeat the call");
      case SENT_UNTRACKED ->
          Problem.conflict(
              state
                  + ": its request was sent, and its target is not tracked; report its end with"
                  + " an event of type PROGRAM_STATUS");
      case ENDED -> Problem.conflict(state + " and has ended");
      case NOT_FAILED ->
          Problem.conflict(
              state
                  + "; a job can be retried that was launched and ended FAILED, CANCELLED or"
                  + " TIMED_OUT. Use launch for a new job");
      case UNWANTED ->
          Problem.conflict(
              state
                  + ", and its schedule was changed, suspended or deleted since; use launch for"
                  + " a new job");
    };
  }
}
