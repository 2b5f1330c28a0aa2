package dev.carillon.campaign.system;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Inbox;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.RunCall.Kind;
import dev.carillon.campaign.scenario.WorkerPlan;
import dev.carillon.campaign.scenario.WorkerPlan.Behaviour;
import dev.carillon.campaign.scenario.WorkerPlan.JobRequest;
import dev.carillon.campaign.system.RunRequests.Answer;
import dev.carillon.campaign.system.RunRequests.Held;
import dev.carillon.document.Json;
import dev.carillon.launch.LaunchRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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

  /** Callers cancel one of this many jobs. */
  private static final int RECENT = 2;

  /** The part of a claim's lifetime after which a worker sends the next heartbeat. */
  private static final int HEARTBEATS = 5;

  /** The part of the lifetime after which a worker stops, in tenths. */
  private static final int STOPS_AT = 8;

  /** Sets the random numbers of reports by messages and of operations apart. */
  private static final long REPORTS = 0x72_6570_6f72_7473L;

  private final RunRequests requests;
  private final Link link;
  private final WorkerPlan plan;
  private final SeededRandom random;
  private final Iterator<Behaviour> behaviours;
  private final List<String> jobs = new ArrayList<>();
  private final Map<String, List<Held>> tokens = new HashMap<>();
  private final SeededRandom steps;
  private @Nullable PoolMessages pooled;
  private int workers;

  /**
   * @param reports the report queue
   */
  public TrackedWorkers(Users users, Link link, WorkerPlan plan, Inbox<SentReport> reports) {
    this.link = link;
    this.plan = plan;
    this.random = new SeededRandom(plan.seed());
    this.behaviours = plan.behaviours().iterator();
    this.steps = new SeededRandom(plan.seed() ^ ~REPORTS);
    SeededRandom habits = plan.usesQueue() ? new SeededRandom(plan.seed() ^ REPORTS) : null;
    this.requests = new RunRequests(users, link, random, reports, habits);
  }

  /** Names the counter of the messages in the queue of the pool, which has fewer workers. */
  public void count(PoolMessages messages) {
    pooled = messages;
  }

  /** Plans the requests of callers. */
  public void begin() {
    plan.requests().forEach(it -> link.simulator().at(it.at(), () -> ask(it)));
  }

  /** All calls so far, in the order in which they were sent. */
  public List<RunCall> calls() {
    return requests.calls();
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
    boolean isPooled = request.queueArn().endsWith(PoolBodies.QUEUE);
    if (isPooled) {
      new Delivery(job, attempt, pooled).after(random.between(0, 15) * SECOND);
      return;
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

  // ---- callers

  /** Callers cancel what has come last, and retry any job that no worker has completed. */
  private void ask(JobRequest asked) {
    List<String> open =
        jobs.stream()
            .filter(
                job ->
                    requests.calls().stream()
                        .noneMatch(it -> isSuccess(it) && it.jobId().equals(job)))
            .toList();
    int from = asked.kind() == Kind.CANCEL ? Math.max(0, open.size() - RECENT) : 0;
    List<String> chosen = open.subList(from, open.size());
    if (!chosen.isEmpty()) {
      requests.ask(asked.kind(), chosen.get(asked.job() % chosen.size()), 0);
    }
  }

  private static boolean isSuccess(RunCall call) {
    return call.kind() == Kind.SUCCEED && call.status() == 200;
  }

  // ---- one message and its worker

  /** A message as it is delivered, and what its worker does. */
  private final class Delivery {
    private final String job;
    private final int attempt;
    private int receives;
    private Behaviour behaviour = Behaviour.SUCCEEDS;
    private Held held = Held.NONE;
    private OperationSteps operations = new OperationSteps(steps, Map.of());

    /** The hundredths of real time in which the worker's clock shows a second less or more. */
    private long pace = 100;

    private long lifetime;
    private long answeredCall;
    private long nextHeartbeat;
    private long finish;
    private boolean isOver;

    /** The queue of the pool; null for another one. */
    private final @Nullable PoolMessages queue;

    Delivery(String job, int attempt) {
      this(job, attempt, null);
    }

    Delivery(String job, int attempt, @Nullable PoolMessages queue) {
      this.job = job;
      this.attempt = attempt;
      this.queue = queue;
      appear();
    }

    private void appear() {
      if (queue != null) {
        queue.appears(PoolMessages.request(job, attempt));
      }
    }

    void after(long millis) {
      later(millis, this::receive);
    }

    private void receiveAgain() {
      if (receives < MOST_RECEIVES) {
        long invisible = random.between(10, 30) * SECOND;
        later(
            invisible,
            () -> {
              appear();
              receive();
            });
      }
    }

    private void receive() {
      receives++;
      if (queue != null) {
        queue.vanishes(PoolMessages.request(job, attempt));
      }
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
      requests.claim(
          job,
          new Held("", attempt, worker),
          answer -> {
            if (answer.isAccepted()) {
              begin(worker, sent, answer);
            } else if (!answer.isKnown() && tries < MOST_TRIES) {
              later(random.between(50, 1_500), () -> claim(worker, tries + 1));
            } else if (!answer.isKnown() || answer.problem().equals("not-yet")) {
              receiveAgain();
            }
          });
    }

    private void begin(String worker, long sent, Answer claim) {
      JsonNode answer = claim.body();
      held = new Held(answer.path("claimToken").asText(), answer.path("attempt").asInt(), worker);
      operations = new OperationSteps(steps, claim.operations());
      boolean isLong = !claim.operations().isEmpty() && steps.oneIn(2);
      tokens.computeIfAbsent(job, any -> new ArrayList<>()).add(held);
      renew(sent, answer);
      long now = link.simulator().now();
      finish = now + (random.oneIn(3) ? random.between(2, 25) * SECOND : millis(4_000));
      finish += isLong ? steps.between(2, 12) * SECOND : 0;
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
          requests.heartbeat(job, held, operations.next(), any -> {});
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
      requests.heartbeat(
          job,
          held,
          operations.next(),
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
        requests.end(Kind.FAIL, job, held, false, () -> {});
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
      requests.end(
          kind,
          job,
          held,
          isFinal,
          () -> {
            if (behaviour == Behaviour.REPORTS_TWICE) {
              link.faults().count(FaultKind.WORKER_MISTAKEN);
              later(millis(40_000), () -> requests.end(kind, job, held, isFinal, () -> {}));
            }
          });
    }

    private void reportInDisorder() {
      link.faults().count(FaultKind.WORKER_MISTAKEN);
      later(millis(3_000), this::heartbeatAtAnyTime);
      later(millis(6_000), this::heartbeatAtAnyTime);
      later(millis(4_000), () -> requests.end(Kind.SUCCEED, job, held, false, () -> {}));
      later(millis(4_000), () -> requests.end(Kind.FAIL, job, held, random.oneIn(2), () -> {}));
    }

    private void heartbeatAtAnyTime() {
      requests.heartbeat(job, held, operations.next(), answer -> {});
    }

    private void useOldTokens() {
      link.faults().count(FaultKind.WORKER_MISTAKEN);
      List<Held> known = tokens.getOrDefault(job, List.of());
      Held old = random.oneIn(4) ? new Held("no-such-token", 0, "no worker") : known.get(0);
      for (Kind kind : List.of(Kind.HEARTBEAT, Kind.SUCCEED, Kind.FAIL)) {
        if (random.oneIn(2) && !old.equals(held)) {
          later(millis(4_000), () -> requests.reportOnce(kind, job, old));
        }
      }
    }
  }
}
