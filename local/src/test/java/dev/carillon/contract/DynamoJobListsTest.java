package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.anEventJob;
import static dev.carillon.contract.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.dynamodb.DynamoJobLists;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.Tables;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobLists;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.NewJob;
import dev.carillon.local.meter.Meter;
import dev.carillon.run.RunPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoJobListsTest extends JobListsContract {

  private static final Duration RETENTION = Duration.ofDays(90);

  private final Tables tables = Servers.tables();
  private final DynamoJobs jobs = jobs(Servers.dynamoDb());
  private final DynamoJobLists lists = lists(Servers.dynamoDb());

  private DynamoJobs jobs(DynamoDbClient client) {
    return new DynamoJobs(client, tables, 2, RETENTION, Servers.fanout());
  }

  private DynamoJobLists lists(DynamoDbClient client) {
    return new DynamoJobLists(client, tables, Servers.fanout());
  }

  @Override
  Jobs jobs() {
    return jobs;
  }

  @Override
  JobLists lists() {
    return lists;
  }

  /** Each shard has more entries than one page examines, also more at one instant. */
  @Test
  void moreJobsOfOthersThanAPageExaminesHideNoJob() {
    int atOnce = 10;
    assertFoundAmong(300, new DynamoJobLists(Servers.dynamoDb(), tables, Servers.fanout(), atOnce));
  }

  @Test
  void aDamagedEntryIsLeftOut() {
    Job good = anEventJob(schedule("a"), 1);
    jobs.insert(List.of(good));
    Map<String, AttributeValue> bad = new HashMap<>();
    bad.put("schedule", AttributeValue.fromS("default/a"));
    bad.put("item", AttributeValue.fromS("job#!"));
    bad.put("state", AttributeValue.fromS("PENDING_CONSTRAINT"));
    bad.put("attentionShard", AttributeValue.fromS("0"));
    bad.put("attentionAt", AttributeValue.fromN("1"));
    bad.put("unfinished", AttributeValue.fromS("default|0"));
    bad.put("link", AttributeValue.fromS("default|l"));
    Servers.dynamoDb().putItem(it -> it.tableName(tables.jobs()).item(bad));
    assertThat(lists.waiting("default", 2, 10, null).items())
        .singleElement()
        .satisfies(found -> assertThat(found.subject()).isEqualTo(good.id()));
    assertThat(lists.tracked("default", 10, null).items()).isEmpty();
    assertThat(lists.linked("default", "l", 10, null).items()).isEmpty();
    bad.remove("attentionShard");
    bad.remove("attentionAt");
    Servers.dynamoDb().putItem(it -> it.tableName(tables.jobs()).item(bad));
    assertThat(lists.countRuns(10).byState()).isEmpty();
  }

  /** An entry costs when it comes and when it goes, and nothing while the job changes. */
  @Test
  void aLinkCostsOneWriteUnitAndAnUnfinishedRunTwo() {
    Servers.assumeExactCapacity();
    Meter meter = new Meter();
    Jobs metered = jobs(Servers.dynamoDb(List.of(meter)));
    JobId id = JobId.ofFire(schedule("a"), 1, NOW);
    Job due = NewJob.dueFire(id, 2, "exporter").tracked(RunPolicy.USUAL).linked("l");
    Job launching = due.launching(NOW, NOW.plusSeconds(15));
    metered.insert(List.of(launching));
    assertThat(meter.writeUnits()).isEqualTo(3);
    meter.reset();
    Job sent = launching.enqueued(NOW, null, NOW.plusSeconds(60));
    metered.update(List.of(new Update(launching, sent)));
    assertThat(meter.writeUnits()).isEqualTo(1);
    meter.reset();
    Job ended = sent.sent(NOW, null);
    metered.update(List.of(new Update(sent, ended)));
    assertThat(meter.writeUnits()).isEqualTo(2);
  }

  /** 0.5 units a job, and 0.5 for each 4 KB of the index, which has no other entries. */
  @Test
  void countingRunsReadsTheirIndexAndEachOfThemOnce() {
    Servers.assumeExactCapacity();
    Meter meter = new Meter();
    JobLists metered = lists(Servers.dynamoDb(List.of(meter)));
    List<Job> running =
        IntStream.range(0, 250)
            .mapToObj(i -> JobId.ofFire(schedule("s"), 1, NOW.plusSeconds(i)))
            .map(id -> NewJob.dueFire(id, 2, "exporter").tracked(RunPolicy.USUAL))
            .map(due -> due.launching(NOW, NOW.plusSeconds(15)))
            .toList();
    jobs.insert(running);
    jobs.insert(IntStream.range(0, 100).mapToObj(i -> anEventJob(schedule("s"), i)).toList());
    assertThat(metered.countRuns(1_000).byState()).isEqualTo(Map.of(JobState.PENDING_LAUNCH, 250));
    assertThat(meter.requests()).isEqualTo(Map.of("Scan", 1, "BatchGetItem", 3));
    assertThat(meter.readUnits()).isBetween(125.5, 130.0);
    meter.reset();
    assertThat(metered.countRuns(100).byState()).isEqualTo(Map.of(JobState.PENDING_LAUNCH, 100));
    assertThat(meter.requests()).isEqualTo(Map.of("Scan", 1, "BatchGetItem", 1));
  }
}
