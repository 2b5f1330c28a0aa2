package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Inbox;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.RunCall.Kind;
import dev.carillon.campaign.scenario.WorkerPlan;
import dev.carillon.campaign.scenario.WorkerPlan.Behaviour;
import dev.carillon.campaign.scenario.WorkerPlan.JobRequest;
import dev.carillon.campaign.system.AttemptWork.Means;
import dev.carillon.campaign.system.RunRequests.Answer;
import dev.carillon.campaign.system.RunRequests.Held;
import dev.carillon.document.Json;
import dev.carillon.launch.LaunchRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workers of tracked jobs, and the target queue that they receive from: it delivers a message
 * in any order, sometimes twice, and again after a while unless the message was deleted. Workers
 * claim and report by the routes of the api. Each delivery has a behaviour, and a clock that runs
 * faster or slower than the clocks of other deliveries.
 */
public final class TrackedWorkers {

  private static final int SECOND = 1_000;
  private static final int MOST_RECEIVES = 12;
  private static final int MOST_TRIES = 10;

  /** A caller cancels one of this many most recent jobs. */
  private static final int RECENT = 2;

  /**
   * Distinguishes the random numbers for messages of the report queue, and for operations, from
   * others.
   */
  private static final long REPORTS = 0x72_6570_6f72_7473L;

  private final RunRequests requests;
  private final Link link;
  private final WorkerPlan plan;
  private final SeededRandom random;
  private final Iterator<Behaviour> behaviours;
  private final List<String> jobs = new ArrayList<>();
  private final Means means;
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
    SeededRandom habits = plan.usesQueue() ? new SeededRandom(plan.seed() ^ REPORTS) : null;
    this.requests = new RunRequests(users, link, random, reports, habits);
    SeededRandom steps = new SeededRandom(plan.seed() ^ ~REPORTS);
    this.means = new Means(requests, link, random, steps, new HashMap<>());
  }

  /** Sets the counter of the messages in the queue of the pool. This queue has fewer workers. */
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

  /**
   * Works on a job that a worker has pulled.
   *
   * @param sent when the worker asked for it
   */
  void pulled(String job, String worker, long sent, Answer claim) {
    if (!jobs.contains(job)) {
      jobs.add(job);
    }
    Behaviour behaviour = nextBehaviour();
    long pace = random.of(100, 100, 90, 110, 125);
    int attempt = claim.body().path("attempt").asInt();
    link.trace()
        .add(
            link.simulator().now(),
            () -> "worker: " + worker + " " + behaviour + " " + job + " attempt " + attempt);
    new AttemptWork(means, job, behaviour, pace).beginPulled(worker, sent, claim);
    if (behaviour == Behaviour.CLAIMS_TWICE) {
      new Delivery(job, attempt).claimTwice(worker);
    }
  }

  /** Records the claim of a pulled job, from the answer to the pull. */
  void answered(String job, String worker, Answer claim) {
    requests.answered(job, worker, claim);
  }

  // ---- callers

  /**
   * Carries out a request of a caller. Callers cancel the most recent jobs, and retry any job that
   * no worker has completed.
   */
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

  /** The delivery of a message, and the work of its worker. */
  private final class Delivery {
    private final String job;
    private final int attempt;
    private int receives;
    private Behaviour behaviour = Behaviour.SUCCEEDS;

    /**
     * The speed of the worker's clock: how many hundredths of a real second it shows as a second.
     */
    private long pace = 100;

    /** The queue of the pool; null if the message is in another queue. */
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
        claimTwice(worker);
      }
    }

    /** Another worker claims the attempt, and the first worker claims it again. */
    private void claimTwice(String worker) {
      link.faults().count(FaultKind.WORKER_MISTAKEN);
      String second = "worker-" + ++workers;
      later(millis(4_000), () -> new Delivery(job, attempt).claim(second, 0));
      later(millis(6_000), () -> new Delivery(job, attempt).claim(worker, 0));
    }

    private void claim(String worker, int tries) {
      long sent = link.simulator().now();
      requests.claim(
          job,
          new Held("", attempt, worker),
          answer -> {
            if (answer.isAccepted()) {
              new AttemptWork(means, job, behaviour, pace).begin(worker, sent, answer);
            } else if (!answer.isKnown() && tries < MOST_TRIES) {
              later(random.between(50, 1_500), () -> claim(worker, tries + 1));
            } else if (!answer.isKnown() || answer.problem().equals("not-yet")) {
              receiveAgain();
            }
          });
    }
  }
}
