package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.engine.Unavailable;
import dev.carillon.campaign.judge.History.Run;
import dev.carillon.campaign.judge.LimitFacts.Repeat;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Target queues behind a simulated connection: they may not exist for a while, and their answers
 * may be lost.
 */
public final class SimTargets implements TargetQueues {

  /** How long SQS drops further requests with the same deduplication id. */
  private static final long DEDUPLICATED = 300_000;

  private final Link link;
  private final Consumer<String> ends;
  private final ProgramRuns programRuns;
  private final Function<LaunchRequest, String> deduplicationIds;
  private Consumer<LaunchRequest> tracked = request -> {};
  private Supplier<OptionalLong> pooled = OptionalLong::empty;
  private Consumer<LaunchRequest> callbacks = request -> {};

  /** When a FIFO queue accepted a request, by deduplication id. */
  private final Map<String, Long> accepted = new HashMap<>();

  private final Map<JobId, Run> runs = new LinkedHashMap<>();
  private final List<Delivery> deliveries = new ArrayList<>();
  private final List<Repeat> repeats = new ArrayList<>();
  private final Map<JobId, Long> refusals = new LinkedHashMap<>();
  private long refusesFrom = Long.MAX_VALUE;
  private long refusesTo = Long.MIN_VALUE;

  /**
   * A request that has arrived.
   *
   * @param sender the invocation that sent it
   * @param failedCalls the failed calls of the sender before this call
   * @param clock the latest instant that the sender's clock had shown
   * @param answerLost whether the sender received a failure
   * @param sent when the call that sent it began; the call may have sent other requests too
   */
  public record Delivery(
      long at,
      LaunchRequest request,
      Task sender,
      int failedCalls,
      long clock,
      boolean answerLost,
      long sent) {}

  /**
   * @param ends receives the events that report the ends of runs
   * @param programRuns starts the runs of programs with further limits
   * @param deduplicationIds determines the deduplication ids of requests to FIFO queues
   */
  public SimTargets(
      Link link,
      Consumer<String> ends,
      ProgramRuns programRuns,
      Function<LaunchRequest, String> deduplicationIds) {
    this.deduplicationIds = deduplicationIds;
    this.link = link;
    this.ends = ends;
    this.programRuns = programRuns;
  }

  /** Sets the receiver of all requests, which works on the tracked ones. */
  public void work(Consumer<LaunchRequest> workers) {
    tracked = workers;
  }

  /** Sets the receiver of all callbacks. */
  public void callBack(Consumer<LaunchRequest> receiver) {
    callbacks = receiver;
  }

  /** Sets the counter of the messages in the queue of the pool. */
  public void count(PoolMessages messages) {
    pooled = messages::count;
  }

  public void refuse(long from, long to) {
    refusesFrom = from;
    refusesTo = to;
  }

  @Override
  public List<Outcome> send(List<LaunchRequest> requests) {
    long sent = link.simulator().now();
    List<Outcome> outcomes = new ArrayList<>();
    for (LaunchRequest request : requests) {
      try {
        outcomes.add(link.write("targets.send", request.job(), () -> arrive(request, sent)));
      } catch (Unavailable failed) {
        outcomes.add(new Refused(failed.toString()));
      }
      if (!request.isCallback() && outcomes.get(outcomes.size() - 1) instanceof Refused) {
        refusals.putIfAbsent(request.job(), link.simulator().now());
        runs.computeIfPresent(
            request.job(), (job, run) -> new Run(run.jobId(), run.from(), run.to(), false));
        programRuns.refused(request.job());
      }
    }
    return outcomes;
  }

  private Outcome arrive(LaunchRequest request, long sent) {
    long now = link.simulator().now();
    if (now >= refusesFrom && now < refusesTo) {
      link.faults().count(FaultKind.TARGET_REFUSES);
      return new Refused("the queue does not exist; create it");
    }
    Task sender = link.simulator().current();
    boolean lost = link.faults().inject(FaultKind.TARGET_ANSWER_LOST);
    if (request.isCallback()) {
      callbacks.accept(request);
      return lost ? new Refused("SQS returned no result for the callback") : new Sent();
    }
    if (!acceptOrDrop(request, now)) {
      JobId job = request.job();
      repeats.add(new Repeat(job.schedule().name(), job.toString(), sent, now));
      return lost ? new Refused("SQS returned no result for the request") : new Sent();
    }
    deliveries.add(
        new Delivery(now, request, sender, sender.failedCalls, sender.latestClock, lost, sent));
    run(request, now);
    programRuns.arrived(request);
    tracked.accept(request);
    return lost ? new Refused("SQS returned no result for the request") : new Sent();
  }

  /**
   * Accepts a request. A FIFO queue drops it if it accepted a request with the same deduplication
   * id less than five minutes before.
   *
   * @return false if the request was dropped
   */
  private boolean acceptOrDrop(LaunchRequest request, long now) {
    if (!request.queueArn().endsWith(".fifo")) {
      return true;
    }
    String id = deduplicationIds.apply(request);
    Long before = accepted.get(id);
    boolean isDropped = before != null && now < before + DEDUPLICATED;
    if (!isDropped) {
      accepted.put(id, now);
    }
    return !isDropped;
  }

  /**
   * Starts a run of a program with a limit. The run ends after a while. A repeated request starts
   * no second run.
   */
  private void run(LaunchRequest request, long now) {
    boolean isLimited = Json.readObject(request.body()).path("limit").asInt() > 0;
    if (isLimited && !runs.containsKey(request.job())) {
      long end = now + link.faults().millis(50, 4_000);
      String job = request.job().toString();
      runs.put(request.job(), new Run(job, now, end, true));
      link.simulator().at(end, () -> ends.accept(RequestBodies.end(job)));
    }
  }

  @Override
  public OptionalLong waiting(String queueArn) {
    return link.read("targets.waiting", queueArn, pooled);
  }

  @Override
  public void prepare(String queueArn) {
    link.write("targets.prepare", queueArn, () -> true);
  }

  /** The runs of programs with a limit, in the order in which they started. */
  public List<Run> runs() {
    return List.copyOf(runs.values());
  }

  /** The instant at which a request was first refused, by job. */
  public Map<JobId, Long> refusals() {
    return refusals;
  }

  public List<Delivery> deliveries() {
    return deliveries;
  }

  /** The requests that a FIFO queue dropped because it had accepted them before. */
  public List<Repeat> repeats() {
    return repeats;
  }
}
