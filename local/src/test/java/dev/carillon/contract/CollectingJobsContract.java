package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.aCollectingJob;
import static dev.carillon.contract.Samples.aTriggerState;
import static dev.carillon.contract.Samples.anEventJob;
import static dev.carillon.contract.Samples.anOpenJob;
import static dev.carillon.contract.Samples.hashes;
import static dev.carillon.contract.Samples.schedule;
import static dev.carillon.contract.Samples.sideBySide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.StoredCollectingJob;
import dev.carillon.job.LeafClock;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.wakeup.Wakeup;
import dev.carillon.wakeup.Wakeup.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

abstract class CollectingJobsContract {

  private static final CollectingJob FIRST = aCollectingJob(REPORT, 1, null);
  private static final JobId FIRE = JobId.ofFire(REPORT, 2, NOW);

  abstract Jobs jobs();

  /** The same store, in another function. */
  abstract Jobs elsewhere();

  @Test
  void aScheduleHasNoneAtFirst() {
    assertThat(jobs().collectingJob(REPORT, NOW)).isEmpty();
  }

  @Test
  void savedCountsAreFound() {
    CollectingJob open = aCollectingJob(REPORT, 1, anOpenJob(REPORT, 5));

    assertThat(jobs().save(null, open, Set.of(7L, -8L), List.of(), NOW)).isTrue();

    assertThat(elsewhere().collectingJob(REPORT, NOW))
        .contains(new StoredCollectingJob(open, Set.of(7L, -8L), Jobs.SEEN_WINDOW));
  }

  @Test
  void aJobThatWaitsForTimeIsFound() {
    Map<Integer, LeafClock> clocks = Map.of(1, new LeafClock(NOW, NOW.plusMillis(5), true));
    Plan far = new Plan(NOW.plusSeconds(9_000), false);
    Plan near = new Plan(NOW.plusSeconds(600), true);
    CollectingJob waiting = waking(1, anOpenJob(REPORT, 5), clocks, far);
    CollectingJob closed = waking(2, null, Map.of(), near);

    assertThat(jobs().save(null, waiting, Set.of(), List.of(), NOW)).isTrue();
    assertThat(elsewhere().collectingJob(REPORT, NOW).orElseThrow().collectingJob())
        .isEqualTo(waiting);
    assertThat(needed(far.attentionAt().minusMillis(1))).isEmpty();
    assertThat(needed(far.attentionAt())).containsExactly(new CollectingJobId(REPORT));
    assertThat(jobs().countUnfinished(jobs().attentionShards(), 10))
        .containsExactly(Map.entry(JobState.PENDING_TRIGGER, 1));

    assertThat(jobs().save(waiting, closed, Set.of(), List.of(), NOW)).isTrue();
    assertThat(elsewhere().collectingJob(REPORT, NOW).orElseThrow().collectingJob())
        .isEqualTo(closed);
    assertThat(needed(near.attentionAt())).containsExactly(new CollectingJobId(REPORT));
    assertThat(jobs().countUnfinished(jobs().attentionShards(), 10)).isEmpty();

    assertThat(jobs().save(closed, closed.emptied(), Set.of(), List.of(), NOW)).isTrue();
    assertThat(needed(Instant.parse("9999-01-01T00:00:00Z"))).isEmpty();
  }

