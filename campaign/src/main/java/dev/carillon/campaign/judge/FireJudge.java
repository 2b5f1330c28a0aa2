package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.Judge.Found;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the launches of fires. */
final class FireJudge {

  /** An unanswered skip may have skipped any of this many next fires. */
  private static final int MAYBE_SKIPPED = 6;

  private final History history;
  private final Schedule schedule;
  private final Found found;
  private final Exclusions exclusions;
  private final Causes causes;
  private final List<SkippedFires> skipped;
  private final Map<Integer, NavigableSet<Long>> calendars = new HashMap<>();

  FireJudge(History history, Schedule schedule, Found found) {
    this.history = history;
    this.schedule = schedule;
    this.found = found;
    this.exclusions = history.exclusions();
    this.causes = new Causes(history);
    this.skipped = SkippedFires.of(history, schedule.name());
  }

  /** A fire of one document. */
  private record Fire(int version, long at) {}

  void judge() {
    Map<Fire, List<Launch>> byFire = new LinkedHashMap<>();
    for (Launch launch : schedule.launches()) {
      ScheduleSpec spec = spec(launch.version());
      if (launch.isManual() || !launch.backfill().isEmpty()) {
        continue;
      }
      if (spec == null) {
        find(Finding.Kind.UNASKED, launch, "its document was never stored");
        continue;
      }
      long instant = spec.isPlain() ? launch.scheduledFor() : launch.fire();
      if (spec.condition() != null) {
        instant = History.NEVER;
      }
      if (instant == History.NEVER) {
        judgeTime(launch, launch.scheduledFor());
      } else {
        judgeFire(launch, spec, instant);
        byFire
            .computeIfAbsent(new Fire(spec.version(), instant), any -> new ArrayList<>())
            .add(launch);
      }
    }
    byFire.forEach(this::judgeOnce);
    for (Span span : schedule.spans()) {
      judgeRequired(span, byFire);
    }
  }

  private @Nullable ScheduleSpec spec(int version) {
    return schedule.spans().stream()
        .map(Span::spec)
        .filter(spec -> spec.version() == version)
        .findFirst()
        .orElse(null);
  }

  private void judgeFire(Launch launch, ScheduleSpec spec, long fire) {
    if (!calendar(spec).contains(fire)) {
      find(Finding.Kind.UNASKED, launch, "the trigger has no fire at " + text(fire));
    }
    if (exclusions.isExcluded(spec, fire, launch.arrival().at())) {
      find(Finding.Kind.UNASKED, launch, "the calendar excludes the fire at " + text(fire));
    }
    if (launch.arrival().clock() < fire || launch.arrival().at() < fire - history.skew()) {
      find(Finding.Kind.EARLY, launch, "sent before " + text(fire));
    }
    judgeTime(launch, fire);
    for (Operation skip : schedule.operations()) {
      if (isSkipped(skip, fire) && isOfOneSpan(skip, spec) && isEarly(skip, spec, fire)) {
        find(Finding.Kind.UNASKED, launch, "the fire at " + text(fire) + " was skipped");
      }
    }
  }

  /**
   * Checks that the fire was due while the schedule created jobs, and that its request arrived
   * while the schedule launched jobs, both in the same life. A collected job may also have been due
   * while the schedule only kept jobs.
   */
  private void judgeTime(Launch launch, long due) {
    ScheduleSpec spec = spec(launch.version());
    List<Span> creates = spec == null || spec.isPlain() ? schedule.spans() : schedule.lives();
    boolean asked =
        creates.stream()
            .filter(span -> span.spec().version() == launch.version())
            .filter(span -> span.mayHold(due, history.skew()))
            .anyMatch(span -> mayArrive(span.life(), launch.arrival().at()));
    if (!asked) {
      find(
          Finding.Kind.AFTER_DELETE,
          launch,
          "due at " + text(due) + ", but its document was not active then or no longer existed");
    }
  }

  private boolean mayArrive(int life, long at) {
    return schedule.launching().stream()
        .filter(span -> span.life() == life)
        .anyMatch(
            span ->
                at >= span.beginsFrom() - history.skew()
                    && (span.endsBy() == History.NEVER || at <= span.endsBy() + Judge.IN_FLIGHT));
  }

  private static boolean isSkipped(Operation skip, long fire) {
    return skip.kind() == Kind.SKIP && skip.done() && text(fire).equals(skip.answer());
  }

