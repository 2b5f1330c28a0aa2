package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.Queue;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Opening;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Past;
import dev.carillon.campaign.judge.History.Removal;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.scenario.Scenario.Excluding;
import dev.carillon.campaign.scenario.Scenario.Fact;
import dev.carillon.campaign.scenario.Scenario.Report;
import dev.carillon.campaign.scenario.Scenario.Wanted;
import dev.carillon.campaign.scenario.Scenario.Way;
import dev.carillon.document.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Users and producers. What can be repeated is repeated until there is an answer; a launch by hand,
 * a skip and a backfill are not, as they would do a second thing.
 */
public final class Users {

  private static final String SKIPPED = "skipped";

  private final Functions functions;
  private final Queue<String> ingest;
  private final Link link;
  private final List<Operation> operations = new ArrayList<>();
  private final List<Opening> openings = new ArrayList<>();
  private final List<Removal> removals = new ArrayList<>();

  /** The versions of documents that were refused when they were first to be stored. */
  private final Set<Integer> refused = new HashSet<>();

  /** Whether the calendar is there, as far as users were told. */
  private boolean hasCalendar = true;

  private final List<Announcement> announcements = new ArrayList<>();
  private final List<String> malformed = new ArrayList<>();

  /** The ids of those that were answered, by what was asked for. */
  private final Map<Past, String> backfills = new HashMap<>();

  private final long answeredFrom;
  private final boolean gauged;
  private long openFrom;
  private int numbers;

  /**
   * @param answeredFrom when everything is in order again: whoever asks has an answer from then on
   * @param gauged whether all schedules are under a gauge
   */
  public Users(
      Functions functions, Queue<String> ingest, Link link, long answeredFrom, boolean gauged) {
    this.answeredFrom = answeredFrom;
    this.gauged = gauged;
    this.openFrom = gauged ? History.NEVER : link.steps().now();
    this.functions = functions;
    this.ingest = ingest;
    this.link = link;
  }

  /**
   * GateDemands for something; the answer is null if none came or it does not say what happened.
   */
  void call(
      APIGatewayProxyRequestEvent request,
      Consumer<@Nullable APIGatewayProxyResponseEvent> onAnswer) {
    APIGatewayProxyResponseEvent[] answer = new APIGatewayProxyResponseEvent[1];
    functions.invoke(
        Part.API,
        instance -> answer[0] = instance.api().handle(request),
        task -> {
          APIGatewayProxyResponseEvent given = task.isKilled() ? null : answer[0];
          boolean known =
              given != null && given.getStatusCode() < 500 && given.getStatusCode() != 429;
          if (!known && link.steps().now() >= answeredFrom) {
            String asked = request.getHttpMethod() + " " + request.getResource();
            link.steps().fail(asked, "has no answer, although nothing is wrong any more");
          }
          onAnswer.accept(known ? given : null);
        });
  }

  // ---- schedules

  public void carryOut(List<Wanted> script) {
    if (!script.isEmpty()) {
      Wanted first = script.get(0);
      link.steps().at(first.at(), () -> new Doing(script, first).begin());
    }
  }

  /** One operation until its answer, and then the rest of the script. */
  private final class Doing {
    final List<Wanted> script;
    final Wanted wanted;
    final Kind kind;
    final int number = ++numbers;
    final long called = link.steps().now();
    boolean mayBeDone;

    Doing(List<Wanted> script, Wanted wanted) {
      this.script = script;
      this.wanted = wanted;
      this.kind = storesAnew(wanted) ? Kind.PUT : wanted.kind();
    }

    /** To label what was refused is to store it after all. */
    private boolean storesAnew(Wanted wanted) {
      return wanted.kind() == Kind.LABEL
          && wanted.wish() != null
          && refused.contains(wanted.wish().version());
    }

    void begin() {
      if (wanted.kind() == Kind.CANCEL && !backfills.containsKey(past())) {
        goOn();
        return;
      }
      link.trace().add(link.steps().now(), () -> "user: " + wanted);
      call(request(), this::answered);
    }

