package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Condition.Any;
import dev.carillon.campaign.judge.Condition.Counting;
import dev.carillon.campaign.judge.Condition.Elapsed;
import dev.carillon.campaign.judge.Condition.Fires;
import dev.carillon.campaign.judge.Condition.Leaf;
import dev.carillon.campaign.judge.Condition.Quiet;
import dev.carillon.campaign.judge.Condition.Timed;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.Judge.Found;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Judges the leaves of a {@link Condition} that instants satisfy. No leaf is satisfied before its
 * time, or long after it. A job that needs nothing but time must launch.
 */
final class ElapsedJudge {

  private final History history;
  private final Schedule schedule;
  private final Found found;
  private final Collection<Launch> launched;
  private final Map<String, Announcement> announcements;
  private final List<Damage> damages;

  ElapsedJudge(
      History history,
      Schedule schedule,
      Found found,
      Collection<Launch> launched,
      Map<String, Announcement> announcements,
      List<Damage> damages) {
    this.history = history;
    this.schedule = schedule;
    this.found = found;
    this.launched = launched;
    this.announcements = announcements;
    this.damages = damages;
  }

  /** The events that start the period of a leaf. */
  static List<Announcement> startingEvents(Timed leaf, List<Announcement> events) {
    Counting starting = leaf.startingEvents();
    return starting == null
        ? List.of()
        : events.stream().filter(event -> starting.weightOf(event) > 0).toList();
  }

  /** The longest time from the last event that starts its period until a leaf is satisfied. */
  static long duration(Timed leaf) {
    return leaf instanceof Elapsed elapsed
        ? elapsed.duration()
        : leaf instanceof Quiet quiet ? quiet.period() : 0;
  }

  void judge() {
    launched.forEach(this::judgeLeaves);
    judgeDoubled();
    for (Span span : Span.of(schedule.phases(), phase -> phase.spec() != null && isActive(phase))) {
      Condition condition = span.spec().condition();
      if (condition != null && span.beginsBy() != History.NEVER) {
        judgeSpan(span, condition);
      }
    }
  }

  private static boolean isActive(Phase phase) {
    return phase.mode() == null;
  }

  // ---- each satisfied leaf

