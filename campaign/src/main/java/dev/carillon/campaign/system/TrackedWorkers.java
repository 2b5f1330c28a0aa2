package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.RunCall.Kind;
import dev.carillon.campaign.scenario.WorkerPlan;
import dev.carillon.campaign.scenario.WorkerPlan.Behaviour;
import dev.carillon.campaign.scenario.WorkerPlan.JobRequest;
import dev.carillon.document.Json;
import dev.carillon.launch.LaunchRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers of tracked jobs, and the target queue that they receive from: it delivers a message
 * in any order, sometimes twice, and again after a while unless the message was deleted. Workers
 * claim and report by the routes of the api. Each delivery has a behaviour, and a clock that runs
 * faster or slower than others.
 */
public final class TrackedWorkers {

  private static final int SECOND = 1_000;
  private static final int MOST_RECEIVES = 12;
  private static final int MOST_TRIES = 10;

  /** Callers cancel one of so many jobs. */
  private static final int RECENT = 2;

  /** The part of a claim's lifetime after which a worker sends the next heartbeat. */
  private static final int HEARTBEATS = 5;

  /** The part of the lifetime after which a worker stops, in tenths. */
  private static final int STOPS_AT = 8;

  /** Answers that do not say what happened, or that the call can be repeated. */
  private static final Set<String> REPEATABLE = Set.of("concurrent-change");

  private final Users users;
  private final Link link;
  private final WorkerPlan plan;
  private final SeededRandom random;
  private final Iterator<Behaviour> behaviours;
  private final List<RunCall> calls = new ArrayList<>();
  private final List<String> jobs = new ArrayList<>();
  private final Map<String, List<Held>> tokens = new HashMap<>();
  private int workers;

  /** A claim as its worker knows it. */
  private record Held(String token, int attempt, String worker) {
    static final Held NONE = new Held("", 0, "");
  }

  public TrackedWorkers(Users users, Link link, WorkerPlan plan) {
    this.users = users;
    this.link = link;
    this.plan = plan;
    this.random = new SeededRandom(plan.seed());
    this.behaviours = plan.behaviours().iterator();
  }

  /** Plans the requests of callers. */
  public void begin() {
    plan.requests().forEach(it -> link.simulator().at(it.at(), () -> ask(it)));
  }

  /** All calls so far, in the order in which they were sent. */
  public List<RunCall> calls() {
    return List.copyOf(calls);
  }

  /** Delivers a request if its run is tracked. */
  public void arrived(LaunchRequest request) {
    if (!Json.readObject(request.body()).path(RunBodies.TRACKED).asBoolean()) {
      return;
    }
    String job = request.job().toString();
    int attempt = Integer.parseInt(String.valueOf(request.attributes().get("carillon-attempt")));
    if (!jobs.contains(job)) {
      jobs.add(job);
    }
    new Delivery(job, attempt).after(random.oneIn(5) ? random.between(0, 12_000) : millis(2_000));
    if (plan.isDrawn() && random.oneIn(5)) {
      new Delivery(job, attempt).after(millis(30_000));
    }
  }

  private long millis(int most) {
    return random.between(0, most);
  }

  private Behaviour nextBehaviour() {
    if (behaviours.hasNext()) {
      return behaviours.next();
    }
    return !plan.isDrawn() || random.oneIn(4) ? Behaviour.SUCCEEDS : random.of(Behaviour.values());
  }

  private void later(long millis, Runnable action) {
    link.simulator().at(link.simulator().now() + millis, action);
  }

  // ---- calls

  /** An answer; a status of 0 if none came. */
  private record Answer(int status, JsonNode body) {
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
  }

