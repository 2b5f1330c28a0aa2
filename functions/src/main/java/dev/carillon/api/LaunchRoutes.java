package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.constraint.Constraints.Unmet;
import dev.carillon.decision.JobDecision;
import dev.carillon.decision.JobPools;
import dev.carillon.decision.JobSnapshot;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.gate.GateStates;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.JobId;
import dev.carillon.job.Callback;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.Requests;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.LinkId;
import dev.carillon.schedule.OperationReader;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Launches a schedule now, and skips its next fire. */
final class LaunchRoutes {

  private static final List<String> LAUNCH_FIELDS =
      List.of(
          "customer", "priority", "payload", "properties", "operations", Job.IGNORE_CONSTRAINTS);
  private static final TextForm CUSTOMER = TextForm.line(256);
  private static final int RADIX = 36;
  private static final int RANDOM_IDS = RADIX * RADIX * RADIX * RADIX * RADIX;
  private static final Logger LOG = LoggerFactory.getLogger(LaunchRoutes.class);

  private final Lookup lookup;
  private final Jobs jobs;
  private final GateViews gates;
  private final CheckQueue checks;
  private final InstantSource clock;
  private final Supplier<UUID> random;

  LaunchRoutes(
      Lookup lookup,
      Jobs jobs,
      GateViews gates,
      CheckQueue checks,
      InstantSource clock,
      Supplier<UUID> random) {
    this.lookup = lookup;
    this.jobs = jobs;
    this.gates = gates;
    this.checks = checks;
    this.clock = clock;
    this.random = random;
  }

  APIGatewayProxyResponseEvent launch(Call call) {
    StoredSchedule stored = lookup.required(call.scheduleId());
    Compiled compiled = lookup.compiled(stored.definition());
    ObjectNode given = given(call, compiled.schedule().runs() != null);
    Job job = Callback.wantedBy(compiled.schedule(), newJob(stored.head(), given));
    Job launched = Requests.resolved(compiled, job);
    List<String> held = heldBy(stored, launched);
    JobId id = insertLaunch(launched);
    try {
      Instant now = now();
      checks.send(Check.of(now, List.of(id)), now);
    } catch (RuntimeException unavailable) {
      LOG.warn("no check could be sent for {}; the master sends it later", id, unavailable);
    }
    ObjectNode answer = Json.object().put("jobId", id.toString());
    ArrayNode heldBy = answer.putArray("heldBy");
    held.forEach(heldBy::add);
    return Answer.of(202, answer);
  }

  /** The reasons why the job would not launch at once. */
  private List<String> heldBy(StoredSchedule stored, Job job) {
    Instant now = now();
    Compiled compiled = lookup.compiled(stored.definition());
    String namespace = stored.head().id().namespace();
    GateStates states = GateStates.once(gates::find);
    GatedPrograms programs =
        new GatedPrograms(namespace, LimitedPrograms.NONE, states, compiled.schedule().demands());
    JobSnapshot given =
        new JobSnapshot(
            stored.head().asOf(now), false, compiled, true, programs, null, JobPools.NAMED, states);
    JobDecision decision = JobDecision.decide(job, given, now);
    return decision instanceof JobDecision.Launch || decision instanceof JobDecision.Enter
        ? List.of()
        : JobDecision.unmet(job, given, now).stream().map(Unmet::reason).toList();
  }

  /** The parameters of a request, as the job stores them. */
  private static ObjectNode given(Call call, boolean isTracked) {
    Faults faults = new Faults();
    Fields body = call.fields(faults, LAUNCH_FIELDS);
    ObjectNode given = Json.object();
    body.optionalText("customer", CUSTOMER);
    if (body.has("priority")) {
      body.whole("priority", 0, 9);
    }
    LinkId.check(body.object(LinkId.PROPERTIES));
    if (isTracked) {
      OperationReader.read(body, faults);
    } else if (body.has("operations")) {
      body.refuse(
          "operations", "the schedule has no \"tracking\"; add it there, or leave this out");
    }
    JsonNode ignore = body.get(Job.IGNORE_CONSTRAINTS);
    if (body.has(Job.IGNORE_CONSTRAINTS) && !ignore.isBoolean()) {
      body.refuse(Job.IGNORE_CONSTRAINTS, "give true or false");
    }
    Problem.refuse(faults);
    for (String name : LAUNCH_FIELDS) {
      if (body.has(name)) {
        given.set(name, body.get(name));
      }
    }
    return given;
  }

  private Job newJob(Head head, ObjectNode given) {
    Instant now = now();
    long number = Math.floorMod(random.get().getLeastSignificantBits(), (long) RANDOM_IDS);
    JobId id = JobId.ofLaunchNow(head.id(), head.generation(), now, Long.toString(number, RADIX));
    return NewJob.launchedNow(id, head.activation(), head.program(), now, given);
  }

  /**
   * Stores the job. An id consists of the millisecond and a random number. So if a job with the
   * same id is stored already, an earlier try of this insert stored it. The reply was lost, and a
   * checker has processed the job since.
   */
  private JobId insertLaunch(Job job) {
    jobs.insert(List.of(job));
    return job.id();
  }

  APIGatewayProxyResponseEvent skip(Call call) {
    Faults faults = new Faults();
    call.fields(faults, List.of());
    Problem.refuse(faults);
    StoredSchedule stored = lookup.required(call.scheduleId());
    ScheduleFires fires = firesOfActive(stored);
    Instant from = now();
    for (int skipped = 0; skipped < Lookup.MOST_SKIPPED_AHEAD; skipped++) {
      Instant fire =
          fires
              .next(from)
              .map(ScheduleFires.Moment::at)
              .orElseThrow(
                  () ->
                      Problem.conflict(
                          call.scheduleId() + " has no fire left to skip; give it new times"));
      Optional<JobId> job = insertSkipped(stored.head(), fire, call.caller());
      if (job.isPresent()) {
        return Answer.of(
            200,
            Json.object().put("skipped", Timestamps.text(fire)).put("jobId", job.get().toString()));
      }
      from = fire;
    }
    throw Problem.conflict(
        "the next "
            + Lookup.MOST_SKIPPED_AHEAD
            + " fires are skipped already; skip more after the first of them has passed");
  }

  private ScheduleFires firesOfActive(StoredSchedule stored) {
    Head head = stored.head();
    if (head.state() != ScheduleState.ACTIVE) {
      throw Problem.conflict(
          head.id()
              + " is "
              + head.state()
              + " and has no next fire to skip; only an ACTIVE schedule can skip one");
    }
    Compiled compiled = lookup.compiled(stored.definition());
    ScheduleFires fires = ScheduleFires.of(compiled);
    if (fires.isEmpty()) {
      throw Problem.conflict(
          "the trigger of "
              + head.id()
              + " has no cron, rate or at, so it has no fires to skip; suspend the schedule instead");
    }
    return fires;
  }

  /** Stores a skipped job under the id of the fire, so that the fire does not launch. */
  private Optional<JobId> insertSkipped(Head head, Instant fire, String by) {
    JobId id = JobId.ofFire(head.id(), head.generation(), fire);
    Job job =
        NewJob.endedBeforeLaunch(
            id,
            head.activation(),
            head.program(),
            JobState.SKIPPED,
            null,
            now(),
            Reason.of(ReasonCode.SKIPPED_BY_HAND, by));
    return jobs.insert(List.of(job)).get(0).isEmpty() ? Optional.of(id) : Optional.empty();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
