package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Condition.Fires;
import dev.carillon.campaign.judge.Condition.Timed;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.StoredCollectingJob;
import dev.carillon.campaign.judge.Judge.Found;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Judges the jobs of documents with a {@link Condition}. Each event is counted once, by the job
 * that it belongs to. Each job launches in time once its trigger is satisfied, and not before.
 */
final class ConditionJudge {

  private final History history;
  private final Schedule schedule;
  private final List<Damage> damages;
  private final Found found;
  private final Map<String, Announcement> announcements = new HashMap<>();

  ConditionJudge(History history, Schedule schedule, List<Damage> damages, Found found) {
    this.history = history;
    this.schedule = schedule;
    this.damages = damages;
    this.found = found;
    history.announcements().forEach(a -> announcements.put(a.id(), a));
  }

  void judge() {
    Map<String, Launch> launched = launched();
    judgeEvents(launched);
    launched.values().forEach(this::judgeLaunch);
    launched.values().forEach(this::judgeInTime);
    launched.values().forEach(job -> judgeOrder(job, launched.values()));
    new ElapsedJudge(history, schedule, found, launched.values(), announcements, damages).judge();
    history.open().stream()
        .filter(stored -> stored.schedule().equals(schedule.name()))
        .forEach(this::judgeOpen);
  }

  /** The first launch of each job that was not manual. */
  private Map<String, Launch> launched() {
    Map<String, Launch> byJob = new LinkedHashMap<>();
    for (Launch launch : schedule.launches()) {
      if (!launch.isManual()) {
        byJob.putIfAbsent(launch.arrival().jobId(), launch);
      }
    }
    return byJob;
  }

