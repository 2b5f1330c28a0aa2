package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.StoredCollectingJob;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.Judge.Found;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges counting: each accepted event is counted once, and each job counts no more than it needed.
 * The same holds for each fire of a trigger that requires all of its leaves.
 */
final class EventJudge {

  private final History history;
  private final Schedule schedule;
  private final Found found;
  private final Map<String, Announcement> announcements = new HashMap<>();

  EventJudge(History history, Schedule schedule, Found found) {
    this.history = history;
    this.schedule = schedule;
    this.found = found;
    history.announcements().forEach(a -> announcements.put(a.id(), a));
  }

  /**
   * A job that has counted events or a fire.
   *
   * @param spec null if unknown
   * @param closed when it was satisfied or timed out; {@link History#NEVER} while it collects
   */
  private record Counted(
      @Nullable String jobId,
      @Nullable ScheduleSpec spec,
      long closed,
      List<Long> counts,
      long fire,
      List<String> events) {}

  void judge() {
    if (schedule.spans().stream().allMatch(span -> span.spec().isPlain())) {
      return;
    }
    List<Counted> launched = launched();
    List<Counted> all = new ArrayList<>(launched);
    Set<String> known = new TreeSet<>();
    launched.forEach(job -> known.add(String.valueOf(job.jobId())));
    history.jobs().stream()
        .filter(
            stored -> stored.schedule().equals(schedule.name()) && !known.contains(stored.jobId()))
        .forEach(stored -> all.add(ofStored(stored)));
    open().forEach(stored -> all.add(ofCollecting(stored)));
    judgeEvents(all);
    launched.forEach(this::judgeSatisfied);
    launched.forEach(this::judgeInTime);
    history.jobs().stream()
        .filter(stored -> stored.schedule().equals(schedule.name()))
        .filter(stored -> stored.why().code().equals(Causes.TRIGGER_TIMED_OUT))
        .forEach(this::judgeGivenUp);
    open().forEach(this::judgeOpen);
    schedule.spans().forEach(span -> judgeFires(span, all));
    schedule.spans().forEach(span -> judgeSpentFires(span, all));
  }

  private List<Counted> launched() {
    Map<String, Counted> byJob = new LinkedHashMap<>();
    for (Launch launch : schedule.launches()) {
      if (!launch.isManual()) {
        Counted counted =
            new Counted(
                launch.arrival().jobId(),
                spec(launch.version()),
                launch.scheduledFor(),
                launch.counts(),
                launch.fire(),
                launch.events());
        byJob.putIfAbsent(launch.arrival().jobId(), counted);
      }
    }
    return List.copyOf(byJob.values());
  }

  private @Nullable ScheduleSpec spec(int version) {
    return schedule.spans().stream()
        .map(Span::spec)
        .filter(spec -> spec.version() == version)
        .findFirst()
        .orElse(null);
  }

  private static Counted ofStored(StoredJob stored) {
    return new Counted(
        stored.jobId(), null, stored.changed(), stored.counts(), stored.fire(), stored.events());
  }

  private static Counted ofCollecting(StoredCollectingJob stored) {
    return new Counted(null, null, History.NEVER, stored.counts(), stored.fire(), stored.events());
  }

  private Stream<StoredCollectingJob> open() {
    return history.open().stream().filter(stored -> stored.schedule().equals(schedule.name()));
  }

  private void judgeEvents(List<Counted> jobs) {
    Map<String, Integer> times = new HashMap<>();
    for (Counted job : jobs) {
      job.events().forEach(id -> times.merge(id, 1, Integer::sum));
    }
    times.forEach(
        (id, count) -> {
          Announcement announcement = announcements.get(id);
          if (announcement == null) {
            miscounted(null, "event " + id + " was never sent");
          } else if (count > 1) {
            miscounted(null, "event " + id + " was counted " + count + " times");
          } else if (schedule.lives().stream().noneMatch(s -> mayCount(s, announcement))) {
            miscounted(null, "event " + id + " was counted, but the schedule was not active");
          }
        });
    for (Announcement announcement : history.announcements()) {
      if (!times.containsKey(announcement.id())
          && schedule.spans().stream().anyMatch(s -> mustCount(s, announcement))) {
        miscounted(null, "event " + announcement.id() + " was accepted, but not counted");
      }
    }
  }

