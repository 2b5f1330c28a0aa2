package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.aCollectingJob;
import static dev.carillon.contract.Samples.aPlainJob;
import static dev.carillon.contract.Samples.anEventJob;
import static dev.carillon.contract.Samples.anOpenJob;
import static dev.carillon.contract.Samples.schedule;
import static dev.carillon.contract.Samples.sideBySide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.document.Json;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.SuspendedJob;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

abstract class JobsContract {

  abstract Jobs jobs();

  /** The backfills of the same store. */
  abstract Backfills backfills();

  static Stream<Job> kindsOfJobs() {
    Job plain = aPlainJob(REPORT, NOW);
    Job events = anEventJob(REPORT, 35);
    Job manual =
        NewJob.launchedNow(
            JobId.ofLaunchNow(REPORT, 1, NOW, "x1y2"),
            2,
            "exporter",
            NOW,
            Json.readObject("{\"customer\": \"acme\", \"payload\": {\"a\": [1, 2.5, null]}}"));
    return Stream.of(
        plain,
        plain.sent(
            NOW.plusSeconds(1),
            Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, "${payload.x} has no value")),
        plain.refused(
            NOW.plusSeconds(1),
            Reason.of(ReasonCode.REQUEST_REFUSED, "the queue does not exist; create it")),
        plain
            .refused(NOW, Reason.of(ReasonCode.REQUEST_REFUSED, "once"))
            .launching(NOW, NOW.plusSeconds(15))
            .refused(NOW, Reason.of(ReasonCode.REQUEST_REFUSED, "twice")),
        plain.withCustomerAndPriority("acme", 0),
        events,
        plain.waitingForResumption(
            NOW.plusSeconds(1), Reason.of(ReasonCode.HELD_BY_SUSPENSION, "suspended by ann")),
        plain.waitingUntil(
            NOW.plusSeconds(60),
            NOW.plusSeconds(80),
            NOW,
            Reason.of(ReasonCode.CONSTRAINTS_UNMET, "its window is closed")),
        events.launching(NOW.plusSeconds(5), NOW.plusSeconds(20)),
        events.ended(
            JobState.CANCELLED,
            NOW.plusSeconds(9),
            Reason.of(ReasonCode.SCHEDULE_DELETED, Reason.INTERRUPTED)),
        manual,
        NewJob.endedBeforeLaunch(
            JobId.ofFire(REPORT, 1, NOW),
            2,
            "p",
            JobState.SKIPPED,
            null,
            NOW,
            Reason.of(ReasonCode.SKIPPED_BY_HAND, "ann")));
  }

  @ParameterizedTest
  @MethodSource("kindsOfJobs")
  void anInsertedJobIsFoundUnchanged(Job job) {
    assertThat(jobs().insert(List.of(job))).containsExactly(Optional.empty());

    assertThat(jobs().find(List.of(job.id(), job.id()))).isEqualTo(Map.of(job.id(), job));
  }

  private static SuspendedJob held(long activation, long second) {
    return new SuspendedJob(JobId.ofFire(REPORT, 1, NOW.plusSeconds(second)), activation);
  }

  @Test
  void aSuspendedJobIsFoundByActivationAndAgeUntilItsRelease() {
    JobId ofEvents = JobId.ofEvents(REPORT, 1, NOW.plusSeconds(5), 7);
    List<SuspendedJob> all =
        List.of(
            held(9, 3),
            held(9, 4),
            new SuspendedJob(ofEvents, 9),
            held(10, 1),
            held(1_700_000_000, 2));
    jobs().recordSuspended(List.of(all.get(3), all.get(1), all.get(0)));
    jobs().recordSuspended(List.of(all.get(4), all.get(2), all.get(1)));
    SuspendedJob other = new SuspendedJob(JobId.ofFire(schedule("other"), 1, NOW), 9);
    jobs().recordSuspended(List.of(other));

    assertThat(jobs().suspendedJobs(REPORT, Long.MAX_VALUE, 100)).isEqualTo(all);
    assertThat(jobs().suspendedJobs(REPORT, 1_700_000_000, 100)).isEqualTo(all.subList(0, 4));
    assertThat(jobs().suspendedJobs(REPORT, 10, 2)).isEqualTo(all.subList(0, 2));
    assertThat(jobs().suspendedJobs(REPORT, 9, 100)).isEmpty();

    jobs().removeSuspended(all.subList(0, 2));
    jobs().removeSuspended(all.subList(1, 3));
    jobs().removeSuspended(List.of());
    assertThat(jobs().suspendedJobs(REPORT, Long.MAX_VALUE, 100)).isEqualTo(all.subList(3, 5));
    assertThat(jobs().suspendedJobs(other.job().schedule(), 10, 100)).containsExactly(other);
  }

  @Test
  void theRecordOfASuspendedJobIsNoJobOfItsSchedule() {
    jobs().recordSuspended(List.of(held(9, 3)));
    assertThat(jobs().ofSchedule(REPORT, null, 10, null).items()).isEmpty();
    assertThat(jobs().countUnfinished(jobs().attentionShards(), 10)).isEmpty();
  }

  @Test
  void anAbsentJobIsNotFound() {
    assertThat(jobs().find(List.of(JobId.ofFire(REPORT, 1, NOW)))).isEmpty();
    assertThat(jobs().find(List.of())).isEmpty();
    assertThat(jobs().insert(List.of())).isEmpty();
    assertThat(jobs().update(List.of())).isEmpty();
  }

  @Test
  void aJobIsInsertedOnce() {
    Job job = aPlainJob(REPORT, NOW);
    Job other = aPlainJob(REPORT, NOW.plusSeconds(1));
    jobs().insert(List.of(job));
    Job sent = job.sent(NOW, null);
    jobs().update(List.of(new Update(job, sent)));

    assertThat(jobs().insert(List.of(job, other)))
        .containsExactly(Optional.of(sent), Optional.empty());
    assertThat(jobs().find(List.of(job.id()))).isEqualTo(Map.of(job.id(), sent));
  }

  @Test
  void ofManyInsertionsAtOnceOneWins() throws Exception {
    Job job = aPlainJob(REPORT, NOW);

    assertThat(sideBySide(8, () -> jobs().insert(List.of(job)).get(0).isEmpty()))
        .containsOnlyOnce(true);
  }

  @Test
  void ofManyUpdatesAtOnceOneWins() throws Exception {
    Job job = aPlainJob(REPORT, NOW);
    jobs().insert(List.of(job));
    Update update = new Update(job, job.sent(NOW, null));

    assertThat(sideBySide(8, () -> jobs().update(List.of(update)).get(0).isEmpty()))
        .containsOnlyOnce(true);
  }

  @Test
  void anUpdateOfAnotherVersionIsALostRace() {
    Job first = aPlainJob(REPORT, NOW);
    Job second = first.launching(NOW.plusSeconds(20), NOW.plusSeconds(35));
    jobs().insert(List.of(first));
    jobs().update(List.of(new Update(first, second)));

    assertThat(jobs().update(List.of(new Update(first, first.sent(NOW, null)))))
        .containsExactly(Optional.of(second));
    assertThat(jobs().find(List.of(first.id()))).isEqualTo(Map.of(first.id(), second));
  }

  @Test
  void anUpdateOfAnotherStateIsALostRace() {
    Job sent = aPlainJob(REPORT, NOW).sent(NOW, null);
    jobs().insert(List.of(sent));
    Job ofSameVersion =
        aPlainJob(REPORT, NOW).refused(NOW, Reason.of(ReasonCode.REQUEST_REFUSED, "full"));

    assertThat(jobs().update(List.of(new Update(ofSameVersion, sent))))
        .containsExactly(Optional.of(sent));
  }

  @Test
  void anAbsentJobCannotBeUpdated() {
    Job job = aPlainJob(REPORT, NOW);

    assertThatThrownBy(() -> jobs().update(List.of(new Update(job, job.sent(NOW, null)))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(job.id().toString());
  }

  @Test
  void manyGoSideBySideAndKeepTheirOrder() {
    List<Job> many =
        IntStream.range(0, 130).mapToObj(i -> aPlainJob(REPORT, NOW.plusSeconds(i))).toList();
    jobs().insert(many.subList(0, 10));

    List<Optional<Job>> inserted = jobs().insert(many);
    List<Update> updates = many.stream().map(job -> new Update(job, job.sent(NOW, null))).toList();
    List<Optional<Job>> updated = jobs().update(updates);

    assertThat(inserted.subList(0, 10))
        .isEqualTo(many.subList(0, 10).stream().map(Optional::of).toList());
    assertThat(inserted.subList(10, 130)).allMatch(Optional::isEmpty);
    assertThat(updated).hasSize(130).allMatch(Optional::isEmpty);
    List<JobId> ids = many.stream().map(Job::id).toList();
    assertThat(jobs().find(ids).keySet()).containsExactlyElementsOf(ids);
    assertThat(jobs().find(ids).values()).allMatch(Job::isEnded);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 100})
  void theJobsOfAScheduleAreListedNewestFirst(int limit) {
    List<Job> newestFirst =
        List.of(
            ofGeneration(40, NOW.minusSeconds(50)),
            ofGeneration(3, NOW.plusSeconds(2)),
            anEventJob(REPORT, 3),
            anEventJob(REPORT, 2),
            aPlainJob(REPORT, NOW),
            aPlainJob(REPORT, NOW.minusSeconds(1)));
    List<Job> inserted = new ArrayList<>(newestFirst);
    inserted.add(aPlainJob(schedule("report-2"), NOW));
    inserted.add(aPlainJob(schedule("repor"), NOW));
    jobs().insert(inserted);
    jobs()
        .save(
            null,
            aCollectingJob(REPORT, 1, anOpenJob(REPORT, 1)),
            Samples.hashes(0, 500),
            List.of(),
            NOW);

    assertThat(listed(null, limit))
        .extracting(job -> job.id().sortKey())
        .isEqualTo(
            newestFirst.stream()
                .map(job -> job.id().sortKey())
                .sorted(Comparator.reverseOrder())
                .toList());
    assertThat(listed(null, limit).get(0)).isEqualTo(newestFirst.get(0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void aListOfOneStateLeavesOutTheOthers(int limit) {
    List<Job> many =
        IntStream.range(0, 20).mapToObj(i -> aPlainJob(REPORT, NOW.plusSeconds(i))).toList();
    jobs().insert(many);
    for (int i : new int[] {0, 7, 19}) {
      jobs().update(List.of(new Update(many.get(i), many.get(i).sent(NOW, null))));
    }

    assertThat(listed(Set.of(JobState.LAUNCHED), limit))
        .extracting(Job::id)
        .containsExactly(many.get(19).id(), many.get(7).id(), many.get(0).id());
    assertThat(listed(Set.of(JobState.FAILED), limit)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void aListOfSeveralStatesIsInOneOrder(int limit) {
    Job sent = aPlainJob(REPORT, NOW);
    Job waits = anEventJob(REPORT, 1);
    Job leased = aPlainJob(REPORT, NOW.plusSeconds(2));
    jobs().insert(List.of(sent, waits, leased));
    jobs().update(List.of(new Update(sent, sent.sent(NOW, null))));

    assertThat(listed(Set.of(JobState.PENDING_CONSTRAINT, JobState.PENDING_LAUNCH), limit))
        .extracting(Job::id)
        .containsExactly(leased.id(), waits.id());
  }

  @Test
  void skippedFiresOfAGenerationAreFoundUpToOneTheNewestFirst() {
    List<Job> rows = new ArrayList<>();
    for (int second = 0; second < 8; second++) {
      Job fire = ofGeneration(second < 2 ? 1 : 2, NOW.plusSeconds(second));
      rows.add(second % 3 == 0 ? fire : skipped(fire.id()));
    }
    jobs().insert(rows);

    assertThat(jobs().skippedUpTo(rows.get(5).id()))
        .containsExactly(rows.get(5), rows.get(4), rows.get(2));
    assertThat(jobs().skippedUpTo(JobId.ofFire(REPORT, 2, NOW.plusSeconds(1)))).isEmpty();
    assertThat(jobs().skippedUpTo(JobId.ofFire(REPORT, 3, NOW.plusSeconds(9)))).isEmpty();
  }

  @Test
  void skippedFiresAreSearchedAmongTheLastItemsOnly() {
    Job skipped = skipped(JobId.ofFire(REPORT, 1, NOW));
    List<Job> later =
        IntStream.rangeClosed(1, Jobs.MOST_SEARCHED_BACK)
            .mapToObj(second -> ofGeneration(1, NOW.plusSeconds(second)))
            .toList();
    jobs().insert(List.of(skipped));
    jobs().insert(later);

    JobId last = later.get(later.size() - 1).id();
    JobId lastButOne = later.get(later.size() - 2).id();
    assertThat(jobs().skippedUpTo(lastButOne)).containsExactly(skipped);
    assertThat(jobs().skippedUpTo(last)).isEmpty();
  }

  private static Job skipped(JobId id) {
    return NewJob.endedBeforeLaunch(
        id, 2, "p", JobState.SKIPPED, null, NOW, Reason.of(ReasonCode.SKIPPED_BY_HAND, "ann"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "00001~000000000~E1", "00001~000000000~e1234567"})
  void aPageCannotBeginAnywhere(String next) {
    assertThatThrownBy(() -> jobs().ofSchedule(REPORT, null, 10, next))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyItemsThatNeedACheckAreFoundByTheirTime() {
    Job late = anEventJob(REPORT, 1);
    Job plain = aPlainJob(REPORT, NOW);
    Job refused =
        aPlainJob(REPORT, NOW.plusSeconds(1))
            .refused(NOW, Reason.of(ReasonCode.REQUEST_REFUSED, "full"));
    Job ended =
        anEventJob(REPORT, 2)
            .ended(JobState.CANCELLED, NOW, Reason.of(ReasonCode.SCHEDULE_DELETED));
    jobs().insert(List.of(late, plain, refused, ended));
    Instant until = late.attentionAt();

    assertThat(attention(until.minusMillis(1))).containsExactly(refused.id());
    assertThat(attention(until)).containsExactlyInAnyOrder(late.id(), refused.id());

    jobs()
        .update(
            List.of(
                new Update(
                    refused,
                    refused.ended(
                        JobState.FAILED, NOW, Reason.of(ReasonCode.REQUEST_IMPOSSIBLE, "bad")))));
    assertThat(attention(until)).containsExactly(late.id());
  }

  @Test
  void theLongestDueComeFirst() {
    List<Job> many =
        IntStream.range(0, 30)
            .mapToObj(i -> aPlainJob(schedule("s" + i % 5), NOW.plusSeconds(i)))
            .map(
                job ->
                    job.refused(job.scheduledFor(), Reason.of(ReasonCode.REQUEST_REFUSED, "full")))
            .toList();
    jobs().insert(many);

    for (int shard = 0; shard < jobs().attentionShards(); shard++) {
      List<Wakeup> all = jobs().needingAttention(shard, NOW.plusSeconds(100), null, 100);
      assertThat(all).extracting(attention -> ((JobId) attention.subject()).at()).isSorted();
      assertThat(jobs().needingAttention(shard, NOW.plusSeconds(100), null, 2))
          .isEqualTo(all.subList(0, Math.min(2, all.size())));
    }
    assertThat(attention(NOW.plusSeconds(100))).hasSize(30);
  }

  @Test
  void ofThoseThatComeAtOneInstantTheMostUrgentComeFirst() {
    Instant opening = NOW.plusSeconds(3_600);
    List<Job> many =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    NewJob.dueFire(JobId.ofFire(REPORT, 1, NOW.plusSeconds(i)), 2, "exporter")
                        .withCustomerAndPriority(null, i % 10)
                        .waitingUntil(
                            opening,
                            opening,
                            NOW,
                            Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed")))
            .toList();
    jobs().insert(many);

    for (int shard = 0; shard < jobs().attentionShards(); shard++) {
      List<Wakeup> all = jobs().needingAttention(shard, opening, null, 100);
      assertThat(all).extracting(Wakeup::priority).isSorted();
      assertThat(all).extracting(Wakeup::at).containsOnly(opening);
      assertThat(jobs().needingAttention(shard, opening.minusMillis(1), null, 100)).isEmpty();
    }
    assertThat(attention(opening)).containsExactlyInAnyOrderElementsOf(ids(many));
  }

  private static List<JobId> ids(List<Job> jobs) {
    return jobs.stream().map(Job::id).toList();
  }

  @Test
  void attentionIsReadPageByPage() {
    List<Job> many =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    NewJob.dueFire(JobId.ofFire(REPORT, 1, NOW.plusSeconds(i)), 2, "exporter")
                        .withCustomerAndPriority(null, i % 10)
                        .refused(
                            NOW.plusSeconds(i % 3), Reason.of(ReasonCode.REQUEST_REFUSED, "full")))
            .toList();
    jobs().insert(many);

    for (int shard = 0; shard < jobs().attentionShards(); shard++) {
      List<Wakeup> all = jobs().needingAttention(shard, NOW.plusSeconds(100), null, 100);
      List<Wakeup> paged = new ArrayList<>();
      List<Wakeup> page = jobs().needingAttention(shard, NOW.plusSeconds(100), null, 3);
      while (!page.isEmpty()) {
        paged.addAll(page);
        Wakeup last = page.get(page.size() - 1);
        page = jobs().needingAttention(shard, NOW.plusSeconds(100), last, 3);
      }
      assertThat(paged).isEqualTo(all);
    }
  }

  @Test
  void unfinishedJobsAreCountedUpToABound() {
    jobs().insert(List.of(anEventJob(REPORT, 1), anEventJob(REPORT, 2)));
    jobs().insert(List.of(anEventJob(REPORT, 3).launching(NOW, NOW.plusSeconds(15))));
    jobs()
        .insert(
            List.of(
                anEventJob(REPORT, 4)
                    .ended(JobState.CANCELLED, NOW, Reason.of(ReasonCode.SCHEDULE_DELETED))));
    jobs().save(null, aCollectingJob(REPORT, 1, anOpenJob(REPORT, 1)), Set.of(), List.of(), NOW);

    assertThat(jobs().countUnfinished(jobs().attentionShards(), 100))
        .isEqualTo(
            Map.of(
                JobState.PENDING_TRIGGER, 1,
                JobState.PENDING_CONSTRAINT, 2,
                JobState.PENDING_LAUNCH, 1));
    assertThat(
            jobs().countUnfinished(jobs().attentionShards(), 3).values().stream()
                .mapToInt(it -> it)
                .sum())
        .isEqualTo(3);
    assertThat(attention(NOW.plusSeconds(1_000_000_000))).hasSize(3);
  }

  private static Backfill aBackfill(String name) {
    return Backfill.create(
        new BackfillId(REPORT, name),
        new Backfill.Order(
            1, 2, "exporter", NOW.minusSeconds(600), NOW, 100, 10, "ann", NOW.minusSeconds(5)),
        NOW.minusSeconds(540));
  }

  private static Backfill filled(Backfill backfill) {
    return backfill
        .withNextFires(fire -> Optional.of(fire.plusSeconds(60)))
        .withNextCheck(true, NOW)
        .stored();
  }

  static Stream<Backfill> kindsOfBackfills() {
    Backfill begun = filled(aBackfill("x1"));
    List<Job> ended =
        begun.openJobs().stream()
            .map(
                id ->
                    NewJob.endedBeforeLaunch(
                        id,
                        2,
                        "p",
                        JobState.SUCCEEDED,
                        null,
                        NOW,
                        Reason.of(ReasonCode.RUN_ENDED, "x", "SUCCEEDED")))
            .toList();
    return Stream.of(
        aBackfill("x1"),
        begun,
        begun.withEnded(ended.subList(0, 3)),
        begun.cancelled("by ann"),
        begun.withEnded(ended).withNextCheck(false, NOW),
        begun.cancelled("by ann").withEnded(ended).withNextCheck(false, NOW));
  }

  @ParameterizedTest
  @MethodSource("kindsOfBackfills")
  void aBackfillIsFoundAsItWasStored(Backfill backfill) {
    assertThat(backfills().saveBackfill(null, backfill)).isTrue();

    BackfillId other = new BackfillId(schedule("other"), "x1");
    assertThat(backfills().backfills(List.of(backfill.id(), other)))
        .isEqualTo(Map.of(backfill.id(), backfill));
  }

  @Test
  void aBackfillReplacesOnlyTheVersionThatWasRead() {
    Backfill first = aBackfill("x1");
    Backfill second = filled(first);
    assertThat(backfills().saveBackfill(first, second)).isFalse();
    assertThat(backfills().saveBackfill(null, first)).isTrue();
    assertThat(backfills().saveBackfill(null, first)).isFalse();
    assertThat(backfills().saveBackfill(first, second)).isTrue();
    assertThat(backfills().saveBackfill(first, first.cancelled("late").stored())).isFalse();

    assertThat(backfills().backfills(List.of(first.id()))).containsValue(second);
    assertThat(backfills().openBackfills(REPORT)).containsExactly(second);
    assertThat(backfills().openBackfills(new ScheduleId("default", "another"))).isEmpty();
  }

  @Test
  void aBackfillNeedsAttentionUntilItIsOverAndIsNoJob() {
    Backfill first = aBackfill("x1");
    backfills().saveBackfill(null, first);
    jobs().insert(List.of(anEventJob(REPORT, 1)));
    assertThat(subjects(NOW.plusSeconds(14))).isEmpty();
    assertThat(subjects(NOW.plusSeconds(15))).containsExactly(first.id());
    assertThat(jobs().countUnfinished(jobs().attentionShards(), 100))
        .isEqualTo(Map.of(JobState.PENDING_CONSTRAINT, 1));
    assertThat(jobs().ofSchedule(REPORT, null, 10, null).items()).hasSize(1);

    Backfill over = first.cancelled("by ann").withNextCheck(true, NOW).stored();
    backfills().saveBackfill(first, over);

    assertThat(subjects(NOW.plusSeconds(1_000_000))).doesNotContain(first.id());
  }

  @Test
  void theEntriesOfSubjectsAreFound() {
    Job job = anEventJob(REPORT, 1);
    Job plain = NewJob.dueFire(JobId.ofFire(REPORT, 1, NOW), 2, "exporter");
    Backfill backfill = aBackfill("x1");
    jobs().insert(List.of(job, plain));
    backfills().saveBackfill(null, backfill);
    CollectingJobId absent = new CollectingJobId(REPORT);

    assertThat(jobs().attentionOf(List.of(job.id(), plain.id(), backfill.id(), absent)))
        .isEqualTo(Map.of(job.id(), job.attentionAt(), backfill.id(), backfill.attentionAt()));
  }

  @Test
  void pagesOfAttentionGoOnBehindABackfill() {
    List<BackfillId> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Backfill backfill = aBackfill("x" + i);
      backfills().saveBackfill(null, backfill);
      ids.add(backfill.id());
    }
    List<Subject> paged = new ArrayList<>();
    for (int shard = 0; shard < jobs().attentionShards(); shard++) {
      Wakeup last = null;
      List<Wakeup> page;
      do {
        page = jobs().needingAttention(shard, NOW.plusSeconds(100), last, 3);
        page.forEach(attention -> paged.add(attention.subject()));
        last = page.isEmpty() ? last : page.get(page.size() - 1);
      } while (!page.isEmpty());
    }

    assertThat(paged).containsExactlyInAnyOrderElementsOf(ids);
  }

  private List<Subject> subjects(Instant until) {
    return IntStream.range(0, jobs().attentionShards())
        .boxed()
        .flatMap(shard -> jobs().needingAttention(shard, until, null, 1_000).stream())
        .map(Wakeup::subject)
        .toList();
  }

  private static Job ofGeneration(long generation, Instant scheduledFor) {
    return NewJob.launchingFire(
        JobId.ofFire(REPORT, generation, scheduledFor), 2, "p", NOW, NOW.plusSeconds(15));
  }

  private List<JobId> attention(Instant until) {
    List<JobId> all = new ArrayList<>();
    for (int shard = 0; shard < jobs().attentionShards(); shard++) {
      jobs()
          .needingAttention(shard, until, null, 1_000)
          .forEach(attention -> all.add((JobId) attention.subject()));
    }
    return all;
  }

  private List<Job> listed(@Nullable Set<JobState> states, int limit) {
    List<Job> all = new ArrayList<>();
    String next = null;
    do {
      Page<Job> page = jobs().ofSchedule(REPORT, states, limit, next);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.items());
      next = page.next();
    } while (next != null);
    return all;
  }
}
