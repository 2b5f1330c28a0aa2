package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Queues.Depth;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Delivery;
import dev.carillon.job.Job;
import dev.carillon.job.JobLists;
import dev.carillon.job.JobLists.Runs;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.ShardPlan.Shards;
import dev.carillon.master.StatusStore;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the state of the whole deployment. */
final class StatusRoute {

  private static final int MOST_COUNTED = 10_000;

  /**
   * The number is smaller than {@link #MOST_COUNTED}, because each counted run is read: up to 1,060
   * read units a call.
   */
  private static final int MOST_RUNS_COUNTED = 2_000;

  private static final int MOST_READ_PER_SHARD = 10;

  /** How late a tick can be before that is a trouble. */
  private static final Duration LATENESS = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(StatusRoute.class);

  private final Schedules schedules;
  private final StatusStore status;
  private final Timers timers;
  private final Jobs jobs;
  private final JobLists lists;
  private final Queues queues;
  private final Duration longestLag;
  private final InstantSource clock;

  StatusRoute(ApiPorts ports, InstantSource clock) {
    this.schedules = ports.schedules();
    this.status = ports.status();
    this.timers = ports.timers();
    this.jobs = ports.jobs();
    this.lists = ports.lists();
    this.queues = ports.queues();
    this.longestLag = ports.masterPeriod().plus(LATENESS);
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent report() {
    Instant now = clock.instant();
    List<String> troubles = new ArrayList<>();
    ObjectNode report = Json.object();
    reportMaster(report, now, troubles);
    Shards shards = shards();
    Set<JobId> unreadable = new LinkedHashSet<>();
    report.put("oldestDueAgeSeconds", oldestDueAge(shards, now, unreadable).toSeconds());
    ObjectNode counts = report.putObject("jobs");
    Runs runs = lists.countRuns(MOST_RUNS_COUNTED);
    Map<JobState, Integer> unfinished = countUnfinished(runs, shards);
    unfinished.forEach((state, count) -> counts.put(state.name(), count));
    reportRefused(shards, unfinished, now, unreadable, troubles);
    reportUnreadable(unreadable, troubles);
    reportUnclaimed(runs, troubles);
    reportQueues(report.putObject("queues"), troubles);
    var texts = report.putArray("troubles");
    troubles.forEach(texts::add);
    return Answer.of(200, report);
  }

  private Map<JobState, Integer> countUnfinished(Runs runs, Shards shards) {
    Map<JobState, Integer> counts = new EnumMap<>(JobState.class);
    counts.putAll(runs.byState());
    int counted = counts.values().stream().mapToInt(Integer::intValue).sum();
    jobs.countUnfinished(shards.attention(), MOST_COUNTED - counted)
        .forEach((state, count) -> counts.merge(state, count, Integer::sum));
    return counts;
  }

  private void reportMaster(ObjectNode report, Instant now, List<String> troubles) {
    Instant last = status.read().map(Status::lastProcessedTime).orElse(null);
    report.put("lastProcessedTime", ScheduleView.text(last));
    if (last == null) {
      report.putNull("lagSeconds");
      troubles.add(
          "the master has never completed a tick; check that its rule is enabled, and read its"
              + " log");
      return;
    }
    Duration lag = notNegative(Duration.between(last, now));
    report.put("lagSeconds", lag.toSeconds());
    if (lag.compareTo(longestLag) > 0) {
      troubles.add(
          "the master has completed no tick since " + ScheduleView.text(last) + "; read its log");
    }
  }

  /** The shards that the master reads, which can be more than the configured ones. */
  private Shards shards() {
    Optional<ShardPlan> plan;
    try {
      plan = status.shards();
    } catch (UnreadableItems damaged) {
      plan = Optional.empty(); // the next tick replaces the damaged items
    }
    return plan.map(ShardPlan::read)
        .orElseGet(() -> new Shards(timers.shards(), jobs.attentionShards()));
  }

  /**
   * The age of the oldest timer or wake-up that is due and was not handed over.
   *
   * @param unreadable receives the jobs of these wake-ups that cannot be read
   */
  private Duration oldestDueAge(Shards shards, Instant now, Set<JobId> unreadable) {
    Instant oldest = now;
    for (int shard = 0; shard < shards.timers(); shard++) {
      for (Timer timer : timers.due(shard, now, null, 1)) {
        oldest = earlier(oldest, timer.dueAt());
      }
    }
    for (int shard = 0; shard < shards.attention(); shard++) {
      List<Wakeup> due = jobs.needingAttention(shard, now, null, 1);
      for (Wakeup first : due) {
        oldest = earlier(oldest, first.at());
      }
      readable(due, unreadable);
    }
    return notNegative(Duration.between(oldest, now));
  }

  /**
   * Adds a trouble if target queues refuse launches, one if queues of pools refuse moves, and one
   * if queues refuse callbacks. Waiting jobs alone are no trouble, because a job whose trigger was
   * just satisfied waits too.
   */
  private void reportRefused(
      Shards shards,
      Map<JobState, Integer> unfinished,
      Instant now,
      Set<JobId> unreadable,
      List<String> troubles) {
    Refusals refusals = new Refusals(schedules, unfinished);
    Instant until = Wakeup.plan(now.plus(Delivery.LONGEST_BACKOFF), now).attentionAt();
    for (int shard = 0; !refusals.isComplete() && shard < shards.attention(); shard++) {
      List<Wakeup> soon = jobs.needingAttention(shard, until, null, MOST_READ_PER_SHARD);
      readable(soon, unreadable).forEach(refusals::add);
    }
    troubles.addAll(refusals.troubles());
  }

  /** Adds a trouble if workers do not claim requests. */
  private static void reportUnclaimed(Runs runs, List<String> troubles) {
    if (runs.unclaimed() > 0) {
      troubles.add(
          ("tracked jobs that were sent again because no worker claimed them: %d, for example %s; check that"
                  + " workers receive from the target queue, and look in its dead-letter queue")
              .formatted(runs.unclaimed(), runs.example()));
    }
  }

  /**
   * Adds a trouble if jobs cannot be read. Their wake-ups stay due, and the checker cannot do what
   * they are for.
   */
  private static void reportUnreadable(Set<JobId> unreadable, List<String> troubles) {
    if (!unreadable.isEmpty()) {
      troubles.add(
          "jobs that cannot be read: %d, for example %s. They are damaged, or a newer version stored them; deploy that version, or repair their items in the table of jobs"
              .formatted(unreadable.size(), unreadable.iterator().next()));
    }
  }

  /**
   * The jobs among the subjects of wake-ups.
   *
   * @param unreadable receives the ids of unreadable jobs
   */
  private Collection<Job> readable(List<Wakeup> wakeups, Set<JobId> unreadable) {
    List<JobId> ids =
        wakeups.stream()
            .map(Wakeup::subject)
            .filter(JobId.class::isInstance)
            .map(JobId.class::cast)
            .toList();
    return UnreadableJobs.readable(ids, unreadable, jobs::find).values();
  }

  private void reportQueues(ObjectNode report, List<String> troubles) {
    try {
      for (Depth depth : queues.depths()) {
        report.putObject(depth.name()).put("url", depth.url()).put("visible", depth.visible());
        boolean holdsFailures =
            depth.name().endsWith("DeadLetters") || depth.name().equals("rejected");
        if (holdsFailures && depth.visible() > 0) {
          troubles.add(
              "messages in the queue "
                  + depth.name()
                  + ": "
                  + depth.visible()
                  + "; they have no effect until they are sent again, see Dead letters");
        }
      }
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "the depths of the queues could not be read; the status leaves them out", unavailable);
      troubles.add(
          "the depths of the queues could not be read; find the cause in the log of the function api");
    }
  }

  private static Instant earlier(Instant first, Instant second) {
    return second.isBefore(first) ? second : first;
  }

  private static Duration notNegative(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }
}