  private boolean isOfOneSpan(Operation skip, ScheduleSpec spec) {
    return schedule.spans().stream()
        .anyMatch(
            span ->
                span.spec().version() == spec.version()
                    && span.beginsBy() <= skip.called()
                    && span.endsFrom() >= skip.returned());
  }

  /**
   * Whether the skip came before the fire. A fire that is counted together with other leaves can
   * only be skipped before it is due.
   */
  private static boolean isEarly(Operation skip, ScheduleSpec spec, long fire) {
    return spec.isPlain() || skip.returned() + 2 * Judge.SKEW < fire;
  }

  private void judgeOnce(Fire fire, List<Launch> launches) {
    ScheduleSpec spec = spec(fire.version());
    if (spec != null && schedule.mayRecur(spec, fire.at())) {
      return;
    }
    Set<String> jobs = new HashSet<>();
    for (Launch launch : launches) {
      if (jobs.add(launch.arrival().jobId()) && jobs.size() > 1) {
        find(Finding.Kind.DOUBLED, launch, "a second job for the fire at " + text(fire.at()));
      }
    }
  }

  private void judgeRequired(Span span, Map<Fire, List<Launch>> byFire) {
    ScheduleSpec spec = span.spec();
    boolean exact = spec.isPlain() || spec.join() == Join.ANY;
    if (!spec.hasTimes() || !exact || span.beginsBy() == History.NEVER) {
      return;
    }
    for (long fire : calendar(spec).tailSet(span.beginsBy() + Judge.SKEW, false)) {
      if (fire > span.endsFrom() - Judge.SKEW || fire > history.end()) {
        break;
      }
      long bound = schedule.deadline(history, span.life(), fire, spec);
      if (bound > history.end() || maySkip(fire) || isNoJob(fire, spec)) {
        continue;
      }
      boolean isCounted = skipped.stream().anyMatch(stored -> stored.covers(spec, fire));
      if (isCounted || exclusions.mayBeExcluded(spec, fire, bound)) {
        continue;
      }
      found.required++;
      judgeArrived(fire, bound, byFire.get(new Fire(spec.version(), fire)));
    }
  }

  private void judgeArrived(long fire, long bound, @Nullable List<Launch> launches) {
    if (launches == null) {
      found.findings.add(
          new Finding(
              Finding.Kind.LOST,
              schedule.name(),
              null,
              "the fire at " + text(fire) + " was never launched"));
      return;
    }
    long first = launches.stream().mapToLong(launch -> launch.arrival().at()).min().orElse(0);
    if (first > bound) {
      find(Finding.Kind.LATE, launches.get(0), "first sent at " + text(first));
    }
  }

  /**
   * Whether a stored job shows that the fire timed out, was merged or was dropped, and a cause for
   * this exists. The clock by which the fire was due may have been fast, and may have stepped back
   * before the job was stored.
   */
  private boolean isNoJob(long fire, ScheduleSpec spec) {
    return history.jobs().stream()
        .filter(stored -> stored.schedule().equals(schedule.name()))
        .filter(stored -> stored.began() <= fire && stored.began() > fire - 2 * Judge.SKEW)
        .anyMatch(stored -> causes.explain(stored, spec));
  }

  private boolean maySkip(long fire) {
    return schedule.operations().stream()
        .anyMatch(skip -> isSkipped(skip, fire) || mayHaveSkipped(skip, fire));
  }

  private boolean mayHaveSkipped(Operation skip, long fire) {
    if (skip.kind() != Kind.SKIP || !skip.isUnknown()) {
      return false;
    }
    return schedule.spans().stream()
        .anyMatch(
            span ->
                calendar(span.spec()).tailSet(skip.called() - Judge.SKEW, true).stream()
                    .limit(span.spec().excludes() ? Long.MAX_VALUE : MAYBE_SKIPPED)
                    .anyMatch(skipped -> skipped == fire));
  }

  private NavigableSet<Long> calendar(ScheduleSpec spec) {
    return calendars.computeIfAbsent(
        spec.version(),
        version -> FireCalendar.fires(spec, history.start() - 60_000, history.end() + 60_000));
  }

  private void find(Finding.Kind kind, Launch launch, String what) {
    found.findings.add(new Finding(kind, schedule.name(), launch.arrival().jobId(), what));
  }

  static String text(long instant) {
    return Instant.ofEpochMilli(instant).toString();
  }
}