  @Test
  void wakeUpsAreFoundPageByPage() {
    Instant at = NOW.plusSeconds(9_000);
    Plan plan = new Plan(at, false);
    List<CollectingJobId> saved =
        IntStream.range(0, 12)
            .mapToObj(
                i ->
                    new CollectingJob(
                        schedule("s" + i), 1, 2, 3, 6, NOW, null, Map.of(), plan, null))
            .peek(it -> jobs().save(null, it, Set.of(), List.of(), NOW))
            .map(it -> new CollectingJobId(it.schedule()))
            .toList();

    List<Subject> found = new ArrayList<>();
    for (int shard = 0; shard < jobs().attentionShards(); shard++) {
      List<Wakeup> page = jobs().needingAttention(shard, at, null, 1);
      while (!page.isEmpty()) {
        found.add(page.get(0).subject());
        page = jobs().needingAttention(shard, at, page.get(0), 1);
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(saved);
  }

  private static CollectingJob waking(
      long version, OpenJob open, Map<Integer, LeafClock> clocks, Plan plan) {
    return new CollectingJob(REPORT, version, 2, 3, 6, NOW, open, clocks, plan, null);
  }

  private List<Subject> needed(Instant until) {
    return IntStream.range(0, jobs().attentionShards())
        .mapToObj(shard -> jobs().needingAttention(shard, until, null, 10))
        .flatMap(List::stream)
        .<Subject>map(Wakeup::subject)
        .toList();
  }

  @Test
  void aJobThatIsNoLongerOpenIsAbsent() {
    CollectingJob open = aCollectingJob(REPORT, 1, anOpenJob(REPORT, 5));
    CollectingJob closed = aCollectingJob(REPORT, 2, null);
    jobs().save(null, open, Set.of(1L), List.of(), NOW);

    assertThat(jobs().save(open, closed, Set.of(2L), List.of(), NOW)).isTrue();

    assertThat(jobs().collectingJob(REPORT, NOW))
        .contains(new StoredCollectingJob(closed, Set.of(1L, 2L), Jobs.SEEN_WINDOW));
    assertThat(jobs().countUnfinished(jobs().attentionShards(), 10)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50})
  void aLostRaceChangesNothing(int satisfied) {
    CollectingJob second = aCollectingJob(REPORT, 2, null);
    jobs().save(null, FIRST, Set.of(1L), List.of(), NOW);
    jobs().save(FIRST, second, Set.of(2L), List.of(), NOW);
    List<Job> late = eventJobs(satisfied);

    assertThat(jobs().save(FIRST, second, hashes(0, 300), late, NOW)).isFalse();
    assertThat(elsewhere().save(null, FIRST, hashes(0, 300), late, NOW)).isFalse();
    assertThat(elsewhere().save(FIRST, second, Set.of(3L), late, NOW)).isFalse();

    assertThat(jobs().collectingJob(REPORT, NOW))
        .contains(new StoredCollectingJob(second, Set.of(1L, 2L), Jobs.SEEN_WINDOW));
    assertThat(jobs().ofSchedule(REPORT, null, 10, null).items()).isEmpty();
  }

  @Test
  void theLatestJobIsRemembered() {
    CollectingJob stored = new CollectingJob(REPORT, 1, 2, 3, 6, NOW, null, Map.of(), null, FIRE);
    assertThat(jobs().save(null, stored, Set.of(), List.of(), NOW)).isTrue();
    assertThat(elsewhere().collectingJob(REPORT, NOW).orElseThrow().collectingJob())
        .isEqualTo(stored);
  }

  @Test
  void aJobThatWaitsGrowsTogetherWithTheCollectingJob() {
    Job waiting = anEventJob(REPORT, 5);
    CollectingJob second = aCollectingJob(REPORT, 2, null);
    jobs().save(null, FIRST, Set.of(), List.of(waiting), NOW);
    Job grown = waiting.grown(aTriggerState(7));
    Job fire = NewJob.waitingFire(FIRE, 2, "exporter", NOW);

    assertThat(jobs().save(FIRST, second, Set.of(1L), List.of(grown, fire), NOW)).isTrue();

    assertThat(jobs().find(List.of(grown.id(), FIRE)))
        .containsOnly(Map.entry(grown.id(), grown), Map.entry(FIRE, fire));
  }

  @Test
  void aJobThatIsNoLongerAsItWasIsALostRace() {
    Job waiting = anEventJob(REPORT, 5);
    CollectingJob second = aCollectingJob(REPORT, 2, null);
    jobs().save(null, FIRST, Set.of(), List.of(waiting), NOW);
    Job launching = waiting.launching(NOW, NOW.plusSeconds(15));
    jobs().update(List.of(new Jobs.Update(waiting, launching)));
    Job fire = NewJob.waitingFire(FIRE, 2, "exporter", NOW);

    List<Job> both = List.of(waiting.grown(aTriggerState(7)), fire);
    assertThat(jobs().save(FIRST, second, Set.of(1L), both, NOW)).isFalse();
    List<Job> ofOtherState =
        List.of(
            launching
                .ended(JobState.FAILED, NOW, Reason.of(ReasonCode.REQUEST_IMPOSSIBLE, "no"))
                .grown(aTriggerState(7)));
    assertThat(jobs().save(FIRST, second, Set.of(1L), ofOtherState, NOW)).isFalse();
    List<Job> missing = List.of(anEventJob(REPORT, 6).grown(aTriggerState(7)));
    assertThat(jobs().save(FIRST, second, Set.of(1L), missing, NOW)).isFalse();
    jobs().insert(List.of(fire));
    assertThat(jobs().save(FIRST, second, Set.of(1L), List.of(fire), NOW)).isFalse();

    assertThat(jobs().find(List.of(waiting.id(), FIRE)))
        .containsOnly(Map.entry(waiting.id(), launching), Map.entry(FIRE, fire));
    assertThat(jobs().collectingJob(REPORT, NOW))
        .contains(new StoredCollectingJob(FIRST, Set.of(), Jobs.SEEN_WINDOW));
  }

  @Test
  void aChangeOfAnAbsentItemIsALostRace() {
    CollectingJob second = aCollectingJob(REPORT, 2, null);

    assertThat(jobs().save(FIRST, second, Set.of(1L), List.of(), NOW)).isFalse();
    assertThat(jobs().collectingJob(REPORT, NOW)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  void satisfiedJobsAreStoredWithTheCollectingJob(int count) {
    List<Job> satisfied = eventJobs(count);
    CollectingJob second = aCollectingJob(REPORT, 2, anOpenJob(REPORT, 1));
    jobs().save(null, FIRST, Set.of(), List.of(), NOW);

    assertThat(jobs().save(FIRST, second, hashes(0, 200), satisfied, NOW)).isTrue();

    assertThat(jobs().collectingJob(REPORT, NOW))
        .contains(new StoredCollectingJob(second, hashes(0, 200), Jobs.SEEN_WINDOW));
    assertThat(jobs().find(satisfied.stream().map(Job::id).toList()).values())
        .containsExactlyInAnyOrderElementsOf(satisfied);
    assertThat(jobs().countUnfinished(jobs().attentionShards(), 100))
        .isEqualTo(Map.of(JobState.PENDING_CONSTRAINT, count, JobState.PENDING_TRIGGER, 1));
  }

  @Test
  void moreThanATransactionTakesIsRefused() {
    assertThatThrownBy(() -> jobs().save(null, FIRST, Set.of(), eventJobs(51), NOW))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(jobs().collectingJob(REPORT, NOW)).isEmpty();
  }

  @Test
  void aJobIsNeverStoredOverAnother() {
    List<Job> satisfied = eventJobs(1);
    jobs().insert(satisfied);

    assertThat(jobs().save(null, FIRST, Set.of(), satisfied, NOW)).isFalse();
    assertThat(jobs().collectingJob(REPORT, NOW)).isEmpty();
  }

  @Test
  void ofManySavesAtOnceOneWins() throws Exception {
    AtomicLong number = new AtomicLong();
    jobs().save(null, FIRST, Set.of(), List.of(), NOW);

    List<Boolean> won =
        sideBySide(
            8,
            () -> {
              long mine = number.incrementAndGet();
              Job job = anEventJob(REPORT, mine);
              CollectingJob second = aCollectingJob(REPORT, 2, null);
              return jobs().save(FIRST, second, Set.of(mine), List.of(job), NOW);
            });

    assertThat(won).containsOnlyOnce(true);
    assertThat(jobs().collectingJob(REPORT, NOW).orElseThrow().seen()).hasSize(1);
    assertThat(jobs().ofSchedule(REPORT, null, 10, null).items()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"3, true", "3, false", "300, true", "300, false"})
  void idsAreRememberedForTenMinutes(int ids, boolean elsewhere) {
    jobs().save(null, FIRST, hashes(0, ids), List.of(), NOW);
    Jobs reader = elsewhere ? elsewhere() : jobs();
    Instant end = NOW.plus(Jobs.SEEN_WINDOW);

    assertThat(reader.collectingJob(REPORT, end).orElseThrow().seen()).isEqualTo(hashes(0, ids));
    assertThat(reader.collectingJob(REPORT, end.plusMillis(1)).orElseThrow().seen()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 40, 128, 129, 1_000, 2_500})
  void batchesOfAllSizesAreRememberedTogether(int batch) {
    CollectingJob before = null;
    int batches = Math.max(3, 600 / batch);
    for (int i = 0; i < batches; i++) {
      CollectingJob after = aCollectingJob(REPORT, i + 1L, null);
      Jobs writer = i % 3 == 2 ? elsewhere() : jobs();
      Set<Long> newlyCounted = hashes((long) i * batch, (i + 1L) * batch);
      assertThat(writer.save(before, after, newlyCounted, List.of(), NOW.plusSeconds(i % 60)))
          .isTrue();
      before = after;
    }

    assertThat(elsewhere().collectingJob(REPORT, NOW.plusSeconds(60)).orElseThrow().seen())
        .isEqualTo(hashes(0, (long) batches * batch));
  }

  @Test
  void anOldBatchIsDroppedBeforeANewOne() {
    CollectingJob second = aCollectingJob(REPORT, 2, null);
    CollectingJob third = aCollectingJob(REPORT, 3, null);
    jobs().save(null, FIRST, hashes(0, 200), List.of(), NOW);
    jobs().save(FIRST, second, hashes(200, 400), List.of(), NOW.plusSeconds(300));
    jobs().save(second, third, hashes(400, 403), List.of(), NOW.plusSeconds(500));

    assertThat(seen(NOW.plusSeconds(700))).isEqualTo(hashes(200, 403));
    assertThat(seen(NOW.plusSeconds(1_000))).isEqualTo(hashes(400, 403));
  }

  @Test
  void anIdleScheduleStartsANewRecordOfIds() {
    CollectingJob second = aCollectingJob(REPORT, 2, null);
    CollectingJob third = aCollectingJob(REPORT, 3, null);
    Instant later = NOW.plusSeconds(1_000_000);
    jobs().save(null, FIRST, hashes(0, 1_500), List.of(), NOW);

    assertThat(elsewhere().save(FIRST, second, hashes(0, 2), List.of(), later)).isTrue();
    assertThat(seen(later)).isEqualTo(hashes(0, 2));
    assertThat(jobs().save(second, third, hashes(2, 300), List.of(), later)).isTrue();
    assertThat(seen(later)).isEqualTo(hashes(0, 300));
  }

  @Test
  void theNewestTenThousandAreRemembered() {
    CollectingJob before = null;
    for (int i = 0; i < 13; i++) {
      CollectingJob after = aCollectingJob(REPORT, i + 1L, null);
      jobs().save(before, after, hashes(i * 900L, (i + 1) * 900L), List.of(), NOW.plusSeconds(i));
      before = after;
    }

    Set<Long> seen = seen(NOW.plusSeconds(13));
    assertThat(seen).hasSize(Jobs.MOST_SEEN);
    assertThat(seen).containsAll(hashes(2 * 900L, 13 * 900L));
    assertThat(seen).doesNotContainAnyElementsOf(hashes(0, 900));
    assertThat(jobs().collectingJob(REPORT, NOW.plusSeconds(13)).orElseThrow().window())
        .isEqualTo(Duration.ofSeconds(12));
  }

  private Set<Long> seen(Instant now) {
    Set<Long> here = jobs().collectingJob(REPORT, now).orElseThrow().seen();
    assertThat(elsewhere().collectingJob(REPORT, now).orElseThrow().seen()).isEqualTo(here);
    return here;
  }

  private static List<Job> eventJobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> anEventJob(REPORT, i + 1)).toList();
  }
}