  private void call(
      Kind kind,
      String job,
      Held held,
      boolean isFinal,
      APIGatewayProxyRequestEvent request,
      Consumer<Answer> onAnswer) {
    long called = link.simulator().now();
    int index = calls.size();
    RunCall sent =
        new RunCall(
            kind,
            job,
            held.attempt(),
            held.worker(),
            held.token(),
            isFinal,
            called,
            History.NEVER,
            0,
            "",
            false);
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
        body.path("cancelled").asBoolean());
  }

  private static Answer read(@Nullable APIGatewayProxyResponseEvent response) {
    return response == null
        ? new Answer(0, MissingNode.getInstance())
        : new Answer(response.getStatusCode(), Json.readObject(response.getBody()));
  }

  private void report(Kind kind, String job, Held held, boolean isFinal, Consumer<Answer> then) {
    call(kind, job, held, isFinal, RunBodies.report(job, kind, held.token(), isFinal), then);
  }

  /** Reports an end until it is answered. */
  private void end(
      Kind kind, String job, Held held, boolean isFinal, int tries, Runnable onAnswer) {
    report(
        kind,
        job,
        held,
        isFinal,
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

  /** Callers cancel what has come last, and retry any job that no worker has completed. */
  private void ask(JobRequest asked) {
    List<String> open =
        jobs.stream()
            .filter(job -> calls.stream().noneMatch(it -> isSuccess(it) && it.jobId().equals(job)))
            .toList();
    int from = asked.kind() == Kind.CANCEL ? Math.max(0, open.size() - RECENT) : 0;
    List<String> chosen = open.subList(from, open.size());
    if (!chosen.isEmpty()) {
      ask(asked.kind(), chosen.get(asked.job() % chosen.size()), 0);
    }
  }

  private static boolean isSuccess(RunCall call) {
    return call.kind() == Kind.SUCCEED && call.status() == 200;
  }

  private void ask(Kind kind, String job, int tries) {
    call(
        kind,
        job,
        Held.NONE,
        false,
        RunBodies.request(job, kind),
        answer -> {
          if (!answer.isKnown() && tries < MOST_TRIES) {
            later(random.between(50, 3_000), () -> ask(kind, job, tries + 1));
          }
        });
  }

  // ---- one message and its worker

  /** A message as it is delivered, and what its worker does. */
  private final class Delivery {
    private final String job;
    private final int attempt;
    private int receives;
    private Behaviour behaviour = Behaviour.SUCCEEDS;
    private Held held = Held.NONE;

    /** The hundredths of real time in which the worker's clock shows a second less or more. */
    private long pace = 100;

    private long lifetime;
    private long answeredCall;
    private long nextHeartbeat;
    private long finish;
    private boolean isOver;

    Delivery(String job, int attempt) {
      this.job = job;
      this.attempt = attempt;
    }

    void after(long millis) {
      later(millis, this::receive);
    }

    private void receiveAgain() {
      if (receives < MOST_RECEIVES) {
        after(random.between(10, 30) * SECOND);
      }
    }

    private void receive() {
      receives++;
      behaviour = nextBehaviour();
      String worker = "worker-" + ++workers;
      pace = random.of(100, 100, 90, 110, 125);
      link.trace()
          .add(
              link.simulator().now(),
              () -> "worker: " + worker + " " + behaviour + " " + job + " attempt " + attempt);
      if (behaviour == Behaviour.DIES_AFTER_RECEIVE) {
        link.faults().count(FaultKind.WORKER_DIED);
        receiveAgain();
      } else if (behaviour == Behaviour.DIES_BEFORE_CLAIM) {
        link.faults().count(FaultKind.WORKER_DIED);
      } else {
        claim(worker, 0);
      }
      if (behaviour == Behaviour.CLAIMS_TWICE) {
        link.faults().count(FaultKind.WORKER_MISTAKEN);
        String second = "worker-" + ++workers;
        later(millis(4_000), () -> new Delivery(job, attempt).claim(second, 0));
        later(millis(6_000), () -> new Delivery(job, attempt).claim(worker, 0));
      }
    }

    private void claim(String worker, int tries) {
      long sent = link.simulator().now();
      call(
          Kind.CLAIM,
          job,
          new Held("", attempt, worker),
          false,
          RunBodies.claim(job, attempt, worker),
          answer -> {
            if (answer.isAccepted()) {
              begin(worker, sent, answer.body());
            } else if (!answer.isKnown() && tries < MOST_TRIES) {
              later(random.between(50, 1_500), () -> claim(worker, tries + 1));
            } else if (!answer.isKnown() || answer.problem().equals("not-yet")) {
              receiveAgain();
            }
          });
    }

    private void begin(String worker, long sent, JsonNode answer) {
      held = new Held(answer.path("claimToken").asText(), answer.path("attempt").asInt(), worker);
      tokens.computeIfAbsent(job, any -> new ArrayList<>()).add(held);
      renew(sent, answer);
      long now = link.simulator().now();
      finish = now + (random.oneIn(3) ? random.between(2, 25) * SECOND : millis(4_000));
      nextHeartbeat = now + lifetime / HEARTBEATS;
      switch (behaviour) {
        case DIES_AFTER_CLAIM -> link.faults().count(FaultKind.WORKER_DIED);
        case STALLS, STALLS_AND_FAILS -> {
          link.faults().count(FaultKind.WORKER_STALLED);
          later(lifetime + millis((int) lifetime * 2), this::reportEnd);
        }
        case LINGERS -> {
          finish = now + random.between(70, 100) * SECOND;
          step();
        }
        case DIES_IN_THE_MIDDLE -> {
          report(Kind.HEARTBEAT, job, held, false, any -> {});
          link.faults().count(FaultKind.WORKER_DIED);
        }
        case REPORTS_IN_DISORDER -> reportInDisorder();
        case USES_OLD_TOKENS -> {
          useOldTokens();
          step();
        }
        default -> step();
      }
    }

    private void renew(long sent, JsonNode answer) {
      answeredCall = sent;
      lifetime = Math.round(answer.path("expiresIn").asDouble() * 10) * pace;
    }

    /** Sends the heartbeats and the end of an attempt when they are due. */
    private void step() {
      long now = link.simulator().now();
      long stop = answeredCall + lifetime * STOPS_AT / 10;
      if (isOver || now >= stop) {
        return;
      }
      if (now >= finish) {
        reportEnd();
        return;
      }
      if (now >= nextHeartbeat) {
        heartbeat();
        nextHeartbeat = now + Math.max(100, lifetime / HEARTBEATS);
      }
      link.simulator().at(Math.min(Math.min(finish, nextHeartbeat), stop), this::step);
    }

    private void heartbeat() {
      long sent = link.simulator().now();
      report(
          Kind.HEARTBEAT,
          job,
          held,
          false,
          answer -> {
            if (answer.isAccepted()) {
              renew(sent, answer.body());
              if (answer.body().path("cancelled").asBoolean()) {
                stop();
              }
            } else if (answer.isKnown()) {
              isOver = true;
            }
          });
    }

    /** The job is cancelled: most workers report that they have stopped. */
    private void stop() {
      if (isOver || random.oneIn(4)) {
        return;
      }
      isOver = true;
      if (random.oneIn(5)) {
        link.faults().count(FaultKind.WORKER_DIED);
      } else {
        end(Kind.FAIL, job, held, false, 0, () -> {});
      }
    }

    private void reportEnd() {
      isOver = true;
      boolean fails =
          behaviour == Behaviour.FAILS
              || behaviour == Behaviour.FAILS_FOR_GOOD
              || behaviour == Behaviour.STALLS_AND_FAILS
              || (behaviour == Behaviour.REPORTS_TWICE && random.oneIn(2));
      boolean isFinal = behaviour == Behaviour.FAILS_FOR_GOOD;
      Kind kind = fails ? Kind.FAIL : Kind.SUCCEED;
      end(
          kind,
          job,
          held,
          isFinal,
          0,
          () -> {
            if (behaviour == Behaviour.REPORTS_TWICE) {
              link.faults().count(FaultKind.WORKER_MISTAKEN);
              later(millis(40_000), () -> end(kind, job, held, isFinal, 0, () -> {}));
            }
          });
    }

    private void reportInDisorder() {
      link.faults().count(FaultKind.WORKER_MISTAKEN);
      later(millis(3_000), this::heartbeatAtAnyTime);
      later(millis(6_000), this::heartbeatAtAnyTime);
      later(millis(4_000), () -> end(Kind.SUCCEED, job, held, false, 0, () -> {}));
      later(millis(4_000), () -> end(Kind.FAIL, job, held, random.oneIn(2), 0, () -> {}));
    }

    private void heartbeatAtAnyTime() {
      report(Kind.HEARTBEAT, job, held, false, answer -> {});
    }

    private void useOldTokens() {
      link.faults().count(FaultKind.WORKER_MISTAKEN);
      List<Held> known = tokens.getOrDefault(job, List.of());
      Held old = random.oneIn(4) ? new Held("no-such-token", 0, "no worker") : known.get(0);
      for (Kind kind : List.of(Kind.HEARTBEAT, Kind.SUCCEED, Kind.FAIL)) {
        if (random.oneIn(2) && !old.equals(held)) {
          later(millis(4_000), () -> report(kind, job, old, false, answer -> {}));
        }
      }
    }
  }
}
