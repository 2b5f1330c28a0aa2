package dev.carillon.campaign.system;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.RunCall.Kind;
import dev.carillon.campaign.scenario.WorkerPlan.Behaviour;
import dev.carillon.campaign.system.RunRequests.Answer;
import dev.carillon.campaign.system.RunRequests.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The work of a worker on an attempt that it has claimed: it sends heartbeats, and reports an end.
 */
final class AttemptWork {

  private static final int SECOND = 1_000;

  /** The number of heartbeats in the lifetime of a claim, as the worker library sends them. */
  private static final int HEARTBEATS_PER_LIFETIME = 5;

  /**
   * The part of the claim's lifetime, in percent, after which a worker that gets no answer stops.
   */
  private static final int STOP_PERCENT = 80;

  private static final int MOST_TRIES = 10;

  private final Means means;
  private final RunRequests requests;
  private final Link link;
  private final SeededRandom random;
  private final SeededRandom steps;
  private final String job;
  private final Behaviour behaviour;

  /** The speed of the worker's clock: how many hundredths of a real second it shows as a second. */
  private final long pace;

  private Held held = Held.NONE;
  private OperationSteps operations;
  private long lifetime;
  private long answeredCall;
  private long nextHeartbeat;
  private long finish;
  private boolean isLong;
  private boolean hasEnded;

  /**
   * The objects that all workers share.
   *
   * @param steps draws the steps of operations
   * @param tokens the claims so far, by job
   */
  record Means(
      RunRequests requests,
      Link link,
      SeededRandom random,
      SeededRandom steps,
      Map<String, List<Held>> tokens) {}

  AttemptWork(Means means, String job, Behaviour behaviour, long pace) {
    this.means = means;
    this.requests = means.requests();
    this.link = means.link();
    this.random = means.random();
    this.steps = means.steps();
    this.job = job;
    this.behaviour = behaviour;
    this.pace = pace;
    this.operations = new OperationSteps(steps, Map.of());
  }

  private long millis(int most) {
    return random.between(0, most);
  }

  private void later(long millis, Runnable action) {
    link.simulator().at(link.simulator().now() + millis, action);
  }

  /**
   * Begins the work after the answer to a claim.
   *
   * @param sent when the claim was sent
   */
  void begin(String worker, long sent, Answer claim) {
    hold(worker, sent, claim);
    behave();
  }

  /**
   * Begins the work after the answer to a pull. If the pull has waited for a fifth of the claim's
   * lifetime, the work begins only after an answered heartbeat.
   */
  void beginPulled(String worker, long sent, Answer claim) {
    hold(worker, sent, claim);
    if (link.simulator().now() - sent > lifetime / HEARTBEATS_PER_LIFETIME) {
      renewFirst(0);
    } else {
      behave();
    }
  }

  private void renewFirst(int tries) {
    long sent = link.simulator().now();
    requests.request(
        Kind.HEARTBEAT,
        job,
        held,
        false,
        operations.next(),
        answer -> {
          if (answer.isAccepted()) {
            renew(sent, answer.body());
            behave();
          } else if (!answer.isKnown() && tries < MOST_TRIES) {
            later(millis(1_000), () -> renewFirst(tries + 1));
          }
        });
  }

  private void hold(String worker, long sent, Answer claim) {
    JsonNode answer = claim.body();
    held = new Held(answer.path("claimToken").asText(), answer.path("attempt").asInt(), worker);
    operations = new OperationSteps(steps, claim.operations());
    isLong = !claim.operations().isEmpty() && steps.oneIn(2);
    means.tokens().computeIfAbsent(job, any -> new ArrayList<>()).add(held);
    renew(sent, answer);
  }

  private void behave() {
    long now = link.simulator().now();
    finish = now + (random.oneIn(3) ? random.between(2, 25) * SECOND : millis(4_000));
    finish += isLong ? steps.between(2, 12) * SECOND : 0;
    nextHeartbeat = now + lifetime / HEARTBEATS_PER_LIFETIME;
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

  /** Sends the heartbeats and the end of an attempt when each is due. */
  private void step() {
    long now = link.simulator().now();
    long stop = answeredCall + lifetime * STOP_PERCENT / 100;
    if (hasEnded || now >= stop) {
      return;
    }
    if (now >= finish) {
      reportEnd();
      return;
    }
    if (now >= nextHeartbeat) {
      heartbeat();
      nextHeartbeat = now + Math.max(100, lifetime / HEARTBEATS_PER_LIFETIME);
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
            hasEnded = true;
          }
        });
  }

  /** The job is cancelled: most workers report that they have stopped. */
  private void stop() {
    if (hasEnded || random.oneIn(4)) {
      return;
    }
    hasEnded = true;
    if (random.oneIn(5)) {
      link.faults().count(FaultKind.WORKER_DIED);
    } else {
      requests.end(Kind.FAIL, job, held, false, () -> {});
    }
  }

  private void reportEnd() {
    hasEnded = true;
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
    List<Held> known = means.tokens().getOrDefault(job, List.of());
    Held old = random.oneIn(4) ? new Held("no-such-token", 0, "no worker") : known.get(0);
    for (Kind kind : List.of(Kind.HEARTBEAT, Kind.SUCCEED, Kind.FAIL)) {
      if (random.oneIn(2) && !old.equals(held)) {
        later(millis(4_000), () -> requests.reportOnce(kind, job, old));
      }
    }
  }
}
