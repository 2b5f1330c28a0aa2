package dev.carillon.collect;

import dev.carillon.collect.Timeline.Moment;
import dev.carillon.event.Event;
import dev.carillon.event.EventIdHash;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.Head;
import dev.carillon.trigger.Trigger;
import dev.carillon.wakeup.Wakeup.Plan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a collecting job. It applies fires, elapsed times and a time-out, then events, in
 * order, until there is no room for further jobs or enough fires are applied. It stores nothing.
 */
public final class CollectingPass {

  /**
   * How many fires and elapsed periods one pass applies. The next pass continues. A bound on jobs
   * is not enough, because a waiting job can take any number of fires, each of which is looked up.
   */
  private static final int MOST_MOMENTS = Jobs.MOST_SATISFIED;

  private final CollectingSnapshot known;
  private final Head head;
  private final List<Trigger.Leaf> leaves;
  private final Instant now;
  private final Timeline timeline;
  private final Intake intake;
  private final Set<Long> newlyCounted = new HashSet<>();
  private final List<Acceptance> accepted = new ArrayList<>();
  private final boolean isHandedOn;
  private boolean lacksRoom;

  private CollectingPass(CollectingSnapshot known) {
    this.known = known;
    this.head = known.head();
    this.leaves = known.schedule().trigger().leaves();
    Progress stored = Progress.of(known);
    this.now = Progress.later(known.now(), stored.advancedTo());
    this.timeline = Timeline.of(known.compiled(), head, now);
    this.intake = new Intake(known, stored, now);
    CollectingJob kept = known.kept();
    this.isHandedOn = kept != null && kept.activation() != head.activation();
    CollectingJob cancelled = known.cancelled();
    if (cancelled != null) {
      intake.cancel(cancelled);
    }
  }

  /**
   * Applies the fires and elapsed periods up to now, then the events, then a time-out that is due
   * now.
   *
   * @param reached a fire that is due. If calendars exclude it, the exclusion is stored, because
   *     the check of the fire can be received again after the calendars have changed
   */
  public static Collected collect(
      CollectingSnapshot known, OtherJobs past, List<Event> events, Instant reached) {
    CollectingPass pass = new CollectingPass(known);
    Instant before = pass.intake.progress().advancedTo();
    pass.advance(past);
    events.forEach(pass::count);
    pass.timeOutNow();
    boolean isNew = !pass.lacksRoom && reached.isAfter(before);
    return pass.collected(isNew && !known.compiled().excludedBy(reached).isEmpty());
  }

  /**
   * Applies the fires and elapsed periods up to now, so that the result is stored under the head's
   * activation.
   */
  public static Collected handOn(CollectingSnapshot known, OtherJobs past) {
    CollectingPass pass = new CollectingPass(known);
    pass.advance(past);
    return pass.collected(known.stored() == null);
  }

  /**
   * Turns fires into jobs, one job for each fire, until there is no room for more. While a job
   * waits, a fire is merged into that job or skipped; its own job is then recorded as SKIPPED.
   */
  public static Collected mergeOrSkip(CollectingSnapshot known, List<JobId> due) {
    CollectingPass pass = new CollectingPass(known);
    for (JobId fire : due) {
      if (pass.intake.hasRoom()) {
        pass.intake.mergeOrSkip(fire, pass.timeline.fires().at(fire.at()));
      }
    }
    return pass.collected(false);
  }

  private Progress progress() {
    return intake.progress();
  }

  // ---- fires, elapsed times and the time-out

  private void advance(OtherJobs past) {
    if (progress().clocks().countFromLaunches() && timeline.hasElapsed(progress())) {
      past.lastManualLaunchAfter(progress().clocks().countFromLaunchesSince())
          .map(launch -> progress().clocks().afterLaunch(launch))
          .ifPresent(clocks -> intake.moveTo(progress().with(clocks)));
    }
    Optional<Moment> next = passToNext();
    for (int applied = 0;
        next.isPresent() && intake.hasRoom() && applied < MOST_MOMENTS;
        applied++) {
      apply(next.get(), past);
      next = passToNext();
    }
    lacksRoom = next.isPresent();
    if (!lacksRoom) {
      intake.moveTo(progress().upTo(now));
    }
  }

