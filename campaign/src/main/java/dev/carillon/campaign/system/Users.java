package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.Queue;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.CalendarDeletion;
import dev.carillon.campaign.judge.History.CalendarVersion;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.scenario.Scenario.CalendarChange;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.Report;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import dev.carillon.document.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Users and producers. They repeat a request until it is answered, if that is safe. They do not
 * repeat a manual launch, a skip or a backfill, which would take effect twice.
 */
public final class Users {

  private static final String SKIPPED = "skipped";

  /** The milliseconds within which an event follows the answer to a PUT. */
  private static final int SOON = 1_000;

  private final Functions functions;
  private final Queue<String> ingest;
  private final Link link;
  private final List<Operation> operations = new ArrayList<>();
  private final List<CalendarVersion> calendarVersions = new ArrayList<>();
  private final List<CalendarDeletion> calendarDeletions = new ArrayList<>();

  /** The versions of documents whose PUT was refused. */
  private final Set<Integer> refused = new HashSet<>();

  /** Whether the calendar exists, according to the answers so far. */
  private boolean hasCalendar = true;

  private final List<Announcement> announcements = new ArrayList<>();
  private final List<String> malformed = new ArrayList<>();

  /** The ids of answered backfills by range. */
  private final Map<BackfillRange, String> backfills = new HashMap<>();

  private Predicate<APIGatewayProxyRequestEvent> mayFail = request -> false;
  private @Nullable SeededRandom eventsAfterPuts;
  private final long answeredFrom;
  private final boolean gauged;
  private long openFrom;
  private int numbers;

  /**
   * @param answeredFrom the instant from which every request is answered, because the system has
   *     recovered
   * @param gauged whether a gauge limits all schedules
   */
  public Users(
      Functions functions, Queue<String> ingest, Link link, long answeredFrom, boolean gauged) {
    this.answeredFrom = answeredFrom;
    this.gauged = gauged;
    this.openFrom = gauged ? History.NEVER : link.simulator().now();
    this.functions = functions;
    this.ingest = ingest;
    this.link = link;
  }

  /**
   * Sends a request to the api. The answer is null if no answer came, or if the answer leaves it
   * open what happened.
   */
  void call(
      APIGatewayProxyRequestEvent request,
      Consumer<@Nullable APIGatewayProxyResponseEvent> onAnswer) {
    call(request, task -> {}, onAnswer);
  }

  /**
   * Like {@link #call(APIGatewayProxyRequestEvent, Consumer)}.
   *
   * @param onEnd receives the invocation when it has ended
   */
  void call(
      APIGatewayProxyRequestEvent request,
      Consumer<Task> onEnd,
      Consumer<@Nullable APIGatewayProxyResponseEvent> onAnswer) {
    APIGatewayProxyResponseEvent[] answer = new APIGatewayProxyResponseEvent[1];
    functions.invoke(
        FunctionName.API,
        instance -> answer[0] = instance.answer(request),
        task -> {
          onEnd.accept(task);
          APIGatewayProxyResponseEvent given = task.isKilled() ? null : answer[0];
          boolean known =
              given != null && given.getStatusCode() < 500 && given.getStatusCode() != 429;
          if (!known && isUnexplained(request, given)) {
            String asked = request.getHttpMethod() + " " + request.getResource();
            link.simulator().fail(asked, "has no answer although no fault is active");
          }
          onAnswer.accept(known ? given : null);
        });
  }

  /** Sets which requests can fail because an item cannot be read. */
  public void expectFailures(Predicate<APIGatewayProxyRequestEvent> requests) {
    mayFail = requests;
  }

  /**
   * Makes producers send events soon after PUTs. Each event comes within a second after the answer
   * to the PUT of a schedule that waits for it.
   *
   * @param random draws how soon
   */
  public void sendEventsAfterPuts(SeededRandom random) {
    eventsAfterPuts = random;
  }