    private APIGatewayProxyRequestEvent request() {
      String name = wanted.schedule();
      return switch (wanted.kind()) {
        case PUT, LABEL -> Texts.onSchedule("PUT", name, "", document());
        case DELETE -> Texts.onSchedule("DELETE", name, "", null);
        case SUSPEND ->
            Texts.onSchedule(
                "POST", name, "/suspend", Texts.suspension(wanted.mode(), wanted.until()));
        case RESUME -> Texts.onSchedule("POST", name, "/resume", null);
        case SKIP -> Texts.onSchedule("POST", name, "/skip", null);
        case LAUNCH ->
            Texts.onSchedule("POST", name, "/launch", "{\"payload\": {\"n\": " + number + "}}");
        case BACKFILL -> Texts.onSchedule("POST", name, "/backfill", Texts.backfill(past()));
        case CANCEL -> Texts.cancel(name, String.valueOf(backfills.get(past())));
      };
    }

    private Past past() {
      if (wanted.past() == null) {
        throw new IllegalStateException("nothing to launch");
      }
      return wanted.past();
    }

    private String document() {
      if (wanted.wish() == null) {
        throw new IllegalStateException("nothing to store");
      }
      return Texts.document(
          wanted.wish(), wanted.kind() == Kind.LABEL ? "label " + number : "", gauged);
    }

    private void answered(@Nullable APIGatewayProxyResponseEvent answer) {
      boolean once =
          wanted.kind() == Kind.LAUNCH
              || wanted.kind() == Kind.SKIP
              || wanted.kind() == Kind.BACKFILL;
      mayBeDone |= answer == null;
      if (answer == null && !once) {
        link.faults().count(FaultKind.USER_REPEATS);
        link.steps().at(link.steps().now() + link.faults().millis(50, 3_000), this::begin);
        return;
      }
      record(answer);
      goOn();
    }

    private void goOn() {
      int next = script.indexOf(wanted) + 1;
      carryOut(script.subList(next, script.size()));
    }

    private void record(@Nullable APIGatewayProxyResponseEvent answer) {
      int status = answer == null ? 0 : answer.getStatusCode();
      boolean isRefused = status == 400 || (status >= 300 && namesCalendar());
      boolean isPut = kind == Kind.PUT;
      if (isPut && isRefused && wanted.wish() != null) {
        refused.add(wanted.wish().version());
      }
      boolean done = status < 300 || (isPut && !isRefused) || mayBeDoneBefore();
      boolean known = answer != null && !(isPut && isRefused && mayBeDone);
      long returned = known ? link.steps().now() : History.NEVER;
      link.trace().add(link.steps().now(), () -> "user: " + wanted + " answered " + status);
      operations.add(
          new Operation(
              wanted.schedule(),
              kind,
              number,
              isPut ? wanted.wish() : null,
              called,
              returned,
              done && answer != null,
              answer == null ? null : said(answer),
              wanted.mode(),
              wanted.until(),
              wanted.past()));
    }

    /**
     * Whether there may be no such calendar any more. Like an instant that has passed meanwhile,
     * that is no reason for what was tried before to be undone.
     */
    private boolean namesCalendar() {
      return wanted.wish() != null && wanted.wish().namesCalendar();
    }

    /**
     * What is repeated, by the user or within the API, is also refused if it was carried out at the
     * first time: then there is nothing to be deleted, or no fire left after the resumption.
     */
    private boolean mayBeDoneBefore() {
      return wanted.kind() == Kind.DELETE || wanted.kind() == Kind.RESUME;
    }

    private @Nullable String said(APIGatewayProxyResponseEvent answer) {
      if (wanted.kind() == Kind.CANCEL) {
        return backfills.get(past());
      }
      List<String> fields =
          switch (wanted.kind()) {
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
        if (wanted.kind() == Kind.BACKFILL && body.has("backfillId")) {
          backfills.put(past(), body.path("backfillId").asText());
        }
        if (wanted.kind() == Kind.SKIP && body.has(SKIPPED)) {
          // As the judge writes instants, whatever their form in answers.
          return Instant.parse(body.path(SKIPPED).asText()).toString();
        }
        return fields.stream()
            .map(field -> body.path(field).asText())
            .collect(Collectors.joining(" "));
      } catch (JsonProcessingException notJson) {
        throw new IllegalStateException("an answer that is not JSON", notJson);
      }
    }
  }

  // ---- the gauge

  /** Each is reported until there is an answer, and then the next. */
  public void report(List<Report> reports) {
    if (!reports.isEmpty()) {
      link.steps().at(reports.get(0).at(), () -> reportFirst(reports));
    }
  }

