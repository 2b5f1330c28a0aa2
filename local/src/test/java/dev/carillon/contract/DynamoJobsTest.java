package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.aCollectingJob;
import static dev.carillon.contract.Samples.aPlainJob;
import static dev.carillon.contract.Samples.anEventJob;
import static dev.carillon.contract.Samples.anOpenJob;
import static dev.carillon.contract.Samples.hashes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.Tables;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.local.meter.Meter;
import dev.carillon.runtime.ContentionException;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

class DynamoJobsTest extends JobsContract {

  private static final Duration RETENTION = Duration.ofDays(90);

  private final Tables tables = Servers.tables();
  private final DynamoJobs jobs = jobs(Servers.dynamoDb());
  private final Meter meter = new Meter();

  private DynamoJobs jobs(DynamoDbClient client) {
    return jobs(client, 3);
  }

  private DynamoJobs jobs(DynamoDbClient client, int shards) {
    return new DynamoJobs(client, tables, shards, RETENTION, Servers.fanout());
  }

  private Jobs recorded() {
    return jobs(Servers.dynamoDb(List.of(meter)));
  }

  @Override
  Jobs jobs() {
    return jobs;
  }

  @Override
  Backfills backfills() {
    return jobs;
  }

  @Test
  void aPlainFireTakesTwoWriteUnitsEvenWithTheLongestNames() {
    ScheduleId longest = new ScheduleId("n".repeat(32), "s".repeat(64));
    Job job =
        NewJob.launchingFire(
            JobId.ofFire(longest, 1_000_000, NOW),
            1_000_000,
            "p".repeat(64),
            NOW.plusMillis(40),
            NOW.plusSeconds(15));
    Jobs recorded = recorded();

    recorded.insert(List.of(job));
    recorded.update(List.of(new Update(job, job.sent(NOW.plusMillis(90), null))));

    assertThat(meter.writeUnits()).isEqualTo(2);
    assertThat(meter.readUnits()).isZero();
    assertThat(meter.requests()).isEqualTo(Map.of("PutItem", 2));
    assertThat(meter.largestItem()).isLessThan(512);
  }

  @Test
  void onlyEndedJobsExpire() {
    Job job = aPlainJob(REPORT, NOW);
    jobs.insert(List.of(job));
    assertThat(item(job)).doesNotContainKeys("expiresAt", "attentionShard", "attentionAt");

    jobs.update(List.of(new Update(job, job.sent(NOW, null))));

    assertThat(item(job).get("expiresAt").n())
        .isEqualTo(Long.toString(NOW.plus(RETENTION).getEpochSecond()));
  }

  @Test
  void aFireSkippedAheadOfTimeIsKeptFromWhenItWasDue() {
    Instant fire = NOW.plus(RETENTION).plus(RETENTION);
    JobId id = JobId.ofFire(REPORT, 1, fire);
    Job skipped =
        NewJob.endedBeforeLaunch(
            id, 2, "p", JobState.SKIPPED, null, NOW, Reason.of(ReasonCode.SKIPPED_BY_HAND, "ann"));

    jobs.insert(List.of(skipped));

    assertThat(item(skipped).get("expiresAt").n())
        .isEqualTo(Long.toString(fire.plus(RETENTION).getEpochSecond()));
  }

  @Test
  void attentionIsPagedInTheShardsInWhichItWasStored() {
    List<Job> stored = IntStream.range(0, 20).mapToObj(i -> anEventJob(REPORT, i)).toList();
    jobs(Servers.dynamoDb(), 8).insert(stored);

    List<Subject> found = new ArrayList<>();
    for (int shard = 0; shard < 8; shard++) {
      List<Wakeup> page = jobs.needingAttention(shard, NOW.plusSeconds(60), null, 2);
      while (!page.isEmpty()) {
        page.forEach(attention -> found.add(attention.subject()));
        page = jobs.needingAttention(shard, NOW.plusSeconds(60), page.get(page.size() - 1), 2);
      }
    }

    assertThat(found).containsExactlyInAnyOrderElementsOf(stored.stream().map(Job::id).toList());
  }