  private static boolean mayCount(Span span, Announcement announcement) {
    return span.spec().leafOf(announcement.dataset()) >= 0 && span.endsBy() >= announcement.sent();
  }

  /**
   * Whether the event had to be counted. An ingest function with a slow clock may not know that a
   * suspension has ended at its {@code until}.
   */
  private boolean mustCount(Span span, Announcement announcement) {
    if (announcement.accepted() == History.NEVER
        || span.spec().leafOf(announcement.dataset()) < 0
        || span.beginsBy() == History.NEVER
        || span.beginsBy() + history.skew() >= announcement.sent()
        || new IndexGap(history, schedule.name()).mayHide(span, announcement)) {
      return false;
    }
    long bound = history.bound(announcement.accepted());
    return bound <= span.endsFrom() && bound <= history.end();
  }

  private void judgeSatisfied(Counted job) {
    ScheduleSpec spec = job.spec();
    if (spec == null || spec.isPlain()) {
      return;
    }
    for (int leaf = 0; leaf < spec.leaves().size(); leaf++) {
      if (spec.leaves().get(leaf) instanceof Partitions partitions
          && count(job, leaf) != announced(job.events(), partitions.dataset())) {
        miscounted(job.jobId(), "leaf " + leaf + " says " + count(job, leaf));
      }
    }
    if (!isSatisfied(spec, job.events(), job.fire())) {
      if (!mayBeLaunchedAtTimeout(job, spec)) {
        miscounted(job.jobId(), "launched before its trigger was satisfied");
      }
      return;
    }
    if (spec.waits().pending() == WaitPolicy.Pending.MERGE) {
      return;
    }
    boolean byEvent =
        !job.events().isEmpty()
            && !isSatisfied(spec, job.events().subList(0, job.events().size() - 1), job.fire());
    boolean byFire = job.fire() != History.NEVER && !isSatisfied(spec, job.events(), History.NEVER);
    if (!byEvent && !byFire) {
      miscounted(job.jobId(), "counted events that belong to the next job");
    }
  }

  /**
   * A satisfied job launches in time after the last event or fire that it counted. An event counts
   * from the instant at which it was certainly accepted, and a fire from the instant at which it
   * was due. {@link FireJudge} judges the fires of {@code or}.
   */
  private void judgeInTime(Counted job) {
    ScheduleSpec spec = job.spec();
    if (spec == null
        || spec.isPlain()
        || (spec.join() == Join.ANY && job.fire() != History.NEVER)
        || !isSatisfied(spec, job.events(), job.fire())) {
      return;
    }
    long ready =
        LongStream.concat(
                job.events().stream()
                    .map(announcements::get)
                    .mapToLong(a -> a == null ? History.NEVER : a.accepted()),
                job.fire() == History.NEVER ? LongStream.empty() : LongStream.of(job.fire()))
            .max()
            .orElse(History.NEVER);
    if (ready == History.NEVER) {
      return;
    }
    long bound =
        schedule.lives().stream()
            .filter(span -> span.spec().version() == spec.version())
            .mapToLong(span -> deadline(span, job, ready))
            .max()
            .orElse(History.NEVER);
    if (bound == History.NEVER || bound > history.end()) {
      return;
    }
    found.required++;
    boolean isInTime =
        schedule.launches().stream()
            .map(Launch::arrival)
            .anyMatch(a -> a.jobId().equals(job.jobId()) && a.at() <= bound + handingOn(job));
    if (!isInTime) {
      found.findings.add(
          new Finding(
              Finding.Kind.LATE,
              schedule.name(),
              job.jobId(),
              "sent long after its trigger was satisfied"));
    }
  }

