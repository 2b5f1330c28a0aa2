package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.aCollectingJob;
import static dev.carillon.contract.Samples.aPlainJob;
import static dev.carillon.contract.Samples.anEventJob;
import static dev.carillon.contract.Samples.anOpenJob;
import static dev.carillon.contract.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobLists;
import dev.carillon.job.JobLists.Runs;
import dev.carillon.job.JobLists.Waiting;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.job.WaitingPlace;
import dev.carillon.run.Claim;
import dev.carillon.run.RunPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

abstract class JobListsContract {

  private static final ScheduleId OTHER = new ScheduleId("default2", "report");
  private static final String LINK = "order|81 é";

  abstract Jobs jobs();

  /** The lists of the same store. */
  abstract JobLists lists();

  private static Job aTrackedJob(ScheduleId schedule, int second) {
    return aLinkedJob(schedule, second, null);
  }

  private static Job aLinkedJob(ScheduleId schedule, int second, String linkId) {
    JobId id = JobId.ofFire(schedule, 1, NOW.plusSeconds(second));
    return NewJob.dueFire(id, 2, "exporter")
        .tracked(RunPolicy.USUAL)
        .linked(linkId)
        .launching(NOW, NOW.plusSeconds(15));
  }

  private List<Job> stored(List<Job> all) {
    jobs().insert(all);
    return new ArrayList<>(all);
  }

  /** The next version of a job, which ends it. */
  private void end(Job job) {
    Job ended = job.ended(JobState.FAILED, NOW, Reason.of(ReasonCode.CHECKS_FAILED, "x"));
    jobs().update(List.of(new Update(job, ended)));
  }

