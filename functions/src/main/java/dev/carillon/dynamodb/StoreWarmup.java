package dev.carillon.dynamodb;

import static java.util.Objects.requireNonNull;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.run.RunPolicy;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Schedules.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Stores a schedule, a launch and a counted event, and reads them back, before a snapshot is taken.
 * The snapshot then contains the classes that this call loads, links and compiles.
 */
public final class StoreWarmup {

  private static final Duration RETENTION = Duration.ofDays(1);
  private static final Set<Long> EVENT = Set.of(1L);
  private static final Fanout ALONE = new Fanout(Runnable::run);

  private StoreWarmup() {}

  /**
   * What is stored.
   *
   * @param created the creation of a schedule with a timer
   * @param launched a job to launch
   * @param counted the state of a collecting job after it has counted an event
   * @param satisfied the jobs whose trigger this event has satisfied
   */
  public record Sample(Change created, Job launched, CollectingJob counted, List<Job> satisfied) {}

  /**
   * @param client a client whose requests reach no server
   */
  public static void run(DynamoDbClient client, Tables tables, Sample sample) {
    Job job = sample.launched();
    Instant now = job.id().at();
    schedules(client, tables).save(sample.created());
    new DynamoStatus(client, tables, ALONE).advance(now);
    DynamoTimers timers = new DynamoTimers(client, tables, 1, ALONE);
    timers.put(sample.created().timers());
    timers.delete(sample.created().timers());
    DynamoJobs jobs = jobs(client, tables);
    jobs.insert(List.of(job));
    Job tracked = job.tracked(RunPolicy.USUAL);
    jobs.update(
        List.of(
            new Update(
                tracked, tracked.sent(now, Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, "nothing")))));
    jobs.save(null, sample.counted(), EVENT, sample.satisfied(), now);
    read(sample, tracked, tables, now);
    parseAnswers(client, tables);
  }

  /**
   * Has the SDK parse answers that contain items. The low-level client accepts any item, and it
   * parses its answers with the same classes as the Enhanced Client.
   */
  private static void parseAnswers(DynamoDbClient client, Tables tables) {
    Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS("priming"));
    KeysAndAttributes keys = KeysAndAttributes.builder().keys(List.of(key)).build();
    client.query(query -> query.tableName(tables.jobs())).items();
    client.batchGetItem(get -> get.requestItems(Map.of(tables.jobs(), keys))).responses();
  }

  private static void read(Sample sample, Job tracked, Tables tables, Instant now) {
    Change created = sample.created();
    ScheduleId schedule = created.after().id();
    List<Item<?>> ofSchedule =
        List.of(
            DefinitionItem.of(requireNonNull(created.definition()), created.after().version()),
            Item.of(created.after(), HeadItem.SCHEMA));
    schedules(new Finding(ofSchedule), tables).find(schedule);
    schedules(new Finding(ofSchedule.subList(1, 2)), tables).forLaunch(List.of(schedule));
    schedules(new Finding(ofSchedule.subList(0, 1)), tables).recentDefinitions(List.of(schedule));
    List<Item<?>> ofJobs =
        List.of(
            JobItem.of(tracked, 1, RETENTION), JobItem.of(sample.satisfied().get(0), 1, RETENTION));
    jobs(new Finding(ofJobs), tables).find(List.of(tracked.id()));
    SeenIds seen = SeenIds.NONE.with(EVENT, now).with(Set.of(2L), now);
    Finding counted = new Finding(List.of(CollectingJobItem.of(sample.counted(), seen, 1)));
    jobs(counted, tables).collectingJob(schedule, now);
    TimerItem.of(created.timers().get(0), 1).record();
  }

  private static DynamoSchedules schedules(DynamoDbClient client, Tables tables) {
    return new DynamoSchedules(client, tables, 1, RETENTION, () -> Instant.EPOCH, ALONE);
  }

  private static DynamoJobs jobs(DynamoDbClient client, Tables tables) {
    return new DynamoJobs(client, tables, 1, RETENTION, ALONE);
  }

  /** A client whose reads find the same items in each table. */
  private record Finding(List<Item<?>> items) implements DynamoDbClient {

    @Override
    public QueryResponse query(QueryRequest request) {
      int count = items.size();
      return QueryResponse.builder().items(attributes()).count(count).scannedCount(count).build();
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
      Map<String, List<Map<String, AttributeValue>>> found = new HashMap<>();
      request.requestItems().keySet().forEach(table -> found.put(table, attributes()));
      return BatchGetItemResponse.builder().responses(found).build();
    }

    private List<Map<String, AttributeValue>> attributes() {
      List<Map<String, AttributeValue>> all = new ArrayList<>();
      items.forEach(item -> all.add(item.attributes()));
      return all;
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }
}