  private void reportFirst(List<Report> reports) {
    Report report = reports.get(0);
    link.trace().add(link.steps().now(), () -> "user: " + report);
    call(
        Texts.onGauge(report),
        answer -> {
          if (answer == null) {
            link.faults().count(FaultKind.USER_REPEATS);
            link.steps()
                .at(
                    link.steps().now() + link.faults().millis(50, 3_000),
                    () -> reportFirst(reports));
            return;
          }
          if (reports.size() == 1) {
            openFrom = link.steps().now();
          }
          report(reports.subList(1, reports.size()));
        });
  }

  /** From when on the gauge is open for good; {@link History#NEVER} if it is not. */
  public long openFrom() {
    return openFrom;
  }

  // ---- the calendar

  /** Each change is asked for until there is an answer, and then the next. */
  public void exclude(List<Excluding> changes) {
    if (!changes.isEmpty()) {
      Excluding first = changes.get(0);
      link.steps().at(first.at(), () -> exclude(changes, Math.max(first.at(), link.steps().now())));
    }
  }

  private void exclude(List<Excluding> changes, long called) {
    exclude(changes, called, false);
  }

  /**
   * @param again whether it was asked for before, and not answered
   */
  private void exclude(List<Excluding> changes, long called, boolean again) {
    Excluding change = changes.get(0);
    link.trace().add(link.steps().now(), () -> "user: " + change);
    call(
        Texts.onCalendar(change.stretches()),
        answer -> {
          long now = link.steps().now();
          if (answer == null) {
            link.faults().count(FaultKind.USER_REPEATS);
            link.steps()
                .at(now + link.faults().millis(50, 3_000), () -> exclude(changes, called, true));
            return;
          }
          int status = answer.getStatusCode();
          link.trace().add(now, () -> "user: " + change + " answered " + status);
          List<Stretch> stretches = change.stretches();
          if (stretches == null) {
            removed(called, again, status);
          } else if (status < 300) {
            hasCalendar = true;
            openings.add(new Opening(called, now, stretches));
          } else {
            throw new IllegalStateException("a calendar was refused: " + answer.getBody());
          }
          exclude(changes.subList(1, changes.size()));
        });
  }

  /** What was gone before the first try was not removed by it. */
  private void removed(long called, boolean again, int status) {
    if (status != 404 || (again && hasCalendar)) {
      removals.add(new Removal(called, link.steps().now(), status != 409));
    }
    hasCalendar = status == 409;
  }

  public List<Removal> removals() {
    return removals;
  }

  public List<Opening> openings() {
    return openings;
  }

  // ---- events

  public void announce(Fact fact) {
    link.steps().at(fact.at(), () -> send(fact));
  }

  private void send(Fact fact) {
    long now = link.steps().now();
    if (fact.way() == Way.MALFORMED) {
      String body = "{\"eventType\": \"PARTITION\", \"number\": " + ++numbers;
      malformed.add(body);
      ingest.accept(body, 0);
    } else if (fact.way() == Way.MESSAGE_WITHOUT_ID) {
      String id = ingest.accept(Texts.event(null, fact.dataset(), fact.weight()), 0);
      announcements.add(new Announcement(id, fact.dataset(), fact.weight(), now, now));
    } else {
      String id = "event-" + ++numbers;
      String event = Texts.event(id, fact.dataset(), fact.weight());
      if (fact.way() == Way.API) {
        post(fact, id, event, now);
      } else {
        ingest.accept(event, 0);
        announcements.add(new Announcement(id, fact.dataset(), fact.weight(), now, now));
        if (link.faults().strikes(FaultKind.EVENT_REPEATED)) {
          link.steps().at(now + link.faults().millis(0, 60_000), () -> ingest.accept(event, 0));
        }
      }
    }
  }

  private void post(Fact fact, String id, String event, long first) {
    call(
        Texts.events(event),
        answer -> {
          long now = link.steps().now();
          if (answer == null) {
            link.faults().count(FaultKind.USER_REPEATS);
            link.steps()
                .at(now + link.faults().millis(50, 3_000), () -> post(fact, id, event, first));
          } else {
            announcements.add(new Announcement(id, fact.dataset(), fact.weight(), first, now));
          }
        });
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