  private Optional<Moment> passToNext() {
    intake.moveTo(timeline.pastClosedFires(progress()));
    return timeline.next(progress());
  }

  /**
   * Applies a moment. Each fire before it was applied, or came while the open job already had a
   * fire of its leaf. So if the moment ends that job, no such fire opens the next one.
   */
  private void apply(Moment moment, OtherJobs past) {
    intake.moveTo(progress().upTo(Progress.later(progress().advancedTo(), moment.at())));
    switch (moment.kind()) {
      case FIRE -> applyFire(moment.at(), past);
      case ELAPSED -> applyElapsed(moment.at());
      case TIMEOUT -> timeOut(moment.at());
    }
  }

  private void applyFire(Instant fire, OtherJobs past) {
    if (!past.isSkipped(fire)) {
      intake.takeFires(timeline.fires().at(fire), fire);
    }
  }

  private void applyElapsed(Instant due) {
    Set<Integer> elapsed = progress().clocks().dueBy(due);
    if (!intake.isCollecting()) {
      intake.moveTo(progress().with(progress().clocks().afterClose(elapsed, due)));
    }
    intake.takeFires(elapsed, due);
  }

  private void timeOutNow() {
    Optional<Instant> end = lacksRoom ? Optional.empty() : timeline.dueTimeout(progress());
    if (end.isPresent() && intake.hasRoom()) {
      timeOut(end.get());
    } else if (end.isPresent()) {
      lacksRoom = true;
    }
  }

  private void timeOut(Instant end) {
    OpenJob open = Objects.requireNonNull(progress().open());
    intake.timeOut(open, end, timeline.timeouts());
  }

  // ---- events

  private void count(Event event) {
    if (lacksRoom) {
      return;
    }
    long hash = EventIdHash.of(event.id());
    if (known.seen().contains(hash) || newlyCounted.contains(hash)) {
      accepted.add(Acceptance.DUPLICATE);
      return;
    }
    List<Long> weights = LeafCounts.weights(leaves, event);
    if (!concerns(event, weights)) {
      accepted.add(Acceptance.UNMATCHED);
    } else if (intake.hasRoom()) {
      accepted.add(Acceptance.COUNTED);
      newlyCounted.add(hash);
      take(event, weights);
    } else {
      lacksRoom = true;
    }
  }

  private boolean concerns(Event event, List<Long> weights) {
    boolean canTake = progress().open() != null || head.opensJobs();
    boolean counts = weights.stream().anyMatch(weight -> weight > 0);
    return canTake && (counts || progress().clocks().concern(event));
  }

  private void take(Event event, List<Long> weights) {
    LeafClocks clocks = progress().clocks();
    LeafClocks after =
        intake.isCollecting() ? clocks.afterEvent(event, now) : clocks.afterOther(event, now);
    intake.moveTo(progress().with(after));
    intake.take(now, triggerState -> LeafCounts.withEvent(triggerState, event, weights));
  }

  // ---- the result

  /**
   * @param mustBeStored whether the progress is stored even if nothing else has changed; it is
   *     stored in any case if another pass continues from it
   */
  private Collected collected(boolean mustBeStored) {
    CollectingJob kept = known.kept();
    Plan before = kept == null ? null : kept.wakeup();
    Plan plan = Plan.next(before, timeline.attentionAt(progress()), now);
    boolean isAnother = !Objects.equals(plan, before);
    return new Collected(
        after(plan),
        intake.hasTaken() || isHandedOn || isAnother || mustBeStored || lacksRoom,
        intake.jobs(),
        Collections.unmodifiableSet(newlyCounted),
        accepted,
        !lacksRoom,
        isAnother && plan != null && plan.isInMessage() ? plan : null);
  }

  private CollectingJob after(@Nullable Plan plan) {
    CollectingJob stored = known.stored();
    Progress progress = progress();
    return new CollectingJob(
        known.schedule().id(),
        stored == null ? 1 : stored.version() + 1,
        head.generation(),
        head.activation(),
        progress.nextSequence(),
        progress.advancedTo(),
        progress.open(),
        progress.clocks().clocks(),
        plan,
        intake.latest());
  }
}
