package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.JobSource.Found;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.Page;
import dev.carillon.id.ProgramName;
import dev.carillon.job.JobState;
import dev.carillon.run.Operation;
import dev.carillon.run.Operations;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.LinkId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lists the unfinished jobs of a namespace, or all jobs with a link. */
final class JobList {

  /** How many jobs the summary of a link counts at most. */
  private static final int MOST_COUNTED = 1_000;

  private static final Duration READING_TIME = Duration.ofSeconds(10);
  private static final TextForm CUSTOMER = TextForm.line(256);
  private static final List<String> ALL = names(state -> true);
  private static final List<String> UNFINISHED = names(state -> !state.isEnd());

  private final JobSources sources;
  private final InstantSource clock;

  JobList(JobSources sources, InstantSource clock) {
    this.sources = sources;
    this.clock = clock;
  }

  private static List<String> names(Predicate<JobState> kind) {
    return Arrays.stream(JobState.values()).filter(kind).map(JobState::name).toList();
  }

  /** Selects jobs; each part that is not null must match. */
  private record Filter(
      @Nullable String state, @Nullable String customer, @Nullable String program) {

    boolean matches(Found found) {
      return (state == null || state.equals(found.state().name()))
          && (customer == null || customer.equals(found.customer()))
          && (program == null || program.equals(found.program()));
    }
  }

  APIGatewayProxyResponseEvent list(Call call) {
    String namespace = call.namespace();
    Faults faults = new Faults();
    Fields query = call.query(faults);
    String linkId = query.optionalText(LinkId.NAME, LinkId.FORM);
    Filter filter = filter(query, namespace, linkId == null ? UNFINISHED : ALL);
    JobSource source =
        linkId == null ? sources.unfinished(namespace) : sources.linked(namespace, linkId);
    int limit = Listing.limit(query);
    String list = "jobs in " + namespace + " " + linkId + " " + filter;
    String from = Cursor.open(query, list, source::isPlace);
    Problem.refuse(faults);
    ObjectNode answer = Listing.fitting(limit, items -> page(source, filter, items, from, list));
    if (linkId != null && from == null) {
      answer.set("summary", summary(source));
    }
    return Answer.of(200, answer);
  }

  private static Filter filter(Fields query, String namespace, List<String> states) {
    return new Filter(
        query.has("state") ? query.choice("state", states).orElse(null) : null,
        query.optionalText("customer", CUSTOMER),
        query.has("program") ? ProgramName.read(query, "program", namespace) : null);
  }

  private ObjectNode page(
      JobSource source, Filter filter, int limit, @Nullable String from, String list) {
    Page<Found> page = source.page(filter::matches, limit, from, deadline());
    List<ObjectNode> views = page.items().stream().map(Found::view).toList();
    return Listing.page("jobs", views, Cursor.seal(list, page.next()));
  }

  private Deadline deadline() {
    return new Deadline(clock.instant().plus(READING_TIME), clock);
  }

  /** Counts the first jobs of a link and their operations, both by state. */
  private ObjectNode summary(JobSource source) {
    Page<Found> counted = source.page(found -> true, MOST_COUNTED, null, deadline());
    Map<String, Integer> jobs = new TreeMap<>();
    Map<String, Integer> operations = new TreeMap<>();
    for (Found found : counted.items()) {
      jobs.merge(found.state().name(), 1, Integer::sum);
      if (found.job() != null && found.job().run() != null) {
        count(found.job().run().operations(), operations);
      }
    }
    ObjectNode summary = Json.object();
    jobs.forEach(summary.putObject("jobs")::put);
    operations.forEach(summary.putObject("operations")::put);
    return summary.put("moreJobs", counted.next() != null);
  }

  private static void count(Operations operations, Map<String, Integer> counts) {
    for (Operation operation : operations.all()) {
      counts.merge(operations.stateOf(operation).name(), 1, Integer::sum);
    }
  }
}