  private List<JobId> tracked(int limit) {
    List<JobId> found = new ArrayList<>();
    JobId after = null;
    do {
      Page<JobId> page = lists().tracked("default", limit, after);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      found.addAll(page.items());
      after = page.next() == null ? null : JobId.parse(page.next());
    } while (after != null);
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7, 100})
  void aTrackedJobIsListedUntilItsEnd(int limit) {
    List<Job> all =
        stored(
            IntStream.range(0, 14)
                .mapToObj(i -> aTrackedJob(schedule("s" + i % 3), i / 3))
                .toList());
    stored(List.of(aTrackedJob(OTHER, 0), aPlainJob(schedule("plain"), NOW)));
    assertThat(tracked(limit))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(all.stream().map(Job::id).toList());
    end(all.remove(3));
    Job sent = all.get(0).enqueued(NOW, null, NOW.plusSeconds(60));
    jobs().update(List.of(new Update(all.get(0), sent)));
    assertThat(tracked(limit))
        .containsExactlyInAnyOrderElementsOf(all.stream().map(Job::id).toList());
  }

  @Test
  void runsOfAllNamespacesAreCountedByStateIfTheAttentionIndexHasNoneOfThem() {
    assertThat(lists().countRuns(10)).isEqualTo(new Runs(Map.of(), 0, null));
    List<Job> all =
        stored(IntStream.range(0, 5).mapToObj(i -> aTrackedJob(schedule("s"), i)).toList());
    stored(List.of(aTrackedJob(OTHER, 0), aPlainJob(schedule("plain"), NOW)));
    Job waiting = anEventJob(schedule("s"), 7).tracked(RunPolicy.USUAL);
    stored(List.of(waiting.launching(NOW, NOW.plusSeconds(15))));
    Job sent = all.get(0).enqueued(NOW, null, NOW.plusSeconds(60));
    jobs().update(List.of(new Update(all.get(0), sent)));
    end(all.get(1));
    assertThat(jobs().countUnfinished(jobs().attentionShards(), 10))
        .isEqualTo(Map.of(JobState.PENDING_LAUNCH, 1));
    assertThat(lists().countRuns(10).byState())
        .isEqualTo(Map.of(JobState.PENDING_LAUNCH, 4, JobState.ENQUEUED, 1));
  }

  @Test
  void runsThatNoWorkerClaimedAreCountedUntilTheyAreClaimedOrEnd() {
    Reason missing = Reason.of(ReasonCode.CLAIM_MISSING, "PT15M");
    Reason boom = Reason.of(ReasonCode.FAILURE_REPORTED, "w", "boom");
    Instant soon = NOW.plusSeconds(60);
    Instant late = NOW.plusSeconds(7_200);
    List<Job> sent =
        IntStream.range(0, 5)
            .mapToObj(i -> aTrackedJob(schedule("s"), i).enqueued(NOW, null, soon))
            .toList();
    List<Job> again =
        List.of(
            sent.get(0).retried(sent.get(0).run(), NOW, NOW, missing),
            sent.get(1)
                .retried(sent.get(1).run(), NOW, NOW, missing)
                .launching(NOW, soon)
                .enqueued(NOW, null, soon),
            sent.get(2).retried(sent.get(2).run(), late, NOW, missing),
            sent.get(3).retried(sent.get(3).run(), NOW, NOW, boom),
            sent.get(4).retried(sent.get(4).run(), NOW, NOW, missing).launching(NOW, soon));
    jobs().insert(again);
    Job claimed =
        TrackedJob.claimed(again.get(4), new Claim("w", "t", NOW, null), NOW, NOW.plusSeconds(60));
    jobs().update(List.of(new Update(again.get(4), claimed)));
    assertThat(lists().countRuns(10).unclaimed()).isEqualTo(3);
    assertThat(lists().countRuns(10).example()).isEqualTo(again.get(0).id());
    end(again.get(0));
    assertThat(lists().countRuns(10).unclaimed()).isEqualTo(2);
    assertThat(lists().countRuns(10).example()).isEqualTo(again.get(1).id());
  }

  @Test
  void noMoreRunsAreReadThanWanted() {
    stored(IntStream.range(0, 9).mapToObj(i -> aTrackedJob(schedule("s" + i), i)).toList());
    assertThat(lists().countRuns(4).byState()).isEqualTo(Map.of(JobState.PENDING_LAUNCH, 4));
  }

  @Test
  void pagesRepeatAndLoseNoJobThoughTheLastOneOfEachPageEnds() {
    List<Job> all =
        stored(IntStream.range(0, 20).mapToObj(i -> aTrackedJob(schedule("s"), i)).toList());
    List<JobId> found = new ArrayList<>();
    Page<JobId> page = lists().tracked("default", 3, null);
    while (page.next() != null) {
      found.addAll(page.items());
      JobId last = JobId.parse(page.next());
      end(all.stream().filter(job -> job.id().equals(last)).findFirst().orElseThrow());
      page = lists().tracked("default", 3, last);
    }
    found.addAll(page.items());
    assertThat(found).containsExactlyInAnyOrderElementsOf(all.stream().map(Job::id).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100})
  void aLinkHasItsJobsAlsoAfterTheirEnd(int limit) {
    List<Job> all =
        stored(
            IntStream.range(0, 8)
                .mapToObj(i -> aLinkedJob(schedule("s" + i % 3), i, LINK))
                .toList());
    stored(List.of(aLinkedJob(schedule("s"), 0, "order"), aLinkedJob(OTHER, 0, LINK)));
    all.subList(0, 5).forEach(this::end);
    List<JobId> found = new ArrayList<>();
    JobId after = null;
    do {
      Page<JobId> page = lists().linked("default", LINK, limit, after);
      found.addAll(page.items());
      after = page.next() == null ? null : JobId.parse(page.next());
    } while (after != null);
    assertThat(found).containsExactlyInAnyOrderElementsOf(all.stream().map(Job::id).toList());
    assertThat(jobs().find(found).values()).allMatch(job -> LINK.equals(job.linkId()));
    assertThat(lists().linked("default", "none", 10, null).items()).isEmpty();
  }

  private List<Subject> waiting(String namespace, int limit) {
    List<Subject> found = new ArrayList<>();
    WaitingPlace next = null;
    do {
      Page<Waiting> page = lists().waiting(namespace, jobs().attentionShards(), limit, next);
      page.items().forEach(it -> found.add(it.subject()));
      next = page.next() == null ? null : WaitingPlace.parse(page.next());
    } while (next != null);
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100})
  void jobsThatWaitAreListedWithOpenCollectingJobs(int limit) {
    List<Job> all =
        stored(IntStream.range(0, 9).mapToObj(i -> anEventJob(schedule("s" + i % 2), i)).toList());
    stored(IntStream.range(0, 9).mapToObj(i -> anEventJob(OTHER, i)).toList());
    ScheduleId open = schedule("open");
    ScheduleId idle = schedule("idle");
    jobs().save(null, aCollectingJob(open, 1, anOpenJob(open, 1)), Set.of(), List.of(), NOW);
    jobs().save(null, aCollectingJob(idle, 1, null), Set.of(), List.of(), NOW);
    List<Subject> expected = new ArrayList<>(all.stream().map(Job::id).toList());
    expected.add(new CollectingJobId(open));
    assertThat(waiting("default", limit)).containsExactlyInAnyOrderElementsOf(expected);
    end(all.get(0));
    expected.remove(all.get(0).id());
    assertThat(waiting("default", limit)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void jobsOfOthersNeitherHideAJobNorShowInThePlace() {
    assertFoundAmong(40, lists());
  }

  /**
   * Stores jobs of another namespace, each at its own instant, and as many at one instant; then an
   * own one behind all of them. A place that named the last entry read would name a schedule of the
   * other namespace.
   */
  final void assertFoundAmong(int others, JobLists lists) {
    Reason why = Reason.of(ReasonCode.HELD_BY_SUSPENSION, "ann");
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < others; i++) {
      Instant opening = NOW.plusSeconds(i);
      all.add(anEventJob(OTHER, i).waitingUntil(opening, opening, NOW, why));
      all.add(anEventJob(OTHER, others + i).waitingForResumption(NOW, why));
    }
    Job own =
        anEventJob(schedule("own"), 1)
            .waitingForResumption(NOW, why)
            .withCustomerAndPriority(null, 9);
    all.add(own);
    jobs().insert(all);
    WaitingPlace next = null;
    List<Subject> found = new ArrayList<>();
    do {
      Page<Waiting> page = lists.waiting("default", jobs().attentionShards(), 2, next);
      page.items().forEach(it -> found.add(it.subject()));
      assertThat(String.valueOf(page.next())).doesNotContain(OTHER.namespace());
      next = page.next() == null ? null : WaitingPlace.parse(page.next());
    } while (next != null);
    assertThat(found).containsExactly(own.id());
  }
}
