package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.Target;
import dev.carillon.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows the next fires of a schedule, stored or not, with the requests that they would send. For a
 * trigger that also waits for events, shows the fires of its time leaves; their requests lack the
 * values that only events provide.
 */
final class PreviewRoutes {

  private static final int MOST_FIRES = 1_000;
  private static final int DEFAULT_FIRES = 10;

  /**
   * The longest time that a preview computes. The limit keeps previews from using up the concurrent
   * executions of the account; {@code limits.md} has the figures.
   */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private static final int MOST_BODY_BYTES = Bounds.MOST_BYTES + 4 * 1024;
  private static final ScheduleId UNNAMED = new ScheduleId("default", "preview");
  private static final String AUTHOR = "preview";
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

  private final Lookup lookup;
  private final ScheduleParser parser;
  private final ExcludedCalendars calendars;
  private final TargetPolicy policy;
  private final Requests requests;
  private final InstantSource clock;

  PreviewRoutes(
      Lookup lookup,
      ScheduleParser parser,
      ExcludedCalendars calendars,
      TargetPolicy policy,
      InstantSource clock) {
    this.lookup = lookup;
    this.parser = parser;
    this.calendars = calendars;
    this.policy = policy;
    this.clock = clock;
    this.requests = new Requests(policy.allowingAll());
  }

  /** The preview of a stored schedule. */
  APIGatewayProxyResponseEvent ofStored(Call call) {
    StoredSchedule stored = lookup.required(call.scheduleId());
    Deadline deadline = new Deadline(clock.instant().plus(LONGEST), clock);
    Faults faults = new Faults();
    Window window = window(call.query(faults));
    Problem.refuse(faults);
    Compiled compiled = lookup.compiled(stored.definition());
    List<ScheduleFires.Moment> moments =
        moments(compiled, window, deadline, fires -> lookup.skipped(compiled.definition(), fires))
            .orElseThrow(() -> tooLong("/query/count"));
    return Answer.of(200, preview(compiled, moments, deadline));
  }

  /**
   * The preview of a submitted document. Its {@code rate} triggers begin at {@code from}; its
   * calendars are those of the namespace {@code default}.
   */
  APIGatewayProxyResponseEvent ofDocument(Call call) {
    return ofDocument(
        call, UNNAMED, (schedule, from) -> Lifecycle.create(null, schedule, from, AUTHOR));
  }

  /**
   * The preview of a submitted document as if it were stored under its name. It uses the calendars
   * of its namespace. If storing the document would keep the generation, the preview also uses the
   * instants of the stored schedule.
   */
  APIGatewayProxyResponseEvent ofNamedDocument(Call call) {
    return ofDocument(call, call.scheduleId(), this::change);
  }

  private APIGatewayProxyResponseEvent ofDocument(
      Call call, ScheduleId id, BiFunction<Schedule, Instant, Change> store) {
    Deadline deadline = new Deadline(clock.instant().plus(LONGEST), clock);
    JsonNode body = call.body(MOST_BODY_BYTES);
    Faults faults = new Faults();
    Fields fields = Fields.of(body, "", faults);
    fields.allowOnly(List.of("schedule", "from", "count"));
    Window window = window(fields);
    Schedule schedule = schedule(id, fields, window.from());
    Problem.refuse(faults);
    if (schedule == null) {
      throw new IllegalStateException("a document without faults was not parsed");
    }
    Definition definition =
        Objects.requireNonNull(store.apply(schedule, window.from()).definition());
    Compiled compiled = lookup.withCalendars(new Compiled(definition, schedule));
    List<ScheduleFires.Moment> moments =
        moments(compiled, window, deadline, fires -> Set.of()).orElseThrow(() -> tooLong("/count"));
    return Answer.of(200, preview(compiled, moments, deadline));
  }

  /** The change that storing a document at {@code from} would make. */
  private Change change(Schedule schedule, Instant from) {
    StoredSchedule stored = lookup.find(schedule.id()).orElse(null);
    if (stored == null) {
      return Lifecycle.create(lookup.head(schedule.id()), schedule, from, AUTHOR);
    }
    return schedule.isSameGenerationAs(stored.definition().document())
        ? Lifecycle.annotate(stored, schedule, from)
        : Lifecycle.replace(stored, Set.of(), schedule, from, AUTHOR);
  }

  private @Nullable Schedule schedule(ScheduleId id, Fields fields, Instant from) {
    if (!fields.has("schedule")) {
      fields.refuse("schedule", "give the document of a schedule");
      return null;
    }
    JsonNode document = fields.get("schedule");
    Schedule schedule = null;
    try {
      schedule = parser.parse(id, document, from);
      checkQueue(fields, schedule.target(), "/target/queue");
      checkQueue(fields, schedule.onEnd(), "/onEnd/queue");
    } catch (InvalidDocument invalid) {
      fields.include("schedule", invalid.faults());
    }
    fields.include("schedule", calendars.faults(id, document, schedule, from));
    return schedule;
  }