  private void stored(ScheduleSpec spec) {
    SeededRandom random = eventsAfterPuts;
    if (random == null || link.simulator().now() >= answeredFrom) {
      return;
    }
    spec.leaves().stream()
        .filter(Partitions.class::isInstance)
        .map(leaf -> ((Partitions) leaf).dataset())
        .findFirst()
        .ifPresent(
            dataset -> {
              long at = link.simulator().now() + random.between(0, SOON);
              announce(new ProducedEvent(at, dataset, 1, Channel.MESSAGE));
            });
  }

  /** Whether no fault explains that a request failed. */
  private boolean isUnexplained(
      APIGatewayProxyRequestEvent request, @Nullable APIGatewayProxyResponseEvent given) {
    if (link.simulator().now() >= answeredFrom) {
      return true;
    }
    if (link.faults().firstAt() != Long.MAX_VALUE) {
      return false;
    }
    boolean namesItem = given != null && given.getBody().contains("cannot be read");
    return !namesItem || !mayFail.test(request);
  }

  // ---- schedules

  public void carryOut(List<UserAction> script) {
    if (!script.isEmpty()) {
      UserAction first = script.get(0);
      link.simulator().at(first.at(), () -> new PendingAction(script, first).begin());
    }
  }

  /** One action until its answer; then the rest of the script follows. */
  private final class PendingAction {
    final List<UserAction> script;
    final UserAction action;
    final Kind kind;
    final int number = ++numbers;
    final long called = link.simulator().now();
    boolean mayBeDone;

    PendingAction(List<UserAction> script, UserAction action) {
      this.script = script;
      this.action = action;
      this.kind = storesAgain(action) ? Kind.PUT : action.kind();
    }

    /** Whether a LABEL stores the document, because the PUT of this document was refused. */
    private boolean storesAgain(UserAction action) {
      return action.kind() == Kind.LABEL
          && action.spec() != null
          && refused.contains(action.spec().version());
    }

    void begin() {
      if (action.kind() == Kind.CANCEL && !backfills.containsKey(backfillRange())) {
        continueScript();
        return;
      }
      link.trace().add(link.simulator().now(), () -> "user: " + action);
      call(request(), this::answered);
    }

    private APIGatewayProxyRequestEvent request() {
      String name = action.schedule();
      return switch (action.kind()) {
        case PUT, LABEL -> RequestBodies.onSchedule("PUT", name, "", document());
        case DELETE -> RequestBodies.onSchedule("DELETE", name, "", null);
        case SUSPEND ->
            RequestBodies.onSchedule(
                "POST", name, "/suspend", RequestBodies.suspension(action.mode(), action.until()));
        case RESUME -> RequestBodies.onSchedule("POST", name, "/resume", null);
        case SKIP -> RequestBodies.onSchedule("POST", name, "/skip", null);
        case LAUNCH ->
            RequestBodies.onSchedule(
                "POST", name, "/launch", "{\"payload\": {\"n\": " + number + "}}");
        case BACKFILL ->
            RequestBodies.onSchedule(
                "POST", name, "/backfill", RequestBodies.backfill(backfillRange()));
        case CANCEL -> RequestBodies.cancel(name, String.valueOf(backfills.get(backfillRange())));
      };
    }

    private BackfillRange backfillRange() {
      if (action.backfillRange() == null) {
        throw new IllegalStateException("the action has no range");
      }
      return action.backfillRange();
    }

    private String document() {
      if (action.spec() == null) {
        throw new IllegalStateException("the action has no document");
      }
      String label = action.kind() == Kind.LABEL ? "label " + number : "";
      return CallbackInvariants.document(
          action.schedule(), RequestBodies.document(action.spec(), label, gauged));
    }

    private void answered(@Nullable APIGatewayProxyResponseEvent answer) {
      boolean once =
          action.kind() == Kind.LAUNCH
              || action.kind() == Kind.SKIP
              || action.kind() == Kind.BACKFILL;
      mayBeDone |= answer == null;
      if (answer == null && !once) {
        link.faults().count(FaultKind.USER_REPEATS);
        link.simulator().at(link.simulator().now() + link.faults().millis(50, 3_000), this::begin);
        return;
      }
      record(answer);
      continueScript();
    }

