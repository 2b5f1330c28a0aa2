package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.OpenRow;
import dev.carillon.campaign.judge.Judge.Found;
import dev.carillon.campaign.judge.Judge.Schedule;
import dev.carillon.campaign.judge.Wish.Join;
import dev.carillon.campaign.judge.Wish.Leaf;
import dev.carillon.campaign.judge.Wish.Partitions;
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
 * Judges what was counted: each accepted event once, each job no more than it needed, and each fire
 * of a trigger that wants all of its leaves.
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
   * A job that has counted something.
   *
   * @param wish null if it is not known
   * @param closed when it was satisfied or given up; {@link History#NEVER} if it is open
   */
  private record Counted(
      @Nullable String jobId,
      @Nullable Wish wish,
      long closed,
      List<Long> counts,
      long fire,
      List<String> events) {}

  void judge() {
    if (schedule.spans().stream().allMatch(span -> span.wish().isPlain())) {
      return;
    }
    List<Counted> launched = launched();
    List<Counted> all = new ArrayList<>(launched);
    Set<String> known = new TreeSet<>();
    launched.forEach(job -> known.add(String.valueOf(job.jobId())));
    history.rows().stream()
        .filter(row -> row.schedule().equals(schedule.name()) && !known.contains(row.jobId()))
        .forEach(row -> all.add(ofRow(row)));
    open().forEach(row -> all.add(ofOpen(row)));
    judgeEvents(all);
    launched.forEach(this::judgeSatisfied);
    launched.forEach(this::judgeInTime);
    history.rows().stream()
        .filter(row -> row.schedule().equals(schedule.name()))
        .filter(row -> row.why().code().equals(Causes.TRIGGER_TIMED_OUT))
        .forEach(this::judgeGivenUp);
    open().forEach(this::judgeOpen);
    schedule.spans().forEach(span -> judgeFires(span, all));
  }

  private List<Counted> launched() {
    Map<String, Counted> byJob = new LinkedHashMap<>();
    for (Launch launch : schedule.launches()) {
      if (!launch.isByHand()) {
        Counted counted =
            new Counted(
                launch.arrival().jobId(),
                wish(launch.version()),
                launch.scheduledFor(),
                launch.counts(),
                launch.fire(),
                launch.events());
        byJob.putIfAbsent(launch.arrival().jobId(), counted);
      }
    }
    return List.copyOf(byJob.values());
  }

  private @Nullable Wish wish(int version) {
    return schedule.spans().stream()
        .map(Span::wish)
        .filter(wish -> wish.version() == version)
        .findFirst()
        .orElse(null);
  }

  private static Counted ofRow(JobRow row) {
    return new Counted(row.jobId(), null, row.changed(), row.counts(), row.fire(), row.events());
  }

  private static Counted ofOpen(OpenRow row) {
    return new Counted(null, null, History.NEVER, row.counts(), row.fire(), row.events());
  }

  private Stream<OpenRow> open() {
    return history.open().stream().filter(row -> row.schedule().equals(schedule.name()));
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
    return span.wish().leafOf(announcement.dataset()) >= 0 && span.endsBy() >= announcement.sent();
  }

  /** Who counts may not know yet that a suspension has ended by itself, by a clock that is slow. */
  private boolean mustCount(Span span, Announcement announcement) {
    if (announcement.accepted() == History.NEVER
        || span.wish().leafOf(announcement.dataset()) < 0
        || span.beginsBy() == History.NEVER
        || span.beginsBy() + history.skew() >= announcement.sent()) {
      return false;
    }
    long bound = history.bound(announcement.accepted());
    return bound <= span.endsFrom() && bound <= history.end();
  }

  private void judgeSatisfied(Counted job) {
    Wish wish = job.wish();
    if (wish == null || wish.isPlain()) {
      return;
    }
    for (int leaf = 0; leaf < wish.leaves().size(); leaf++) {
      if (wish.leaves().get(leaf) instanceof Partitions partitions
          && count(job, leaf) != announced(job.events(), partitions.dataset())) {
        miscounted(job.jobId(), "leaf " + leaf + " says " + count(job, leaf));
      }
    }
    if (!isSatisfied(wish, job.events(), job.fire())) {
      if (!isOverdue(job, wish)) {
        miscounted(job.jobId(), "launched before its trigger was satisfied");
      }
      return;
    }
    if (wish.waits().pending() == Waits.Pending.MERGE) {
      return;
    }
    boolean byEvent =
        !job.events().isEmpty()
            && !isSatisfied(wish, job.events().subList(0, job.events().size() - 1), job.fire());
    boolean byFire = job.fire() != History.NEVER && !isSatisfied(wish, job.events(), History.NEVER);
    if (!byEvent && !byFire) {
      miscounted(job.jobId(), "took events that belong to the next job");
    }
  }

  /**
   * What is satisfied is launched in time after the last that it counted: from when an event was
   * accepted for certain, from when a fire was due. A fire of {@code or} is judged as one.
   */
  private void judgeInTime(Counted job) {
    Wish wish = job.wish();
    if (wish == null
        || wish.isPlain()
        || (wish.join() == Join.ANY && job.fire() != History.NEVER)
        || !isSatisfied(wish, job.events(), job.fire())) {
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
            .filter(span -> span.wish().version() == wish.version())
            .mapToLong(span -> schedule.deadline(history, span.life(), ready, wish))
            .max()
            .orElse(History.NEVER);
    if (bound == History.NEVER || bound > history.end()) {
      return;
    }
    found.required++;
    boolean isInTime =
        schedule.launches().stream()
            .map(Launch::arrival)
            .anyMatch(a -> a.jobId().equals(job.jobId()) && a.at() <= bound);
    if (!isInTime) {
      found.findings.add(
          new Finding(
              Finding.Kind.LATE, schedule.name(), job.jobId(), "sent long after it was satisfied"));
    }
  }

  private void judgeGivenUp(JobRow row) {
    List<Wish> wishes =
        schedule.spans().stream()
            .filter(span -> span.mayHold(row.began(), Judge.SKEW, Causes.DATED))
            .map(Span::wish)
            .toList();
    if (!wishes.isEmpty()
        && wishes.stream().allMatch(wish -> isSatisfied(wish, row.events(), row.fire()))) {
      miscounted(row.jobId(), "was given up, but has all that its trigger needs");
    }
  }

  /** Whether it was launched as it was, at its time-out. */
  private boolean isOverdue(Counted job, Wish wish) {
    return wish.waits().launchesAnyway()
        && history.rows().stream()
            .filter(row -> row.jobId().equals(job.jobId()))
            .anyMatch(row -> job.closed() >= earliest(row, wish) - Judge.SKEW);
  }

  private long earliest(JobRow row, Wish wish) {
    return schedule.clock().earliest(row.began(), wish.waits().timeout(), false);
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

  private boolean isSatisfied(Wish wish, List<String> events, long fire) {
    Stream<Boolean> satisfied = wish.leaves().stream().map(leaf -> isSatisfied(leaf, events, fire));
    return wish.join() == Join.ALL
        ? satisfied.allMatch(one -> one)
        : satisfied.anyMatch(one -> one);
  }

  private boolean isSatisfied(Leaf leaf, List<String> events, long fire) {
    return leaf instanceof Partitions partitions
        ? announced(events, partitions.dataset()) >= partitions.count()
        : fire != History.NEVER;
  }

  /**
   * What is still collecting may lack something; what is left of a schedule that ended is judged
   * elsewhere.
   */
  private void judgeOpen(OpenRow row) {
    if (schedule.spans().isEmpty()) {
      return;
    }
    Span last = schedule.spans().get(schedule.spans().size() - 1);
    boolean current =
        !last.wish().isPlain()
            && last.endsBy() == History.NEVER
            && row.opened() > last.beginsBy() + Judge.SKEW;
    if (current && isSatisfied(last.wish(), row.events(), row.fire())) {
      found.findings.add(
          new Finding(Finding.Kind.STUCK, schedule.name(), null, "has all events, but no job"));
    }
  }

  /** Each fire was counted by a job, or came while one had counted an earlier fire already. */
  private void judgeFires(Span span, List<Counted> jobs) {
    Wish wish = span.wish();
    if (wish.join() != Join.ALL || wish.isPlain() || !wish.hasTimes()) {
      return;
    }
    Set<Long> used = new HashSet<>();
    for (Counted job : jobs) {
      if (wish.equals(job.wish())
          && job.fire() != History.NEVER
          && !used.add(job.fire())
          && !schedule.mayRecur(wish, job.fire())) {
        found.findings.add(
            new Finding(
                Finding.Kind.DOUBLED, schedule.name(), job.jobId(), "a second job for its fire"));
      }
    }
    long from = span.beginsBy() == History.NEVER ? history.end() : span.beginsBy() + Judge.SKEW + 1;
    for (long fire : FireCalendar.fires(wish, from, history.end())) {
      long bound = history.bound(fire);
      if (bound > span.endsFrom() || bound > history.end()) {
        return;
      }
      boolean mayBeNone = maySkip(fire) || history.exclusions().may(wish, fire, bound);
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