  private void checkQueue(Fields fields, @Nullable Target target, String pointer) {
    try {
      if (target != null && target.queue() != null) {
        policy.resolve(target.queue());
      }
    } catch (IllegalArgumentException noQueue) {
      String why = String.valueOf(noQueue.getMessage());
      fields.include("schedule", List.of(new Fault(pointer, why)));
    }
  }

  /**
   * The requested fires.
   *
   * @param from exclusive
   */
  private record Window(Instant from, int count) {}

  private Window window(Fields given) {
    Instant from = given.optionalInstant("from");
    int count = (int) given.whole("count", 1, MOST_FIRES, DEFAULT_FIRES);
    return new Window(from == null ? clock.instant().truncatedTo(ChronoUnit.MILLIS) : from, count);
  }

  private static Problem tooLong(String count) {
    return Problem.invalid(
        count,
        "the fires are not found within %d s; ask for fewer, or give a trigger and calendars that need less computing"
            .formatted(LONGEST.toSeconds()));
  }

  /**
   * The requested fires without those that were skipped; empty if the deadline passes before they
   * are found. Callers can skip only the next fires, so the search for skipped fires ends at the
   * first batch without one that reaches the present.
   *
   * @param skipped finds the skipped fires among some
   */
  private Optional<List<ScheduleFires.Moment>> moments(
      Compiled compiled,
      Window window,
      Deadline deadline,
      Function<List<Instant>, Set<Instant>> skipped) {
    ScheduleFires fires = ScheduleFires.of(compiled);
    List<ScheduleFires.Moment> wanted = new ArrayList<>();
    Instant from = window.from();
    Instant now = clock.instant();
    boolean canBeSkipped = true;
    while (wanted.size() < window.count()) {
      int most = Math.min(window.count() - wanted.size(), Lookup.MOST_SKIPPED_AHEAD);
      List<ScheduleFires.Moment> next = fires.next(from, most, deadline);
      if (next.size() < most && deadline.hasPassed()) {
        return Optional.empty();
      }
      if (next.isEmpty()) {
        break;
      }
      from = next.get(next.size() - 1).at();
      List<Instant> instants = next.stream().map(ScheduleFires.Moment::at).toList();
      Set<Instant> excluded = canBeSkipped ? skipped.apply(instants) : Set.of();
      canBeSkipped = !excluded.isEmpty() || !from.isAfter(now);
      next.stream().filter(one -> !excluded.contains(one.at())).forEach(wanted::add);
    }
    return Optional.of(wanted);
  }

  /** Renders requests until the answer is full or the deadline has passed. */
  private ObjectNode preview(
      Compiled compiled, List<ScheduleFires.Moment> moments, Deadline deadline) {
    ObjectNode preview = Json.object().put("description", TriggerText.of(compiled));
    ArrayNode fires = preview.putArray("fires");
    int room = Listing.MOST_ANSWER_BYTES;
    for (ScheduleFires.Moment moment : moments) {
      boolean isRendered = room >= 0 && !deadline.hasPassed();
      ObjectNode fire = fire(moment, isRendered ? request(compiled, moment.at()) : null);
      room -= Listing.bytes(fire);
      if (room < 0) {
        fire.putNull("request");
      }
      fires.add(fire);
    }
    return preview;
  }

  private static ObjectNode fire(ScheduleFires.Moment moment, @Nullable ObjectNode request) {
    ObjectNode fire =
        Json.object()
            .put("scheduledFor", Timestamps.text(moment.at()))
            .put("local", LOCAL.format(moment.at().atZone(moment.zone())));
    var shift = moment.shift();
    fire.put("dst", shift == null ? null : shift.name().toLowerCase(Locale.ROOT));
    return fire.set("request", request);
  }

  /** The request that a fire would send; null if it could not be sent. */
  private @Nullable ObjectNode request(Compiled compiled, Instant at) {
    Definition definition = compiled.definition();
    JobId id = JobId.ofFire(definition.id(), definition.generation(), at);
    Job job = NewJob.launchingFire(id, 1, compiled.schedule().program(), at, at);
    if (!(requests.of(compiled, job) instanceof Requests.Ready ready)) {
      return null;
    }
    LaunchRequest rendered = ready.request();
    ObjectNode request = Json.object().put("body", rendered.body());
    ObjectNode attributes = request.putObject("attributes");
    new TreeMap<>(rendered.attributes()).forEach(attributes::put);
    return request;
  }
}
