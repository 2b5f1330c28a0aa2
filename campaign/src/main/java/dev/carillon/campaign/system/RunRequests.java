package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.campaign.engine.Inbox;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.RunCall.Kind;
import dev.carillon.campaign.judge.RunCall.Queued;
import dev.carillon.document.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends and records the requests of workers and callers about tracked jobs. Reports are requests to
 * the api or, in some episodes, messages of the report queue.
 */
final class RunRequests {

  private static final int SECOND = 1_000;
  private static final int MOST_TRIES = 10;

  /** The types of problems after which a call is repeated. */
  private static final Set<String> REPEATABLE = Set.of("concurrent-change");

  private final Users users;
  private final Link link;
  private final SeededRandom random;
  private final Inbox<SentReport> reports;
  private final @Nullable SeededRandom habits;
  private final List<RunCall> calls = new ArrayList<>();
  private int messages;

  /**
   * @param random draws when calls are repeated
   * @param habits draws which reports are messages; null if none is
   */
  RunRequests(
      Users users,
      Link link,
      SeededRandom random,
      Inbox<SentReport> reports,
      @Nullable SeededRandom habits) {
    this.users = users;
    this.link = link;
    this.random = random;
    this.reports = reports;
    this.habits = habits;
  }

  /** A claim as its worker knows it. */
  record Held(String token, int attempt, String worker) {
    static final Held NONE = new Held("", 0, "");
  }

  /** An answer; a status of 0 if none came. */
  record Answer(int status, JsonNode body) {
    boolean isKnown() {
      return status != 0 && !REPEATABLE.contains(problem());
    }

    boolean isAccepted() {
      return status == 200;
    }

    String problem() {
      String type = body.path("type").asText("");
      return status == 200 ? "" : type.substring(type.lastIndexOf(':') + 1);
    }

    /** The states of the operations in the answer to a claim. */
    Map<String, String> operations() {
      Map<String, String> states = new TreeMap<>();
      body.path("operations")
          .forEach(one -> states.put(one.path("id").asText(), one.path("state").asText()));
      return states;
    }
  }

  /** All calls so far, in the order in which they were sent. */
  List<RunCall> calls() {
    return List.copyOf(calls);
  }

  void claim(String job, Held claimant, Consumer<Answer> onAnswer) {
    APIGatewayProxyRequestEvent request =
        RunBodies.claim(job, claimant.attempt(), claimant.worker());
    call(sent(Kind.CLAIM, job, claimant, false, Map.of(), null), request, onAnswer);
  }

  /** Records the claim of a job from the answer to a pull. */
  void answered(String job, String worker, Answer claim) {
    Held claimant = new Held("", 0, worker);
    calls.add(answered(sent(Kind.CLAIM, job, claimant, false, Map.of(), null), claim));
  }

  /** Requests a cancellation or a retry until the request is answered. */
  void ask(Kind kind, String job, int tries) {
    call(
        sent(kind, job, Held.NONE, false, Map.of(), null),
        RunBodies.request(job, kind),
        answer -> {
          if (!answer.isKnown() && tries < MOST_TRIES) {
            later(random.between(50, 3_000), () -> ask(kind, job, tries + 1));
          }
        });
  }

  /**
   * Sends a heartbeat with the states of operations, over HTTP or as a message.
   *
   * @param onAnswer receives the answer; not called if the heartbeat is a message
   */
  void heartbeat(String job, Held held, Map<String, String> operations, Consumer<Answer> onAnswer) {
    if (habits != null && habits.oneIn(3)) {
      send(Kind.HEARTBEAT, job, held, false, operations, habits);
    } else {
      request(Kind.HEARTBEAT, job, held, false, operations, onAnswer);
    }
  }

  /** Reports once, over HTTP or as a message, and ignores the answer. */
  void reportOnce(Kind kind, String job, Held held) {
    if (habits != null && habits.oneIn(2)) {
      send(kind, job, held, false, Map.of(), habits);
    } else {
      request(kind, job, held, false, Map.of(), ignored -> {});
    }
  }

