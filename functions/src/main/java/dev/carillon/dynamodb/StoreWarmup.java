package dev.carillon.dynamodb;

import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
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
 * Stores a schedule and a launch, and reads them back, before a snapshot is taken. The snapshot
 * then contains the classes that this call loads, links and compiles.
 */
public final class StoreWarmup {

  private static final Duration RETENTION = Duration.ofDays(1);

  private StoreWarmup() {}

  /**
   * @param client a client whose requests reach no server
   * @param created the creation of a schedule with a timer
   * @param job the job to launch
   */
  public static void run(DynamoDbClient client, Tables tables, Change created, Job job) {
    Instant now = job.id().at();
    Fanout fanout = new Fanout(Runnable::run);
    new DynamoSchedules(client, tables, 1, RETENTION, () -> now, fanout).save(created);
    new DynamoStatus(client, tables, fanout).advance(now);
    DynamoTimers timers = new DynamoTimers(client, tables, 1, fanout);
    timers.put(created.timers());
    timers.delete(created.timers());
    DynamoJobs jobs = new DynamoJobs(client, tables, 1, RETENTION, fanout);
    jobs.insert(List.of(job));
    jobs.update(
        List.of(
            new Update(job, job.sent(now, Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, "nothing")))));
    CollectingJob counted = new CollectingJob(job.id().schedule(), 1, 1, 1, 0, now, null);
    jobs.save(null, counted, Set.of(1L), List.of(job), now);
    read(created, job, counted);
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

  private static void read(Change created, Job job, CollectingJob counted) {
    List<Item<?>> items =
        List.of(
            Item.of(created.after(), HeadItem.SCHEMA),
            TimerItem.of(created.timers().get(0), 1),
            JobItem.of(job, 1, RETENTION),
            CollectingJobItem.of(counted, SeenIds.NONE, 1));
    items.forEach(Item::record);
  }
}