  private @Nullable Condition condition(Launch launch) {
    return schedule.spans().stream()
        .map(Span::spec)
        .filter(spec -> spec.version() == launch.version())
        .map(ScheduleSpec::condition)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private List<Announcement> events(List<String> ids) {
    return ids.stream().map(announcements::get).filter(Objects::nonNull).toList();
  }

  // ---- each event is counted once

  private void judgeEvents(Map<String, Launch> launched) {
    Map<String, Integer> times = new TreeMap<>();
    launched.values().forEach(job -> job.events().forEach(id -> times.merge(id, 1, Integer::sum)));
    history.jobs().stream()
        .filter(stored -> stored.schedule().equals(schedule.name()))
        .filter(stored -> !launched.containsKey(stored.jobId()))
        .forEach(stored -> stored.events().forEach(id -> times.merge(id, 1, Integer::sum)));
    history.open().stream()
        .filter(stored -> stored.schedule().equals(schedule.name()))
        .forEach(stored -> stored.events().forEach(id -> times.merge(id, 1, Integer::sum)));
    times.forEach(this::judgeCounted);
    for (Announcement announcement : history.announcements()) {
      if (!times.containsKey(announcement.id())
          && schedule.spans().stream().anyMatch(span -> mustCount(span, announcement))) {
        miscounted(null, "event " + announcement.id() + " was accepted, but not counted");
      }
    }
  }

  private void judgeCounted(String id, int times) {
    Announcement announcement = announcements.get(id);
    if (announcement == null) {
      miscounted(null, "event " + id + " was never sent");
    } else if (times > 1) {
      miscounted(null, "event " + id + " was counted " + times + " times");
    } else if (schedule.lives().stream().noneMatch(span -> mayCount(span, announcement))) {
      miscounted(null, "event " + id + " was counted, but no document wanted it");
    }
  }

  private static boolean concerns(Span span, Announcement announcement) {
    Condition condition = span.spec().condition();
    return condition != null && condition.concerns(announcement);
  }

  private static boolean mayCount(Span span, Announcement announcement) {
    return concerns(span, announcement) && span.endsBy() >= announcement.sent();
  }

  private boolean mustCount(Span span, Announcement announcement) {
    if (announcement.accepted() == History.NEVER
        || !concerns(span, announcement)
        || span.beginsBy() == History.NEVER
        || span.beginsBy() + history.skew() >= announcement.sent()
        || new IndexGap(history, schedule.name()).mayHide(span, announcement)) {
      return false;
    }
    long bound = history.bound(announcement.accepted());
    return bound <= span.endsFrom() && bound <= history.end();
  }

  // ---- each job has counted what satisfies its trigger, and no more

  private void judgeLaunch(Launch job) {
    Condition condition = condition(job);
    if (condition == null) {
      return;
    }
    String id = job.arrival().jobId();
    List<Announcement> events = events(job.events());
    for (Announcement event : events) {
      if (!condition.concerns(event)) {
        miscounted(id, "counted event " + event.id() + ", which its trigger does not name");
      }
    }
    List<Long> counts = job.counts(condition.leaves().size());
    List<Long> right = condition.counts(events, counts);
    if (!right.equals(counts)) {
      miscounted(id, "its leaves say " + counts + " instead of " + right);
    }
    if (!condition.isSatisfied(right)) {
      miscounted(id, "launched before its trigger was satisfied");
    } else if (!isByLastEvent(condition, events, counts) && !isByLastFire(condition, job, right)) {
      miscounted(id, "counted events or fires that belong to the next job");
    }
  }

  /** Whether the trigger was satisfied by the last of the instants that satisfied its leaves. */
  static boolean isByLastFire(Condition condition, Launch job, List<Long> counts) {
    long last = job.fires().values().stream().mapToLong(at -> at).max().orElse(History.NEVER);
    List<Long> before = new ArrayList<>(counts);
    job.fires()
        .forEach(
            (leaf, at) -> {
              if (at == last && leaf < before.size()) {
                before.set(leaf, 0L);
              }
            });
    return !condition.isSatisfied(before);
  }

  static boolean isByLastEvent(Condition condition, List<Announcement> events, List<Long> counts) {
    return !events.isEmpty()
        && !condition.isSatisfied(condition.counts(events.subList(0, events.size() - 1), counts));
  }

  private void judgeInTime(Launch job) {
    Condition condition = condition(job);
    long ready =
        LongStream.concat(
                events(job.events()).stream().mapToLong(Announcement::accepted),
                job.fires().values().stream().mapToLong(at -> at))
            .max()
            .orElse(History.NEVER);
    if (condition == null || ready == History.NEVER) {
      return;
    }
    long bound =
        schedule.lives().stream()
            .filter(span -> span.spec().version() == job.version())
            .mapToLong(span -> deadline(span, events(job.events()), ready))
            .max()
            .orElse(History.NEVER);
    if (bound == History.NEVER || bound > history.end()) {
      return;
    }
    found.required++;
    if (job.arrival().at() > bound) {
      found.findings.add(
          new Finding(
              Finding.Kind.LATE,
              schedule.name(),
              job.arrival().jobId(),
              "sent long after its trigger was satisfied"));
    }
  }

  private long deadline(Span span, List<Announcement> events, long ready) {
    IndexGap gap = new IndexGap(history, schedule.name());
    return events.stream().anyMatch(event -> gap.mayPrecede(event, span))
        ? History.NEVER
        : schedule.deadline(history, span.life(), ready, span.spec());
  }

  /**
   * A job takes the events that come before its trigger is satisfied, and no later ones. The jobs
   * of a schedule follow one another.
   */
  private void judgeOrder(Launch job, Iterable<Launch> all) {
    for (Announcement event : events(job.events())) {
      if (event.sent() > job.triggeredAt() + Judge.SKEW) {
        miscounted(job.arrival().jobId(), "counted event " + event.id() + ", which came later");
      }
      for (Launch earlier : all) {
        boolean isEarlier = earlier.triggeredAt() < job.triggeredAt();
        boolean isOfOneDocument = earlier.version() == job.version();
        if (isEarlier
            && isOfOneDocument
            && isCountedBy(event, earlier.triggeredAt() - Judge.SKEW)) {
          miscounted(
              job.arrival().jobId(),
              "counted event " + event.id() + ", which belongs to " + earlier.arrival().jobId());
        }
      }
    }
  }

  /** Whether an event has certainly been counted by an instant. */
  private boolean isCountedBy(Announcement event, long instant) {
    return event.accepted() != History.NEVER && history.bound(event.accepted()) < instant;
  }

  // ---- no job remains open although its trigger is satisfied

  private void judgeOpen(StoredCollectingJob stored) {
    if (schedule.spans().isEmpty()) {
      return;
    }
    Span last = schedule.spans().get(schedule.spans().size() - 1);
    Condition condition = last.spec().condition();
    if (condition == null
        || last.endsBy() != History.NEVER
        || stored.opened() - Judge.SKEW <= last.beginsBy()) {
      return;
    }
    List<Long> counts = new ArrayList<>(stored.counts());
    List<Condition.Leaf> leaves = condition.leaves();
    for (int leaf = 0; leaf < Math.min(leaves.size(), counts.size()); leaf++) {
      if (leaves.get(leaf) instanceof Timed timed && isDue(timed, stored)) {
        counts.set(leaf, 1L);
      }
    }
    if (condition.isSatisfied(condition.counts(events(stored.events()), counts))) {
      found.findings.add(
          new Finding(
              Finding.Kind.STUCK,
              schedule.name(),
              null,
              "its trigger is satisfied, but there is no job"));
    }
  }

  /** Whether an instant has certainly satisfied a leaf of an open job. */
  private boolean isDue(Timed leaf, StoredCollectingJob stored) {
    if (leaf instanceof Fires fires) {
      long from = stored.opened() + Judge.SKEW;
      return FireCalendar.fires(fires.cron(), from, history.end()).stream()
          .anyMatch(fire -> history.bound(fire) < history.end());
    }
    List<Announcement> starting = ElapsedJudge.startingEvents(leaf, events(stored.events()));
    long last = starting.stream().mapToLong(Announcement::accepted).max().orElse(History.NEVER);
    if (last == History.NEVER || history.bound(last) == History.NEVER) {
      return false;
    }
    long due = history.bound(last) + ElapsedJudge.duration(leaf);
    return history.bound(due) < history.end();
  }

  private void miscounted(@Nullable String jobId, String what) {
    found.findings.add(new Finding(Finding.Kind.MISCOUNTED, schedule.name(), jobId, what));
  }
}
