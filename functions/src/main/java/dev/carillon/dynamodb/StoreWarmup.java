package dev.carillon.dynamodb;

import static java.util.Objects.requireNonNull;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Stores a schedule, a launch and a counted event, and reads them back, before a snapshot is taken.
 * The snapshot then contains the classes that this call loads, links and compiles.
 */
public final class StoreWarmup {

  private static final Duration RETENTION = Duration.ofDays(1);
  private static final Set<Long> EVENT = Set.of(1L);

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
    Fanout fanout = new Fanout(Runnable::run);
    new DynamoSchedules(client, tables, 1, RETENTION, () -> now, fanout).save(sample.created());
    new DynamoStatus(client, tables, fanout).advance(now);
    DynamoTimers timers = new DynamoTimers(client, tables, 1, fanout);
    timers.put(sample.created().timers());
    timers.delete(sample.created().timers());
    DynamoJobs jobs = new DynamoJobs(client, tables, 1, RETENTION, fanout);
    jobs.insert(List.of(job));
    Job tracked = job.tracked(RunPolicy.USUAL);
    jobs.update(
        List.of(
            new Update(
                tracked, tracked.sent(now, Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, "nothing")))));
    jobs.save(null, sample.counted(), EVENT, sample.satisfied(), now);
    read(sample, tracked, now);
    parseAnswers(client, tables);
  }

  /**
   * Has the SDK parse answers that contain items. The stores would require whole items in these
   * answers. The low-level client accepts any item, and it parses its answers with the same classes
   * as the Enhanced Client.
   */
  private static void parseAnswers(DynamoDbClient client, Tables tables) {
    Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS("priming"));
    KeysAndAttributes keys = KeysAndAttributes.builder().keys(List.of(key)).build();
    client.query(query -> query.tableName(tables.jobs())).items();
    client.batchGetItem(get -> get.requestItems(Map.of(tables.jobs(), keys))).responses();
  }

  private static void read(Sample sample, Job tracked, Instant now) {
    Change created = sample.created();
    SeenIds seen = SeenIds.NONE.with(EVENT, now).with(Set.of(2L), now);
    Item<CollectingJob> counted = CollectingJobItem.of(sample.counted(), seen, 1);
    List<Item<?>> items =
        List.of(
            Item.of(created.after(), HeadItem.SCHEMA),
            TimerItem.of(created.timers().get(0), 1),
            JobItem.of(tracked, 1, RETENTION),
            JobItem.of(sample.satisfied().get(0), 1, RETENTION),
            counted);
    items.forEach(Item::record);
    CollectingJobItem.slices(counted, now);
    CollectingJobItem.seen(counted, List.of());
    DynamoSchedules.definitions(
        List.of(Item.of(requireNonNull(created.definition()), DefinitionItem.SCHEMA)));
  }
}