  private void judgeLeaves(Launch job) {
    Condition condition = condition(job);
    if (condition == null) {
      return;
    }
    List<Leaf> leaves = condition.leaves();
    List<Long> counts = job.counts(leaves.size());
    boolean isLast =
        ConditionJudge.isByLastFire(condition, job, counts)
            && !ConditionJudge.isByLastEvent(condition, events(job), counts);
    long last = job.fires().values().stream().mapToLong(at -> at).max().orElse(History.NEVER);
    if (isLast && job.scheduledFor() != last) {
      find(Finding.Kind.MISCOUNTED, job, "does not stand for the instant that satisfied it");
    }
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      if (leaves.get(leaf) instanceof Timed timed && counts.get(leaf) > 0) {
        Long at = job.fires().get(leaf);
        if (at == null) {
          find(Finding.Kind.MISCOUNTED, job, "leaf " + leaf + " has no instant");
        } else {
          judgeLeaf(job, timed, at, isLast && at == last);
        }
      }
    }
  }

  /**
   * @param isLast whether the job took no more events after the instant
   */
  private void judgeLeaf(Launch job, Timed leaf, long at, boolean isLast) {
    if (job.arrival().clock() < at || job.arrival().at() < at - history.skew()) {
      find(Finding.Kind.EARLY, job, "sent before " + FireJudge.text(at));
    }
    if (leaf instanceof Fires fires) {
      if (!FireCalendar.fires(fires.cron(), at)) {
        find(Finding.Kind.UNASKED, job, "the trigger has no fire at " + FireJudge.text(at));
      }
    } else if (leaf instanceof Quiet quiet) {
      judgeQuiet(job, quiet, at, isLast);
    } else {
      judgeElapsed(job, (Elapsed) leaf, at, isLast);
    }
  }

  private void judgeQuiet(Launch job, Quiet quiet, long at, boolean isLast) {
    List<Announcement> starting = startingEvents(quiet, events(job));
    if (starting.isEmpty()) {
      find(Finding.Kind.MISCOUNTED, job, "quiet although no event came");
      return;
    }
    Announcement first = starting.get(0);
    long last = isLast ? latestSent(starting) : first.sent();
    if (at < quiet.due(first.sent(), last) - Judge.SKEW) {
      find(Finding.Kind.EARLY, job, "was quiet for less than its period");
    }
    long latest = starting.stream().mapToLong(Announcement::accepted).max().orElse(History.NEVER);
    if (mayBeUnknown(latest) || mayPrecedeDocument(job, starting)) {
      return;
    }
    long due = quiet.due(history.bound(first.accepted()), history.bound(latest));
    if (at > due + Judge.SKEW) {
      find(Finding.Kind.LATE, job, "was quiet for longer than its period");
    }
  }

  private void judgeElapsed(Launch job, Elapsed elapsed, long at, boolean isLast) {
    long since = at - elapsed.duration() + 2 * Judge.SKEW;
    boolean isAfterActivation =
        schedule.spans().stream()
            .anyMatch(span -> span.spec().version() == job.version() && span.beginsFrom() <= since);
    if (!isAfterActivation) {
      find(Finding.Kind.EARLY, job, "less time has passed since its activation");
    }
    if (elapsed.since() == null) {
      judgeSinceLaunch(job, at, since);
      return;
    }
    List<Announcement> starting = startingEvents(elapsed, events(job));
    if (isLast && !starting.isEmpty() && latestSent(starting) > since) {
      find(Finding.Kind.EARLY, job, "less time has passed since the last event");
    }
    for (Launch other : launched) {
      if (other.version() == job.version()
          && startingEvents(elapsed, events(other)).stream()
              .anyMatch(event -> event.sent() > since && isCountedBy(event, at - Judge.SKEW))) {
        find(Finding.Kind.EARLY, job, "an event started its time again");
      }
    }
    long latest = starting.stream().mapToLong(Announcement::accepted).max().orElse(History.NEVER);
    boolean isBounded = !mayBeUnknown(latest) && !mayPrecedeDocument(job, starting);
    if (isBounded && at > history.bound(latest) + elapsed.duration() + Judge.SKEW) {
      find(Finding.Kind.LATE, job, "more time has passed since the last event");
    }
  }

  private boolean isHidden(@Nullable String launch, long at) {
    return damages.stream().anyMatch(damage -> damage.hides(launch, at));
  }

  /**
   * Only launches of the same document count. A PUT counts from the instant at which it read the
   * schedule. Until it has stored the change, a fire of the former document can still launch.
   */
  private void judgeSinceLaunch(Launch job, long at, long since) {
    boolean hasOther =
        launched.stream()
            .filter(other -> other.version() == job.version())
            .filter(other -> !other.arrival().jobId().equals(job.arrival().jobId()))
            .filter(other -> !isHidden(other.arrival().jobId(), at))
            .anyMatch(other -> other.triggeredAt() > since && other.triggeredAt() < at);
    boolean hasManual =
        manualLaunches().stream()
            .filter(call -> !isHidden(call.answer(), at))
            .anyMatch(call -> call.called() > since && call.returned() < at - Judge.SKEW);
    if (hasOther || hasManual) {
      find(Finding.Kind.EARLY, job, "less time has passed since the last launch");
    }
  }

  private List<Operation> manualLaunches() {
    return schedule.operations().stream()
        .filter(call -> call.kind() == Kind.LAUNCH && call.done())
        .toList();
  }

  private boolean isCountedBy(Announcement event, long instant) {
    return !mayBeUnknown(event.accepted()) && history.bound(event.accepted()) < instant;
  }

  /**
   * Whether an event may have been accepted before the schedule had this document. Such an event
   * counts when it is delivered again or searched for again, which has no bound.
   */
  private boolean mayPrecedeDocument(Launch job, List<Announcement> events) {
    long begins =
        schedule.spans().stream()
            .filter(span -> span.spec().version() == job.version())
            .mapToLong(Span::beginsBy)
            .min()
            .orElse(History.NEVER);
    return events.stream().anyMatch(event -> event.accepted() <= begins);
  }

  private boolean mayBeUnknown(long accepted) {
    return accepted == History.NEVER || history.bound(accepted) == History.NEVER;
  }

  private static long latestSent(List<Announcement> events) {
    return events.stream().mapToLong(Announcement::sent).max().orElse(Long.MIN_VALUE);
  }

  /** A fire of a leaf satisfies one job. */
  private void judgeDoubled() {
    Set<String> seen = new HashSet<>();
    for (Launch job : launched) {
      Condition condition = condition(job);
      List<Leaf> leaves = condition == null ? List.of() : condition.leaves();
      job.fires()
          .forEach(
              (leaf, at) -> {
                boolean isFire = leaf < leaves.size() && leaves.get(leaf) instanceof Fires;
                if (isFire && !seen.add(job.version() + " " + leaf + " " + at)) {
                  find(Finding.Kind.DOUBLED, job, "a second job for " + FireJudge.text(at));
                }
              });
    }
  }

  // ---- jobs that need nothing but time

  private void judgeSpan(Span span, Condition condition) {
    List<Condition> alternatives =
        condition instanceof Any any ? any.conditions() : List.of(condition);
    for (Condition alternative : alternatives) {
      if (alternative instanceof Fires fires) {
        judgeFires(span, fires);
      } else if (alternative instanceof Elapsed elapsed && elapsed.since() == null) {
        judgeLaunches(span, elapsed);
      } else if (alternative instanceof Elapsed elapsed) {
        judgeActivation(span, elapsed);
      }
    }
  }

  private void judgeFires(Span span, Fires leaf) {
    for (long fire :
        FireCalendar.fires(leaf.cron(), span.beginsBy() + Judge.SKEW + 1, history.end())) {
      long bound = history.bound(fire);
      if (bound == History.NEVER || bound > Math.min(span.endsFrom(), history.end())) {
        return;
      }
      found.required++;
      if (launched.stream().noneMatch(job -> job.fires().containsValue(fire))) {
        lost("the fire at " + FireJudge.text(fire) + " was never launched");
      }
    }
  }

  /** After each launch, the next launch comes when the duration has passed. */
  private void judgeLaunches(Span span, Elapsed elapsed) {
    NavigableSet<Long> launches = new TreeSet<>();
    launched.forEach(job -> launches.add(job.triggeredAt()));
    boolean isUnknown =
        schedule.operations().stream()
            .anyMatch(call -> call.kind() == Kind.LAUNCH && call.isUnknown());
    if (isUnknown) {
      return;
    }
    manualLaunches().forEach(call -> launches.add(call.returned()));
    Long last = span.beginsBy();
    while (last != null) {
      long bound = history.bound(last + elapsed.duration());
      if (bound == History.NEVER || bound + Judge.SKEW > end(span)) {
        return;
      }
      found.required++;
      Long next = launches.higher(last);
      if (next == null || next > bound + Judge.SKEW) {
        lost("nothing was launched when its time had passed since " + FireJudge.text(last));
      }
      last = next;
    }
  }

  /** Before the first event, the time passes from the activation on. */
  private void judgeActivation(Span span, Elapsed elapsed) {
    long bound = history.bound(span.beginsBy() + elapsed.duration());
    boolean isStartedAgain =
        history.announcements().stream()
            .anyMatch(
                event ->
                    event.sent() <= bound
                        && Objects.requireNonNull(elapsed.since()).weightOf(event) > 0);
    if (bound == History.NEVER || bound + Judge.SKEW > end(span) || isStartedAgain) {
      return;
    }
    boolean isFirst =
        schedule.phases().stream()
            .noneMatch(phase -> phase.life() == span.life() && phase.from() < span.beginsFrom());
    if (!isFirst) {
      return;
    }
    found.required++;
    if (launched.stream()
        .noneMatch(
            job ->
                job.version() == span.spec().version()
                    && job.triggeredAt() <= bound + Judge.SKEW)) {
      lost("nothing was launched when its time had passed since the activation");
    }
  }

  private long end(Span span) {
    return Math.min(span.endsFrom(), history.end());
  }

  // ---- auxiliary

  private List<Announcement> events(Launch job) {
    return job.events().stream().map(announcements::get).filter(Objects::nonNull).toList();
  }

  private @Nullable Condition condition(Launch job) {
    return schedule.spans().stream()
        .map(Span::spec)
        .filter(spec -> spec.version() == job.version())
        .findFirst()
        .map(ScheduleSpec::condition)
        .orElse(null);
  }

  private void lost(String what) {
    found.findings.add(new Finding(Finding.Kind.LOST, schedule.name(), null, what));
  }

  private void find(Finding.Kind kind, Launch job, String what) {
    found.findings.add(new Finding(kind, schedule.name(), job.arrival().jobId(), what));
  }
}