    private void continueScript() {
      int next = script.indexOf(action) + 1;
      carryOut(script.subList(next, script.size()));
    }

    private void record(@Nullable APIGatewayProxyResponseEvent answer) {
      int status = answer == null ? 0 : answer.getStatusCode();
      boolean isRefused = status == 400 || (status >= 300 && namesCalendar());
      boolean isPut = kind == Kind.PUT;
      if (isPut && isRefused && action.spec() != null) {
        refused.add(action.spec().version());
      }
      if (isPut && status < 300 && answer != null && action.spec() != null) {
        stored(action.spec());
      }
      boolean done = status < 300 || (isPut && !isRefused) || mayBeDoneBefore();
      boolean known = answer != null && !(isPut && isRefused && mayBeDone);
      long returned = known ? link.simulator().now() : History.NEVER;
      link.trace().add(link.simulator().now(), () -> "user: " + action + " answered " + status);
      operations.add(
          new Operation(
              action.schedule(),
              kind,
              number,
              isPut ? action.spec() : null,
              called,
              returned,
              done && answer != null,
              answer == null ? null : answerText(answer),
              action.mode(),
              action.until(),
              action.backfillRange()));
    }

    /**
     * Whether a request can be refused because the calendar no longer exists. Such a refusal does
     * not undo an earlier attempt.
     */
    private boolean namesCalendar() {
      return action.spec() != null && action.spec().namesCalendar();
    }

    /**
     * Whether a refused request may have succeeded before. A request that is repeated by the user
     * or within the api is refused if its first attempt succeeded, because nothing is left to
     * delete, or no fire is left after the resumption.
     */
    private boolean mayBeDoneBefore() {
      return action.kind() == Kind.DELETE || action.kind() == Kind.RESUME;
    }

    private @Nullable String answerText(APIGatewayProxyResponseEvent answer) {
      if (action.kind() == Kind.CANCEL) {
        return backfills.get(backfillRange());
      }
      List<String> fields =
          switch (action.kind()) {
            case LAUNCH -> List.of("jobId");
            case SKIP -> List.of(SKIPPED);
            case BACKFILL -> List.of("backfillId", "fires");
            default -> List.of();
          };
      if (fields.isEmpty()) {
        return null;
      }
      try {
        JsonNode body = Json.read(answer.getBody());
        if (action.kind() == Kind.BACKFILL && body.has("backfillId")) {
          backfills.put(backfillRange(), body.path("backfillId").asText());
        }
        if (action.kind() == Kind.SKIP && body.has(SKIPPED)) {
          // The text is converted to the judge's form of instants, which may differ from the form
          // in answers.
          return Instant.parse(body.path(SKIPPED).asText()).toString();
        }
        return fields.stream()
            .map(field -> body.path(field).asText())
            .collect(Collectors.joining(" "));
      } catch (JsonProcessingException notJson) {
        throw new IllegalStateException("the answer is not JSON", notJson);
      }
    }
  }

  // ---- the gauge

  /** Reports each value until the report is answered, and then reports the next value. */
  public void report(List<Report> reports) {
    if (!reports.isEmpty()) {
      link.simulator().at(reports.get(0).at(), () -> reportFirst(reports));
    }
  }

  private void reportFirst(List<Report> reports) {
    Report report = reports.get(0);
    link.trace().add(link.simulator().now(), () -> "user: " + report);
    call(
        RequestBodies.onGauge(report),
        answer -> {
          if (answer == null) {
            link.faults().count(FaultKind.USER_REPEATS);
            link.simulator()
                .at(
                    link.simulator().now() + link.faults().millis(50, 3_000),
                    () -> reportFirst(reports));
            return;
          }
          if (reports.size() == 1) {
            openFrom = link.simulator().now();
          }
          report(reports.subList(1, reports.size()));
        });
  }

  /**
   * The instant from which the gauge is open permanently; {@link History#NEVER} if it is never open
   * permanently.
   */
  public long openFrom() {
    return openFrom;
  }

