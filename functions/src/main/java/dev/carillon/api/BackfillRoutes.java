package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.Order;
import dev.carillon.backfill.Backfills;
import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts, reads and cancels backfills. A backfill launches the fires of a past range. */
final class BackfillRoutes {

  /**
   * The default is one job at a time, because the work of a day often builds on that of the day
   * before.
   */
  private static final int DEFAULT_CONCURRENCY = 1;

  private static final int RADIX = 36;
  private static final long NAMES = RADIX * RADIX * RADIX * RADIX * RADIX;
  private static final Logger LOG = LoggerFactory.getLogger(BackfillRoutes.class);

  private final Lookup lookup;
  private final Backfills backfills;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;
  private final Supplier<UUID> random;

  BackfillRoutes(
      Lookup lookup,
      Backfills backfills,
      CheckQueue checks,
      OptimisticUpdate updates,
      InstantSource clock,
      Supplier<UUID> random) {
    this.lookup = lookup;
    this.backfills = backfills;
    this.checks = checks;
    this.updates = updates;
    this.clock = clock;
    this.random = random;
  }

  /** The parameters of a request. */
  private record Parameters(
      Instant from, Instant to, int concurrency, boolean isDryRun, boolean isConfirmed) {}

  APIGatewayProxyResponseEvent start(Call call) {
    Instant now = now();
    Parameters parameters = parameters(call, now);
    StoredSchedule stored = lookup.required(call.scheduleId());
    PastFires range = PastFires.of(times(stored), parameters.from(), parameters.to(), clock);
    refuse(range, parameters);
    if (parameters.isDryRun()) {
      ObjectNode answer = Json.object().put("fires", range.count());
      answer.put("concurrency", parameters.concurrency());
      var first = answer.putArray("first");
      range.first().forEach(fire -> first.add(Timestamps.text(fire)));
      return Answer.of(200, answer);
    }
    Head head = stored.head();
    Order order =
        new Order(
            head.generation(),
            head.activation(),
            head.program(),
            parameters.from(),
            parameters.to(),
            parameters.concurrency(),
            range.count(),
            call.caller(),
            now);
    Backfill backfill = inserted(head.id(), order, range.first().get(0));
    sendCheck(backfill.id());
    return Answer.of(202, BackfillView.of(backfill, head));
  }