  private long deadline(Span span, Counted job, long ready) {
    IndexGap gap = new IndexGap(history, schedule.name());
    return job.events().stream()
            .map(announcements::get)
            .anyMatch(event -> event != null && gap.mayPrecede(event, span))
        ? History.NEVER
        : schedule.deadline(history, span.life(), ready, span.spec());
  }

  /**
   * How much later than other jobs this job is launched, because its events concern many schedules.
   */
  private long handingOn(Counted job) {
    return job.events().stream()
        .map(announcements::get)
        .mapToLong(event -> event == null ? 0 : history.handingOn(event.dataset()))
        .max()
        .orElse(0);
  }

  private void judgeGivenUp(StoredJob stored) {
    List<ScheduleSpec> specs =
        schedule.spans().stream()
            .filter(span -> span.mayHold(stored.began(), Judge.SKEW, Causes.DATING_TOLERANCE))
            .map(Span::spec)
            .toList();
    if (!specs.isEmpty()
        && specs.stream().allMatch(spec -> isSatisfied(spec, stored.events(), stored.fire()))) {
      miscounted(stored.jobId(), "timed out although its trigger was satisfied");
    }
  }

  /** Whether the job may have been launched unsatisfied, at its time-out. */
  private boolean mayBeLaunchedAtTimeout(Counted job, ScheduleSpec spec) {
    return spec.waits().launchesAnyway()
        && history.jobs().stream()
            .filter(stored -> stored.jobId().equals(job.jobId()))
            .anyMatch(stored -> job.closed() >= earliest(stored, spec) - Judge.SKEW);
  }

  private long earliest(StoredJob stored, ScheduleSpec spec) {
    return schedule.clock().earliest(stored.began(), spec.waits().timeout(), false);
  }

  private static long count(Counted job, int leaf) {
    return leaf < job.counts().size() ? job.counts().get(leaf) : 0;
  }

  private long announced(List<String> events, String dataset) {
    return events.stream()
        .map(announcements::get)
        .filter(a -> a != null && a.dataset().equals(dataset))
        .mapToLong(Announcement::weight)
        .sum();
  }

  private boolean isSatisfied(ScheduleSpec spec, List<String> events, long fire) {
    Stream<Boolean> satisfied = spec.leaves().stream().map(leaf -> isSatisfied(leaf, events, fire));
    return spec.join() == Join.ALL
        ? satisfied.allMatch(one -> one)
        : satisfied.anyMatch(one -> one);
  }

  private boolean isSatisfied(Leaf leaf, List<String> events, long fire) {
    return leaf instanceof Partitions partitions
        ? announced(events, partitions.dataset()) >= partitions.count()
        : fire != History.NEVER;
  }

  /**
   * A collecting job must not be satisfied. {@link WaitJudge} judges the collecting jobs of
   * schedules that ended.
   */
  private void judgeOpen(StoredCollectingJob stored) {
    if (schedule.spans().isEmpty()) {
      return;
    }
    Span last = schedule.spans().get(schedule.spans().size() - 1);
    boolean current =
        !last.spec().isPlain()
            && last.endsBy() == History.NEVER
            && stored.opened() - Judge.SKEW > last.beginsBy();
    if (current && isSatisfied(last.spec(), stored.events(), stored.fire())) {
      found.findings.add(
          new Finding(
              Finding.Kind.STUCK,
              schedule.name(),
              null,
              "its trigger is satisfied, but there is no job"));
    }
  }

