package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.JobSource.Found;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.report.RefusalText;
import dev.carillon.report.RunReports;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.runtime.ContentionException;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.UnreadableSchedules;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries or cancels many jobs with one request. It changes each job as the route for a single job
 * does. A request can be repeated: a job that was retried or cancelled does not match any more.
 */
final class ManyJobs {

  /** How many jobs are changed between two checks of the time. */
  private static final int AT_ONCE = JobSource.AT_ONCE;

  private static final Set<JobState> FAILED =
      EnumSet.of(JobState.FAILED, JobState.CANCELLED, JobState.TIMED_OUT);
  private static final Set<JobState> UNFINISHED =
      EnumSet.of(
          JobState.PENDING_CONSTRAINT,
          JobState.PENDING_LAUNCH,
          JobState.READY,
          JobState.ENQUEUED,
          JobState.CLAIMED,
          JobState.RUNNING,
          JobState.RETRY_WAIT);
  private static final Logger LOG = LoggerFactory.getLogger(ManyJobs.class);

  private final Lookup lookup;
  private final JobSources sources;
  private final RunReports reports;
  private final Fanout fanout;
  private final InstantSource clock;

  ManyJobs(
      Lookup lookup, JobSources sources, RunReports reports, Fanout fanout, InstantSource clock) {
    this.lookup = lookup;
    this.sources = sources;
    this.reports = reports;
    this.fanout = fanout;
    this.clock = clock;
  }

  /** Changes one job; empty if there is no such job. */
  @FunctionalInterface
  private interface Change {
    Optional<Reported> carryOut(JobId id);
  }

  /**
   * What a caller asks for.
   *
   * @param done the member of the answer that counts the changed jobs
   * @param source the jobs to search
   * @param concerns false for a selected job that the change leaves out
   */
  private record Order(
      String done,
      JobSelection selection,
      JobSource source,
      Predicate<Job> concerns,
      Change change) {

    boolean matches(Found found) {
      Job job = found.job();
      return job != null && selection.matches(job) && concerns.test(job);
    }
  }

  APIGatewayProxyResponseEvent retry(Call call) {
    Faults faults = new Faults();
    Fields body = call.fields(faults, JobSelection.MEMBERS);
    JobSelection selection =
        JobSelection.read(body, call.namespace(), FAILED, Set.of(JobState.FAILED));
    Order order =
        new Order(
            "retried",
            selection,
            selection.ended(sources),
            job -> job.run() != null,
            id -> reports.retry(id, call.caller()));
    return carryOut(call, order, body, faults);
  }

  APIGatewayProxyResponseEvent cancel(Call call) {
    Faults faults = new Faults();
    Fields body = call.fields(faults, JobSelection.MEMBERS);
    JobSelection selection = JobSelection.read(body, call.namespace(), UNFINISHED, UNFINISHED);
    Order order =
        new Order(
            "cancelled",
            selection,
            selection.unfinished(sources),
            job -> job.run() == null || !job.run().isCancelRequested(),
            id -> reports.cancel(id, call.caller()));
    return carryOut(call, order, body, faults);
  }

  private APIGatewayProxyResponseEvent carryOut(
      Call call, Order order, Fields body, Faults faults) {
    Fields query = call.query(faults);
    JobSelection selection = order.selection();
    boolean isDryRun = body.get("dryRun").asBoolean();
    if (body.has("dryRun") && !body.get("dryRun").isBoolean()) {
      body.refuse("dryRun", "give true or false");
    }
    int limit = Listing.limit(query);
    String list = order.done() + " " + selection + " " + isDryRun;
    String from = Cursor.open(query, list, order.source()::isPlace);
    Problem.refuse(faults);
    if (selection.schedule() != null && lookup.head(selection.scheduleId()) == null) {
      throw Lookup.missing(selection.scheduleId());
    }
    Tally tally = carryOut(order, isDryRun, limit, from);
    ObjectNode answer = Json.object().put("matched", tally.matched).put(order.done(), tally.done);
    answer.set("refused", tally.refused);
    return Answer.of(200, answer.put("next", Cursor.seal(list, tally.next)));
  }

  private Tally carryOut(Order order, boolean isDryRun, int limit, @Nullable String from) {
    Deadline deadline = new Deadline(clock.instant().plus(Members.TIME_FOR_CHANGES), clock);
    Tally tally = new Tally(from);
    do {
      int most = Math.min(AT_ONCE, limit - tally.matched);
      Page<Found> page = order.source().page(order::matches, most, tally.next, deadline);
      List<Job> jobs =
          page.items().stream().flatMap(found -> Stream.ofNullable(found.job())).toList();
      tally.matched += jobs.size();
      tally.next = page.next();
      if (!isDryRun) {
        tally.add(jobs, fanout.map(jobs, job -> refusal(order.change(), job)));
      }
    } while (tally.next != null && tally.matched < limit && !deadline.hasPassed());
    return tally;
  }

  /** Why a job was not changed; empty if it was. */
  private static Optional<String> refusal(Change change, Job job) {
    try {
      Reported reported = change.carryOut(job.id()).orElse(null);
      if (reported == null) {
        return Optional.of("the job does not exist any more");
      }
      return reported.result() instanceof Refused refused
          ? Optional.of(RefusalText.of(reported.job(), refused.why()))
          : Optional.empty();
    } catch (ContentionException busy) {
      return Optional.of("other changes of the job came first each time; repeat the request");
    } catch (UnreadableItems | UnreadableSchedules | UnreadableJobs damaged) {
      LOG.error(
          "{} is not changed: an item that it needs cannot be read; store the item again with PUT",
          job.id(),
          damaged);
      return Optional.of(String.valueOf(damaged.getMessage()));
    }
  }

  /** The effect of a request so far. */
  private static final class Tally {
    private final ArrayNode refused = Json.object().arrayNode();
    private int matched;
    private int done;
    private @Nullable String next;

    Tally(@Nullable String next) {
      this.next = next;
    }

    void add(List<Job> jobs, List<Optional<String>> refusals) {
      for (int i = 0; i < jobs.size(); i++) {
        if (refusals.get(i).isEmpty()) {
          done++;
        } else {
          refused
              .addObject()
              .put("jobId", jobs.get(i).id().toString())
              .put("detail", refusals.get(i).orElseThrow());
        }
      }
    }
  }
}