  private static Parameters parameters(Call call, Instant now) {
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("from", "to", "concurrency", "dryRun", "confirm"));
    Instant from = instant(body, "from", faults);
    Instant to = instant(body, "to", faults);
    int concurrency =
        (int) body.whole("concurrency", 1, Backfill.MOST_AT_A_TIME, DEFAULT_CONCURRENCY);
    boolean isDryRun = flag(body, "dryRun");
    boolean isConfirmed = flag(body, "confirm");
    if (from != null && to != null && !from.isBefore(to)) {
      body.refuse("from", "give an instant before \"to\"");
    }
    if (to != null && to.isAfter(now)) {
      body.refuse("to", "a backfill covers only the past; give an instant not after " + now);
    }
    Problem.refuse(faults);
    if (from == null || to == null) {
      throw new IllegalStateException("a missing from or to was not refused");
    }
    return new Parameters(from, to, concurrency, isDryRun, isConfirmed);
  }

  /** Reads an instant; null if it is refused. */
  private static @Nullable Instant instant(Fields body, String name, Faults faults) {
    int before = faults.found().size();
    if (!body.has(name)) {
      body.refuse(name, "give an ISO-8601 instant like \"2030-01-31T08:00:00Z\"");
    }
    Instant given = body.optionalInstant(name);
    return faults.found().size() == before ? given : null;
  }

  private static boolean flag(Fields body, String name) {
    if (body.has(name) && !body.get(name).isBoolean()) {
      body.refuse(name, "give true or false");
    }
    return body.get(name).asBoolean();
  }

  private List<FireTimes> times(StoredSchedule stored) {
    Compiled compiled = lookup.compiled(stored.definition());
    List<FireTimes> times = compiled.fireTimes();
    if (!compiled.schedule().trigger().isPlainTime() || times.isEmpty()) {
      String detail =
          "the trigger of %s does not consist of cron, rate and at only, so it has no past fires;"
              + " launch its jobs manually";
      throw Problem.conflict(List.of(new Fault("", detail.formatted(stored.head().id()))));
    }
    return times;
  }

  private static void refuse(PastFires range, Parameters parameters) {
    if (range.count() == 0) {
      throw Problem.invalid(
          "/from",
          "the schedule has no fire after %s and up to %s; give a range with a fire"
              .formatted(ScheduleView.text(parameters.from()), ScheduleView.text(parameters.to())));
    }
    if (range.count() > Backfill.MOST_FIRES) {
      throw Problem.invalid(
          "/to",
          "the schedule has more than %,d fires after %s and up to %s; give a shorter range"
              .formatted(
                  Backfill.MOST_FIRES,
                  ScheduleView.text(parameters.from()),
                  ScheduleView.text(parameters.to())));
    }
    boolean isConfirmed = parameters.isDryRun() || parameters.isConfirmed();
    if (range.count() > Backfill.MOST_UNCONFIRMED && !isConfirmed) {
      throw Problem.invalid(
          "/confirm",
          "the range has %,d fires, more than %,d; give \"confirm\": true to launch all of them"
              .formatted(range.count(), Backfill.MOST_UNCONFIRMED));
    }
  }

  /**
   * Stores a new backfill. If a backfill with the same name and the same {@code order} is stored
   * already, an earlier try of this insert stored it: the reply was lost, and a checker has
   * processed the backfill since.
   */
  private Backfill inserted(ScheduleId schedule, Order order, Instant first) {
    return updates.run(
        "the names of backfills of " + schedule,
        () -> {
          long number = Math.floorMod(random.get().getLeastSignificantBits(), NAMES);
          BackfillId id = new BackfillId(schedule, Long.toString(number, RADIX));
          Backfill backfill = Backfill.create(id, order, first);
          return Attempt.of(backfills.saveBackfill(null, backfill) || isOf(order, id), backfill);
        });
  }

  private boolean isOf(Order order, BackfillId id) {
    Backfill present = backfills.backfills(List.of(id)).get(id);
    return present != null && present.order().equals(order);
  }

  APIGatewayProxyResponseEvent get(Call call) {
    Head head = head(call);
    return Answer.of(200, BackfillView.of(required(call, head), head));
  }

  /**
   * Cancels a backfill. Once the cancellation is stored, the backfill launches nothing more; its
   * next check cancels its waiting jobs.
   */
  APIGatewayProxyResponseEvent cancel(Call call) {
    Head head = head(call);
    String reason = "cancelled by " + call.caller();
    Backfill cancelled =
        updates.run("a backfill of " + head.id(), () -> cancel(required(call, head), reason));
    if (!cancelled.hasEnded()) {
      sendCheck(cancelled.id());
    }
    return Answer.empty(204);
  }

  private Attempt<Backfill> cancel(Backfill stored, String reason) {
    Instant now = now();
    Backfill after = stored.hasEnded() ? stored : stored.cancelled(reason).withNextCheck(true, now);
    return Attempt.of(
        after.equals(stored) || backfills.saveBackfill(stored, after.stored()), after);
  }

  private Head head(Call call) {
    ScheduleId schedule = call.scheduleId();
    Head head = lookup.head(schedule);
    if (head == null) {
      throw Lookup.missing(schedule);
    }
    return head;
  }

  private Backfill required(Call call, Head head) {
    String name = call.path("id");
    Problem missing =
        Problem.notFound(
            "there is no backfill "
                + Faults.quoted(name)
                + " of "
                + head.id()
                + "; the answer that started it has its id, and the ids of its jobs end with it");
    if (!name.matches(BackfillId.NAME_PATTERN)) {
      throw missing;
    }
    BackfillId id = new BackfillId(head.id(), name);
    Backfill stored = backfills.backfills(List.of(id)).get(id);
    if (stored == null) {
      throw missing;
    }
    return stored;
  }

  private void sendCheck(BackfillId id) {
    try {
      Instant now = now();
      checks.send(Check.of(now, List.of(id)), now);
    } catch (RuntimeException unavailable) {
      LOG.warn("no check could be sent for {}; the master sends it later", id, unavailable);
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