  /** Reports an end until it is answered, or accepted by the report queue. */
  void end(Kind kind, String job, Held held, boolean isFinal, Runnable onAnswer) {
    if (habits == null || habits.oneIn(2)) {
      end(kind, job, held, isFinal, 0, onAnswer);
      return;
    }
    send(kind, job, held, isFinal, Map.of(), habits);
    onAnswer.run();
  }

  private void end(
      Kind kind, String job, Held held, boolean isFinal, int tries, Runnable onAnswer) {
    request(
        kind,
        job,
        held,
        isFinal,
        Map.of(),
        answer -> {
          if (answer.isKnown()) {
            onAnswer.run();
          } else if (tries < MOST_TRIES) {
            later(
                random.between(50, 2_000),
                () -> end(kind, job, held, isFinal, tries + 1, onAnswer));
          }
        });
  }

  /** Sends a report as a request to the api. */
  void request(
      Kind kind,
      String job,
      Held held,
      boolean isFinal,
      Map<String, String> operations,
      Consumer<Answer> onAnswer) {
    call(
        sent(kind, job, held, isFinal, operations, null),
        RunBodies.report(job, kind, held.token(), isFinal, operations),
        onAnswer);
  }

  /** Sends a message, sometimes twice. It is visible at once, or only after a delay. */
  private void send(
      Kind kind,
      String job,
      Held held,
      boolean isFinal,
      Map<String, String> operations,
      SeededRandom drawn) {
    int number = ++messages + 1;
    String body = RunBodies.message(job, kind, held.token(), isFinal, operations, number);
    int times = drawn.oneIn(4) ? 2 : 1;
    for (int i = 0; i < times; i++) {
      long now = link.simulator().now();
      long delay = drawn.oneIn(2) ? drawn.between(0, 15 * SECOND) : 0;
      reports.accept(new SentReport(body, now), delay);
      RunCall sent = sent(kind, job, held, isFinal, operations, new Queued(now + delay));
      calls.add(sent);
      link.trace().add(now, () -> "worker: " + sent);
    }
  }

  private RunCall sent(
      Kind kind,
      String job,
      Held held,
      boolean isFinal,
      Map<String, String> operations,
      @Nullable Queued queued) {
    return new RunCall(
        kind,
        job,
        held.attempt(),
        held.worker(),
        held.token(),
        isFinal,
        link.simulator().now(),
        History.NEVER,
        0,
        "",
        false,
        operations,
        queued);
  }

  private void call(RunCall sent, APIGatewayProxyRequestEvent request, Consumer<Answer> onAnswer) {
    int index = calls.size();
    calls.add(sent);
    users.call(
        request,
        response -> {
          Answer answer = read(response);
          RunCall answered = answered(sent, answer);
          calls.set(index, answered);
          link.trace().add(link.simulator().now(), () -> "worker: " + answered);
          onAnswer.accept(answer);
        });
  }

  private RunCall answered(RunCall sent, Answer answer) {
    boolean isClaim = sent.kind() == Kind.CLAIM && answer.isAccepted();
    JsonNode body = answer.body();
    return new RunCall(
        sent.kind(),
        sent.jobId(),
        isClaim ? body.path("attempt").asInt() : sent.attempt(),
        sent.worker(),
        isClaim ? body.path("claimToken").asText() : sent.token(),
        sent.isFinal(),
        sent.called(),
        link.simulator().now(),
        answer.isKnown() ? answer.status() : 0,
        answer.isKnown() ? answer.problem() : "",
        body.path("cancelled").asBoolean(),
        isClaim ? answer.operations() : sent.operations(),
        null);
  }

  private static Answer read(@Nullable APIGatewayProxyResponseEvent response) {
    return response == null
        ? new Answer(0, MissingNode.getInstance())
        : new Answer(response.getStatusCode(), Json.readObject(response.getBody()));
  }

  private void later(long millis, Runnable action) {
    link.simulator().at(link.simulator().now() + millis, action);
  }
}
