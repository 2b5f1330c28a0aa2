package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.judge.PullCall;
import dev.carillon.campaign.judge.PullCall.Got;
import dev.carillon.campaign.scenario.PullPlan;
import dev.carillon.campaign.scenario.PullPlan.Fate;
import dev.carillon.campaign.scenario.WorkerPlan;
import dev.carillon.campaign.system.RunRequests.Answer;
import dev.carillon.document.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Workers that pull jobs from the pool, one request after another. A request that is not answered
 * is sent again if it has an id.
 */
public final class Pullers {

  private static final int SECOND = 1_000;
  private static final int MOST_TRIES = 10;
  private static final int OK = 200;

  /**
   * The status of an answer if another request changed the pool at the same time; the request can
   * be sent again.
   */
  private static final int CONFLICT = 409;

  /** Workers pull for this long after the faults, because jobs can still come during this time. */
  private static final int BUSY_FOR = 240 * SECOND;

  /** Distinguishes the random numbers of pulls from others. */
  private static final long PULLS = 0x70_756c_6c73L;

  private final Users users;
  private final Link link;
  private final PullPlan plan;
  private final TrackedWorkers workers;
  private final SeededRandom random;
  private final long busyUntil;
  private final Iterator<Fate> fates;
  private final List<PullCall> calls = new ArrayList<>();
  private final Map<String, String> bodies = new HashMap<>();
  private final Consumer<Task> disturbed;
  private int requests;

  /**
   * @param workers carries out the pulled jobs
   * @param faultsTo the instant after which no fault is injected
   * @param disturbed receives each invocation when it has ended
   */
  public Pullers(
      Users users,
      Link link,
      WorkerPlan plan,
      TrackedWorkers workers,
      long faultsTo,
      Consumer<Task> disturbed) {
    this.disturbed = disturbed;
    this.users = users;
    this.link = link;
    this.plan = plan.pulls();
    this.workers = workers;
    this.random = new SeededRandom(plan.seed() ^ PULLS);
    this.busyUntil = faultsTo + BUSY_FOR;
    this.fates = plan.pulls().fates().iterator();
  }

  /** Each puller sends its first request. */
  public void begin() {
    for (int i = 1; i <= plan.pullers(); i++) {
      later(8 * SECOND + (long) i * SECOND, this::pull);
    }
  }

  /** All requests that have ended, in that order. */
  public List<PullCall> calls() {
    return List.copyOf(calls);
  }

  /** The body of a job in the answer to a pull; null if no answer had it. */
  @Nullable String bodyOf(String job) {
    return bodies.get(job);
  }

  private void later(long millis, Runnable action) {
    link.simulator().at(link.simulator().now() + millis, action);
  }

  private void pull() {
    new Request().send(0);
  }

  private Fate nextFate() {
    if (fates.hasNext()) {
      return fates.next();
    }
    return !plan.isDrawn() || random.oneIn(2) ? Fate.WORKS : random.of(Fate.values());
  }

  /** The milliseconds until the next request of a puller. */
  private long pause(boolean hasGot) {
    if (!plan.isDrawn()) {
      return (long) SECOND * (hasGot ? 5 : 20);
    }
    boolean isBusy = hasGot || link.simulator().now() < busyUntil;
    return random.between(SECOND, isBusy ? 8 * SECOND : 60 * SECOND);
  }

  /** One request with its repetitions. */
  private final class Request {
    private final Fate fate = nextFate();
    private final String worker = "puller-" + ++requests;
    private final String id = fate == Fate.HAS_NO_ID ? "" : "pull-" + requests;
    private final int count = plan.isDrawn() ? random.of(1, 1, 2, 3, 5, 10) : 2;
    private final int waitSeconds = plan.isDrawn() ? random.of(0, 0, 0, 3, 10, 20) : 0;
    private final Set<String> begun = new HashSet<>();
    private boolean hasLost;

    void send(int tries) {
      if (fate == Fate.SENDS_TWICE && tries == 0) {
        later(random.between(0, SECOND), () -> ask(this::work));
      }
      ask(answer -> answered(tries, answer));
    }

    private void answered(int tries, Pulled answer) {
      if (!answer.isKnown() && !id.isEmpty() && tries < MOST_TRIES) {
        later(random.between(50, 2 * SECOND), () -> send(tries + 1));
        return;
      }
      boolean hasGot = !answer.jobs().isEmpty();
      if (hasGot && fate == Fate.LOSES_ANSWER && !hasLost) {
        hasLost = true;
        link.faults().count(FaultKind.WORKER_MISTAKEN);
        later(random.between(100, 15 * SECOND), () -> send(tries + 1));
        return;
      }
      if (hasGot && (fate == Fate.DIES || fate == Fate.FORGETS)) {
        link.faults().count(FaultKind.WORKER_DIED);
      } else {
        work(answer);
      }
      if (hasGot && fate == Fate.REPEATS) {
        later(random.between(0, 40 * SECOND), () -> ask(repeated -> {}));
      }
      later(pause(hasGot), Pullers.this::pull);
    }

    private void ask(Consumer<Pulled> onAnswer) {
      long sent = link.simulator().now();
      users.call(
          PoolBodies.next(id, worker, count, waitSeconds),
          disturbed,
          response -> {
            Pulled answer = read(sent, response);
            PullCall call = call(sent, answer);
            calls.add(call);
            link.trace().add(link.simulator().now(), () -> "puller: " + call);
            onAnswer.accept(answer);
          });
    }

    private PullCall call(long sent, Pulled answer) {
      List<Got> got = new ArrayList<>();
      for (JsonNode job : answer.jobs()) {
        String name = job.path("jobId").asText();
        String body = job.path("body").asText();
        bodies.putIfAbsent(name, body);
        got.add(new Got(name, job.path("attempt").asInt(), token(job), body));
        workers.answered(name, worker, new Answer(OK, job));
      }
      long now = link.simulator().now();
      long wait = (long) waitSeconds * SECOND;
      return new PullCall(id, worker, count, wait, sent, now, answer.isKnown(), got);
    }

    /** Carries out the jobs that no earlier answer contained. */
    private void work(Pulled answer) {
      for (JsonNode job : answer.jobs()) {
        if (begun.add(token(job))) {
          workers.pulled(job.path("jobId").asText(), worker, answer.sent(), new Answer(OK, job));
        }
      }
    }
  }

  private static String token(JsonNode job) {
    return job.path("claimToken").asText();
  }

  /**
   * An answer.
   *
   * @param sent when its request was sent
   * @param isKnown whether it names the jobs that the worker got
   */
  private record Pulled(long sent, boolean isKnown, List<JsonNode> jobs) {}

  private static Pulled read(long sent, @Nullable APIGatewayProxyResponseEvent response) {
    if (response == null || response.getStatusCode() == CONFLICT) {
      return new Pulled(sent, false, List.of());
    }
    if (response.getStatusCode() != OK) {
      throw new IllegalStateException("a pull was refused: " + response.getBody());
    }
    List<JsonNode> jobs = new ArrayList<>();
    Json.readObject(response.getBody()).path("jobs").forEach(jobs::add);
    return new Pulled(sent, true, jobs);
  }
}