  /** Each fire was counted by a job, or was due while a job had already counted an earlier fire. */
  private void judgeFires(Span span, List<Counted> jobs) {
    ScheduleSpec spec = span.spec();
    if (spec.join() != Join.ALL || spec.isPlain() || !spec.hasTimes()) {
      return;
    }
    Set<Long> used = new HashSet<>();
    for (Counted job : jobs) {
      if (spec.equals(job.spec())
          && job.fire() != History.NEVER
          && !used.add(job.fire())
          && !schedule.mayRecur(spec, job.fire())) {
        found.findings.add(
            new Finding(
                Finding.Kind.DOUBLED, schedule.name(), job.jobId(), "a second job for its fire"));
      }
    }
    long from = span.beginsBy() == History.NEVER ? history.end() : span.beginsBy() + Judge.SKEW + 1;
    for (long fire : FireCalendar.fires(spec, from, history.end())) {
      long bound = history.bound(fire);
      if (bound > span.endsFrom() || bound > history.end()) {
        return;
      }
      boolean mayBeNone = maySkip(fire) || history.exclusions().mayBeExcluded(spec, fire, bound);
      if (jobs.stream().noneMatch(job -> holds(job, fire)) && !mayBeNone) {
        found.findings.add(
            new Finding(
                Finding.Kind.LOST,
                schedule.name(),
                null,
                "the fire at " + FireJudge.text(fire) + " was not counted"));
      }
    }
  }

  private static boolean holds(Counted job, long fire) {
    return job.fire() == fire
        || (job.fire() < fire
            && (job.closed() == History.NEVER || job.closed() >= fire - 2 * Judge.SKEW));
  }

  /**
   * A fire that was due while a job had already counted an earlier one changes nothing: in
   * particular, it opens no job when that job is satisfied or times out.
   */
  private void judgeSpentFires(Span span, List<Counted> jobs) {
    ScheduleSpec spec = span.spec();
    if (spec.join() != Join.ALL
        || !spec.hasTimes()
        || spec.waits().pending() == WaitPolicy.Pending.MERGE) {
      return;
    }
    for (Counted earlier : jobs) {
      long closed = isCertain(span, earlier) ? closedFrom(earlier, spec) : History.NEVER;
      if (closed == History.NEVER) {
        continue;
      }
      for (Counted later : jobs) {
        if (isCertain(span, later)
            && later.fire() > earlier.fire()
            && later.fire() < closed - 2 * Judge.SKEW) {
          miscounted(
              later.jobId(),
              "counted the fire at %s, which was due while %s had an earlier one"
                  .formatted(FireJudge.text(later.fire()), earlier.jobId()));
        }
      }
    }
  }

  /**
   * Whether the job has counted a fire that was due in the span by every clock, and is no job of
   * another document, such as a backfill's.
   */
  private static boolean isCertain(Span span, Counted job) {
    return job.fire() != History.NEVER
        && (job.spec() == null || span.spec().equals(job.spec()))
        && span.beginsBy() != History.NEVER
        && job.fire() > span.beginsBy() + Judge.SKEW
        && (span.endsFrom() == History.NEVER || job.fire() < span.endsFrom() - Judge.SKEW);
  }

  /** The earliest instant at which a job stopped collecting; NEVER if it is unknown. */
  private long closedFrom(Counted job, ScheduleSpec spec) {
    if (spec.equals(job.spec()) && isSatisfied(spec, job.events(), job.fire())) {
      return job.closed();
    }
    return history.jobs().stream()
        .filter(stored -> stored.jobId().equals(job.jobId()))
        .filter(stored -> stored.why().code().equals(Causes.TRIGGER_TIMED_OUT))
        .mapToLong(stored -> Math.min(stored.changed(), earliest(stored, spec)))
        .findFirst()
        .orElse(History.NEVER);
  }

  private boolean maySkip(long fire) {
    return schedule.operations().stream()
        .anyMatch(
            o ->
                o.kind() == History.Kind.SKIP
                    && (o.isUnknown() || FireJudge.text(fire).equals(o.answer())));
  }

  private void miscounted(@Nullable String jobId, String what) {
    found.findings.add(new Finding(Finding.Kind.MISCOUNTED, schedule.name(), jobId, what));
  }
}
