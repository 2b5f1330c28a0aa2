package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Changes.Outcome;
import dev.carillon.constraint.Limit;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.StoredSchedule;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Shows the schedules, gates and jobs of a program, and deletes its schedules. */
final class ProgramRoutes {

  /**
   * The most schedules whose jobs are merged into one list, because the cursor holds a position in
   * each of them.
   */
  static final int MOST_MERGED = 50;

  private static final int MOST_SHOWN = 100;
  private static final int PAGE = 1_000;
  private static final int LAST_RUNS = 10;
  private static final int READ_FOR_RUNS = 50;

  /** How many reads find launched jobs among others. */
  private static final int MOST_READS = 10;

  private static final Conditions ANY = new Conditions(null, null);

  private final Schedules schedules;
  private final Lookup lookup;
  private final Changes changes;
  private final GateViews gates;
  private final JobHistory history;
  private final InstantSource clock;
  private final Fanout fanout;

  ProgramRoutes(
      Schedules schedules,
      Lookup lookup,
      Changes changes,
      GateViews gates,
      JobHistory history,
      InstantSource clock,
      Fanout fanout) {
    this.schedules = schedules;
    this.lookup = lookup;
    this.changes = changes;
    this.gates = gates;
    this.history = history;
    this.clock = clock;
    this.fanout = fanout;
  }

  APIGatewayProxyResponseEvent get(Call call) {
    GateKey program = call.program();
    Page<StoredSchedule> stored = of(program, MOST_SHOWN, null);
    Gate own = gate(gates.find(Set.of(program)), program);
    Set<GateKey> keys = gatesOf(own);
    Map<GateKey, Gate> found = gates.find(keys);
    if (stored.items().isEmpty() && own.countsNothing()) {
      throw missing(program);
    }
    Instant now = clock.instant();
    ObjectNode view =
        Json.object().put("namespace", program.namespace()).put("name", program.name());
    addSchedules(stored, now, view);
    ArrayNode limits = view.putArray("limits");
    for (Limit limit : own.limits()) {
      GateKey key = limit.gate(program.namespace(), program.name());
      limits.add(GateViews.limit(limit, gate(found, key), now));
    }
    ArrayNode shown = view.putArray("gates");
    keys.forEach(key -> shown.add(gates.gate(gate(found, key), now)));
    view.putArray("lastRuns").addAll(lastRuns(stored.items()));
    return Answer.of(200, view);
  }

  private void addSchedules(Page<StoredSchedule> stored, Instant now, ObjectNode view) {
    Map<ScheduleId, Instant> fires = lookup.nextFires(stored.items(), now);
    ArrayNode list = view.putArray("schedules");
    for (StoredSchedule one : stored.items()) {
      list.addObject()
          .put("name", one.head().id().name())
          .put("state", one.head().state().name())
          .put("nextFire", ScheduleView.text(fires.get(one.head().id())));
    }
    view.put("moreSchedules", stored.next() != null);
  }

  private static Gate gate(Map<GateKey, Gate> found, GateKey key) {
    return found.getOrDefault(key, Gate.unused(key));
  }

  /** The gate of the program, and the gates that the limits of its schedules name. */
  private static Set<GateKey> gatesOf(Gate program) {
    Set<GateKey> keys = new TreeSet<>(GateKey.ORDER);
    keys.add(program.key());
    for (Limit limit : program.limits()) {
      keys.add(limit.gate(program.key().namespace(), program.key().name()));
    }
    return keys;
  }

  /** The newest jobs of the program that were launched. */
  private List<ObjectNode> lastRuns(List<StoredSchedule> stored) {
    List<ScheduleId> newest =
        stored.stream().limit(MOST_MERGED).map(one -> one.head().id()).toList();
    List<ObjectNode> launched = new ArrayList<>();
    String next = null;
    for (int read = 0; read < MOST_READS; read++) {
      Page<ObjectNode> page = history.page(newest, null, READ_FOR_RUNS, next);
      page.items().stream().filter(job -> job.hasNonNull("launchedAt")).forEach(launched::add);
      next = page.next();
      if (next == null || launched.size() >= LAST_RUNS) {
        break;
      }
    }
    return launched.stream().limit(LAST_RUNS).toList();
  }