  // ---- the calendar

  /** Requests each change until the request is answered, and then requests the next change. */
  public void exclude(List<CalendarChange> changes) {
    if (!changes.isEmpty()) {
      CalendarChange first = changes.get(0);
      link.simulator()
          .at(first.at(), () -> exclude(changes, Math.max(first.at(), link.simulator().now())));
    }
  }

  private void exclude(List<CalendarChange> changes, long called) {
    exclude(changes, called, false);
  }

  /**
   * @param again whether an earlier attempt was not answered
   */
  private void exclude(List<CalendarChange> changes, long called, boolean again) {
    CalendarChange change = changes.get(0);
    link.trace().add(link.simulator().now(), () -> "user: " + change);
    call(
        RequestBodies.onCalendar(change.timeRanges()),
        answer -> {
          long now = link.simulator().now();
          if (answer == null) {
            link.faults().count(FaultKind.USER_REPEATS);
            link.simulator()
                .at(now + link.faults().millis(50, 3_000), () -> exclude(changes, called, true));
            return;
          }
          int status = answer.getStatusCode();
          link.trace().add(now, () -> "user: " + change + " answered " + status);
          List<TimeRange> timeRanges = change.timeRanges();
          if (timeRanges == null) {
            removed(called, again, status);
          } else if (status < 300) {
            hasCalendar = true;
            calendarVersions.add(new CalendarVersion(called, now, timeRanges));
          } else {
            throw new IllegalStateException("the calendar was refused: " + answer.getBody());
          }
          exclude(changes.subList(1, changes.size()));
        });
  }

  /** Records a deletion, unless the calendar was absent before the first attempt. */
  private void removed(long called, boolean again, int status) {
    if (status != 404 || (again && hasCalendar)) {
      calendarDeletions.add(new CalendarDeletion(called, link.simulator().now(), status != 409));
    }
    hasCalendar = status == 409;
  }

  public List<CalendarDeletion> calendarDeletions() {
    return calendarDeletions;
  }

  public List<CalendarVersion> calendarVersions() {
    return calendarVersions;
  }

  // ---- events

  public void announce(ProducedEvent produced) {
    link.simulator().at(produced.at(), () -> send(produced));
  }

  private void send(ProducedEvent produced) {
    long now = link.simulator().now();
    if (produced.channel() == Channel.MALFORMED) {
      String body = "{\"eventType\": \"PARTITION\", \"number\": " + ++numbers;
      malformed.add(body);
      ingest.accept(body, 0);
    } else if (produced.channel() == Channel.MESSAGE_WITHOUT_ID) {
      String id = ingest.accept(RequestBodies.event(null, produced), 0);
      announcements.add(announcement(produced, id, now, now));
    } else {
      String id = "event-" + ++numbers;
      String event = RequestBodies.event(id, produced);
      if (produced.channel() == Channel.API) {
        post(produced, id, event, now);
      } else {
        ingest.accept(event, 0);
        announcements.add(announcement(produced, id, now, now));
        if (link.faults().inject(FaultKind.EVENT_REPEATED)) {
          link.simulator().at(now + link.faults().millis(0, 60_000), () -> ingest.accept(event, 0));
        }
      }
    }
  }

  private void post(ProducedEvent produced, String id, String event, long first) {
    call(
        RequestBodies.events(event),
        answer -> {
          long now = link.simulator().now();
          if (answer == null) {
            link.faults().count(FaultKind.USER_REPEATS);
            link.simulator()
                .at(now + link.faults().millis(50, 3_000), () -> post(produced, id, event, first));
          } else {
            announcements.add(announcement(produced, id, first, now));
          }
        });
  }

  private static Announcement announcement(
      ProducedEvent produced, String id, long sent, long accepted) {
    return new Announcement(
        id, produced.dataset(), produced.weight(), sent, accepted, produced.fact());
  }

  public List<Operation> operations() {
    return operations;
  }

  public List<Announcement> announcements() {
    return announcements;
  }

  public List<String> malformed() {
    return malformed;
  }
}