  @Test
  void aJobStaysInItsShardUntilItIsWrittenAgain() {
    Job job = anEventJob(REPORT, 1);
    int shard = Math.floorMod(job.id().toString().hashCode(), 8);
    jobs(Servers.dynamoDb(), 8).insert(List.of(job));
    assertThat(jobs.isAttentionEmpty(shard)).isFalse();
    assertThat(IntStream.range(0, 8).filter(i -> !jobs.isAttentionEmpty(i)).count()).isOne();

    Jobs lowered = jobs(Servers.dynamoDb(), 1);
    Job later =
        job.waitingUntil(
            NOW.plusSeconds(90),
            NOW.plusSeconds(90),
            NOW,
            Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed"));
    assertThat(lowered.update(List.of(new Jobs.Update(job, later))))
        .containsExactly(Optional.empty());
    assertThat(jobs.isAttentionEmpty(0)).isFalse();
    assertThat(IntStream.range(1, 8).allMatch(jobs::isAttentionEmpty)).isTrue();
  }

  @Test
  void anAttentionIndexCostsOnlyWhereItChanges() {
    Servers.assumeExactCapacity();
    CollectingJob first = aCollectingJob(REPORT, 1, anOpenJob(REPORT, 1));
    CollectingJob second = aCollectingJob(REPORT, 2, anOpenJob(REPORT, 2));
    CollectingJob third = aCollectingJob(REPORT, 3, null);
    Jobs recorded = recorded();

    recorded.save(null, first, Set.of(1L), List.of(), NOW);
    assertThat(meter.writeUnits()).isEqualTo(2);
    meter.reset();
    recorded.save(first, second, Set.of(2L), List.of(), NOW);
    assertThat(meter.writeUnits()).isEqualTo(1);
    meter.reset();
    recorded.save(second, third, Set.of(3L), List.of(), NOW);
    assertThat(meter.writeUnits()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"10, 220, 100", "100, 50, 10", "500, 25, 2"})
  void aThousandEventsTakeAFractionOfAWriteUnitEach(int batch, int mostUnits, int mostRequests) {
    Jobs recorded = recorded();
    CollectingJob before = null;
    for (int i = 0; i < 1_000 / batch; i++) {
      CollectingJob after = aCollectingJob(REPORT, i + 1L, anOpenJob(REPORT, 40));
      Optional<Jobs.StoredCollectingJob> recalled = recorded.collectingJob(REPORT, NOW);
      assertThat(recalled.map(Jobs.StoredCollectingJob::collectingJob))
          .isEqualTo(Optional.ofNullable(before));
      assertThat(
              recorded.save(
                  before, after, hashes((long) i * batch, (i + 1L) * batch), List.of(), NOW))
          .isTrue();
      before = after;
    }

    assertThat(meter.writeUnits()).isLessThanOrEqualTo(mostUnits);
    assertThat(meter.writeRequests()).isLessThanOrEqualTo(mostRequests);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aWriteWithALostAnswerSucceeds(int lost) {
    Jobs lossy = jobs(Servers.dynamoDb(List.of(), new LostAnswers(lost)));
    Job job = aPlainJob(REPORT, NOW);

    assertThat(lossy.insert(List.of(job))).containsExactly(Optional.empty());
    assertThat(lossy.insert(List.of(job))).containsExactly(Optional.of(job));
  }

  @Test
  void anUpdateWhoseAnswerWasLostIsASuccess() {
    Job job = aPlainJob(REPORT, NOW);
    Job sent = job.sent(NOW, null);
    jobs.insert(List.of(job));
    Jobs lossy = jobs(Servers.dynamoDb(List.of(), new LostAnswers(1)));

    assertThat(lossy.update(List.of(new Update(job, sent)))).containsExactly(Optional.empty());
    assertThat(lossy.update(List.of(new Update(job, sent)))).containsExactly(Optional.of(sent));
  }

  @Test
  void aSaveWhoseAnswerWasLostIsASuccess() {
    CollectingJob first = aCollectingJob(REPORT, 1, null);
    CollectingJob second = aCollectingJob(REPORT, 2, null);
    Jobs plain = jobs(Servers.dynamoDb(List.of(), new LostAnswers(1)));

    assertThat(plain.save(null, first, Set.of(1L), List.of(), NOW)).isTrue();
    Jobs whole = jobs(Servers.dynamoDb(List.of(), new LostAnswers(2)));
    assertThat(whole.save(first, second, hashes(0, 200), List.of(anEventJob(REPORT, 1)), NOW))
        .isTrue();
    assertThat(whole.save(first, second, hashes(0, 200), List.of(anEventJob(REPORT, 1)), NOW))
        .isFalse();
  }

  @Test
  void aBackfillWhoseAnswerWasLostIsStored() {
    Backfill first =
        Backfill.create(
            new BackfillId(REPORT, "x1"),
            new Backfill.Order(1, 2, "p", NOW.minusSeconds(9), NOW, 1, 1, "ann", NOW),
            NOW);
    Backfill second = first.cancelled("by ann").stored();
    Backfills lossy = jobs(Servers.dynamoDb(List.of(), new LostAnswers(1)));

    assertThat(lossy.saveBackfill(null, first)).isTrue();
    assertThat(lossy.saveBackfill(first, second)).isTrue();
    assertThat(lossy.saveBackfill(first, second)).isFalse();
  }

  @Test
  void aWriteThatMetATransactionIsTriedAgain() {
    Jobs troubled = jobs(Servers.dynamoDb(List.of(new Trouble(3))));

    assertThat(troubled.insert(List.of(aPlainJob(REPORT, NOW)))).containsExactly(Optional.empty());
  }

  @Test
  void aWriteThatMeetsTransactionsForEverIsContention() {
    Jobs troubled = jobs(Servers.dynamoDb(List.of(new Trouble(1_000))));

    assertThatThrownBy(() -> troubled.insert(List.of(aPlainJob(REPORT, NOW))))
        .isInstanceOf(ContentionException.class)
        .hasCauseInstanceOf(TransactionConflictException.class);
  }

  @Test
  void anUnreadableItemInTheAttentionIndexHidesNothingBehindIt() {
    List<Job> all = IntStream.range(0, 9).mapToObj(i -> anEventJob(REPORT, i)).toList();
    jobs.insert(all);
    Set<JobId> expected = all.stream().map(Job::id).collect(Collectors.toSet());
    assertThat(needingAttention()).isEqualTo(expected);

    for (int shard = 0; shard < 3; shard++) {
      put(
          Map.of(
              "schedule", AttributeValue.fromS(REPORT.toString()),
              "item", AttributeValue.fromS("job#nonsense" + shard),
              "state", AttributeValue.fromS("UNHEARD_OF"),
              "attentionShard", AttributeValue.fromS("" + shard),
              "attentionAt", AttributeValue.fromN("1")));
    }

    assertThat(needingAttention()).isEqualTo(expected);
    assertThat(jobs.countUnfinished(jobs.attentionShards(), 100))
        .containsOnly(Map.entry(all.get(0).state(), 9));
  }

  /** The subjects in the attention index, read in pages of two. */
  private Set<JobId> needingAttention() {
    Set<JobId> found = new HashSet<>();
    for (int shard = 0; shard < 3; shard++) {
      List<Wakeup> page = jobs.needingAttention(shard, NOW.plusSeconds(999), null, 2);
      page.forEach(one -> found.add((JobId) one.subject()));
      while (page.size() == 2) {
        page = jobs.needingAttention(shard, NOW.plusSeconds(999), page.get(1), 2);
        page.forEach(one -> found.add((JobId) one.subject()));
      }
    }
    return found;
  }

  @Test
  void aRowThatCannotBeReadIsNotTakenForAbsentAndHidesNoOther() {
    Job damaged = aPlainJob(REPORT, NOW);
    Job whole = aPlainJob(REPORT, NOW.plusSeconds(1));
    jobs.insert(List.of(damaged, whole));
    Map<String, AttributeValue> item = new HashMap<>(item(damaged));
    item.put("state", AttributeValue.fromS("UNHEARD_OF"));
    put(item);

    assertThatThrownBy(() -> jobs.find(List.of(damaged.id(), whole.id())))
        .isInstanceOfSatisfying(
            UnreadableJobs.class, it -> assertThat(it.ids()).containsExactly(damaged.id()));
    assertThat(jobs.ofSchedule(REPORT, null, 10, null).items()).containsExactly(whole);
  }

  @Test
  void theEntryOfARowThatCannotBeReadIsFound() {
    Job damaged = anEventJob(REPORT, 1);
    jobs.insert(List.of(damaged));
    Map<String, AttributeValue> item = new HashMap<>(item(damaged));
    item.put("state", AttributeValue.fromS("UNHEARD_OF"));
    put(item);

    assertThatThrownBy(() -> jobs.find(List.of(damaged.id()))).isInstanceOf(UnreadableJobs.class);
    assertThat(jobs.attentionOf(List.of(damaged.id())))
        .isEqualTo(Map.of(damaged.id(), damaged.attentionAt()));
  }

  private void put(Map<String, AttributeValue> item) {
    Servers.dynamoDb().putItem(put -> put.tableName(tables.jobs()).item(item));
  }

  private Map<String, AttributeValue> item(Job job) {
    return Servers.dynamoDb()
        .getItem(
            get ->
                get.tableName(tables.jobs())
                    .key(
                        Map.of(
                            "schedule", AttributeValue.fromS(job.id().schedule().toString()),
                            "item", AttributeValue.fromS("job#" + job.id().sortKey()))))
        .item();
  }
}