  /** The jobs of a program, newest first. */
  APIGatewayProxyResponseEvent jobs(Call call) {
    GateKey program = call.program();
    Faults faults = new Faults();
    Fields query = call.query(faults);
    JobState state = JobRoutes.state(query);
    int limit = Listing.limit(query);
    String list = "jobs of " + program + " " + state;
    String from = Cursor.open(query, list, JobHistory::isPosition);
    Problem.refuse(faults);
    List<ScheduleId> merged = merged(program);
    return Answer.of(
        200,
        Listing.fitting(
            limit,
            items -> {
              Page<ObjectNode> page = history.page(merged, state, items, from);
              return Listing.page("jobs", page.items(), Cursor.seal(list, page.next()));
            }));
  }

  private List<ScheduleId> merged(GateKey program) {
    Page<StoredSchedule> stored = of(program, MOST_MERGED, null);
    if (stored.next() != null) {
      throw Problem.conflict(
          "more than %d schedules launch the program %s; list the jobs of each schedule instead"
              .formatted(MOST_MERGED, program.name()));
    }
    if (stored.items().isEmpty() && gate(gates.find(Set.of(program)), program).countsNothing()) {
      throw missing(program);
    }
    return stored.items().stream().map(one -> one.head().id()).toList();
  }

  /**
   * Deletes the program's schedules, except those of apps, which only deployments delete. A caller
   * can repeat the call.
   */
  APIGatewayProxyResponseEvent delete(Call call) {
    Deadline deadline = new Deadline(clock.instant().plus(Members.TIME_FOR_CHANGES), clock);
    GateKey program = call.program();
    List<ScheduleId> ids = idsOf(program);
    Collection<Outcome> known = new ConcurrentLinkedQueue<>();
    try {
      fanout.forEach(
          ids,
          id -> {
            if (!deadline.hasPassed()) {
              known.add(deletion(id, program.name()));
            }
          });
    } catch (RuntimeException failure) {
      throw Incomplete.after(deleted(known), ids.size(), "deleted", failure);
    }
    long done = deleted(known);
    if (known.size() < ids.size()) {
      throw Problem.unavailable(
          "%d of %d schedules were deleted within the time limit of a request; send the same request again"
              .formatted(done, ids.size()));
    }
    Cancelled cancelled =
        known.stream().map(Outcome::cancelled).reduce(Cancelled.NONE, Cancelled::plus);
    return Answer.of(
        200,
        Json.object()
            .put("deleted", done)
            .put("keptByApps", known.stream().filter(ProgramRoutes::isKept).count())
            .set("cancelled", cancelled.view()));
  }

  private static long deleted(Collection<Outcome> outcomes) {
    return outcomes.stream().filter(outcome -> outcome.change() != null).count();
  }

  private Outcome deletion(ScheduleId id, String program) {
    return changes.apply(
        id,
        ANY,
        present ->
            launches(present.schedule(), program)
                .filter(stored -> stored.head().app() == null)
                .map(stored -> DesiredState.deletion(stored, clock.instant())));
  }

  private static boolean isKept(Outcome outcome) {
    ParsedSchedule stored = outcome.before().schedule();
    return outcome.change() == null && stored != null && stored.head().app() != null;
  }

  private static Optional<ParsedSchedule> launches(
      @Nullable ParsedSchedule stored, String program) {
    return Optional.ofNullable(stored).filter(one -> program.equals(one.head().program()));
  }

  private List<ScheduleId> idsOf(GateKey program) {
    List<ScheduleId> ids = new ArrayList<>();
    String next = null;
    do {
      Page<StoredSchedule> page = of(program, PAGE, next);
      page.items().forEach(stored -> ids.add(stored.head().id()));
      next = page.next();
    } while (next != null);
    return ids;
  }

  /** A page of the program's schedules from an index, which can lag. */
  private Page<StoredSchedule> of(GateKey program, int limit, @Nullable String next) {
    ListFilter filter = new ListFilter(program.name(), null, null, null, null, null);
    return schedules.list(program.namespace(), filter, limit, next);
  }

  private static Problem missing(GateKey program) {
    return Problem.notFound(
        ("no schedule launches the program %s now; check the name, or list the unfinished jobs of deleted"
                + " schedules by GET /v1/namespaces/%s/jobs?program=%s")
            .formatted(Faults.quoted(program.name()), program.namespace(), program.name()));
  }
}
