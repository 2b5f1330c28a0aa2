package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.Judge.Found;
import dev.carillon.campaign.judge.Judge.Schedule;
import dev.carillon.campaign.judge.Wish.Join;
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

/** Judges the launches that stand for an instant of the clock. */
final class FireJudge {

  /** How many fires a skip of which nobody heard may have taken. */
  private static final int MAYBE_SKIPPED = 6;

  private final History history;
  private final Schedule schedule;
  private final Found found;
  private final Exclusions exclusions;
  private final Causes causes;
  private final List<Skipped> skipped;
  private final Map<Integer, NavigableSet<Long>> calendars = new HashMap<>();

  FireJudge(History history, Schedule schedule, Found found) {
    this.history = history;
    this.schedule = schedule;
    this.found = found;
    this.exclusions = history.exclusions();
    this.causes = new Causes(history);
    this.skipped = Skipped.of(history, schedule.name());
  }

  /** A fire of one document. */
  private record Fire(int version, long at) {}

  void judge() {
    Map<Fire, List<Launch>> byFire = new LinkedHashMap<>();
    for (Launch launch : schedule.launches()) {
      Wish wish = wish(launch.version());
      if (launch.isByHand() || !launch.backfill().isEmpty()) {
        continue;
      }
      if (wish == null) {
        find(Finding.Kind.UNASKED, launch, "its document was never stored");
        continue;
      }
      long instant = wish.isPlain() ? launch.scheduledFor() : launch.fire();
      if (instant == History.NEVER) {
        judgeTime(launch, launch.scheduledFor());
      } else {
        judgeFire(launch, wish, instant);
        byFire
            .computeIfAbsent(new Fire(wish.version(), instant), any -> new ArrayList<>())
            .add(launch);
      }
    }
    byFire.forEach(this::judgeOnce);
    for (Span span : schedule.spans()) {
      judgeRequired(span, byFire);
    }
  }

  private @Nullable Wish wish(int version) {
    return schedule.spans().stream()
        .map(Span::wish)
        .filter(wish -> wish.version() == version)
        .findFirst()
        .orElse(null);
  }

  private void judgeFire(Launch launch, Wish wish, long fire) {
    if (!calendar(wish).contains(fire)) {
      find(Finding.Kind.UNASKED, launch, "there is no fire at " + text(fire));
    }
    if (exclusions.must(wish, fire, launch.arrival().at())) {
      find(Finding.Kind.UNASKED, launch, "the calendar excludes the fire at " + text(fire));
    }
    if (launch.arrival().clock() < fire || launch.arrival().at() < fire - history.skew()) {
      find(Finding.Kind.EARLY, launch, "sent before " + text(fire));
    }
    judgeTime(launch, fire);
    for (Operation skip : schedule.operations()) {
      if (isSkipped(skip, fire) && isOfOneSpan(skip, wish) && isEarly(skip, wish, fire)) {
        find(Finding.Kind.UNASKED, launch, "the fire at " + text(fire) + " was skipped");
      }
    }
  }

  /**
   * It was due while jobs were made, and it arrived while they were launched, in one and the same
   * life. What is collected may also be due while jobs were kept only.
   */
  private void judgeTime(Launch launch, long due) {
    Wish wish = wish(launch.version());
    List<Span> makes = wish == null || wish.isPlain() ? schedule.spans() : schedule.lives();
    boolean asked =
        makes.stream()
            .filter(span -> span.wish().version() == launch.version())
            .filter(span -> span.mayHold(due, history.skew()))
            .anyMatch(span -> mayArrive(span.life(), launch.arrival().at()));
    if (!asked) {
      find(
          Finding.Kind.AFTER_DELETE,
          launch,
          "due at " + text(due) + ", but its document was not active then or is no more");
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

  private boolean isOfOneSpan(Operation skip, Wish wish) {
    return schedule.spans().stream()
        .anyMatch(
            span ->
                span.wish().version() == wish.version()
                    && span.beginsBy() <= skip.called()
                    && span.endsFrom() >= skip.returned());
  }

  /** A fire that is being counted with others can be skipped before its time only. */
  private static boolean isEarly(Operation skip, Wish wish, long fire) {
    return wish.isPlain() || skip.returned() + 2 * Judge.SKEW < fire;
  }

  private void judgeOnce(Fire fire, List<Launch> launches) {
    Wish wish = wish(fire.version());
    if (wish != null && schedule.mayRecur(wish, fire.at())) {
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
    Wish wish = span.wish();
    boolean exact = wish.isPlain() || wish.join() == Join.ANY;
    if (!wish.hasTimes() || !exact || span.beginsBy() == History.NEVER) {
      return;
    }
    for (long fire : calendar(wish).tailSet(span.beginsBy() + Judge.SKEW, false)) {
      if (fire > span.endsFrom() - Judge.SKEW || fire > history.end()) {
        break;
      }
      long bound = schedule.deadline(history, span.life(), fire, wish);
      if (bound > history.end() || maySkip(fire) || isNoJob(fire, wish)) {
        continue;
      }
      boolean isCounted = skipped.stream().anyMatch(row -> row.covers(wish, fire));
      if (isCounted || exclusions.may(wish, fire, bound)) {
        continue;
      }
      found.required++;
      judgeArrived(fire, bound, byFire.get(new Fire(wish.version(), fire)));
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
   * It has timed out, or went with another job, and might. The clock that had shown the fire may
   * have been ahead, and stepped back behind before its row was made.
   */
  private boolean isNoJob(long fire, Wish wish) {
    return history.rows().stream()
        .filter(row -> row.schedule().equals(schedule.name()))
        .filter(row -> row.began() <= fire && row.began() > fire - 2 * Judge.SKEW)
        .anyMatch(row -> causes.explain(row, wish));
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
                calendar(span.wish()).tailSet(skip.called() - Judge.SKEW, true).stream()
                    .limit(span.wish().excludes() ? Long.MAX_VALUE : MAYBE_SKIPPED)
                    .anyMatch(skipped -> skipped == fire));
  }

  private NavigableSet<Long> calendar(Wish wish) {
    return calendars.computeIfAbsent(
        wish.version(),
        version -> FireCalendar.fires(wish, history.start() - 60_000, history.end() + 60_000));
  }

  private void find(Finding.Kind kind, Launch launch, String what) {
    found.findings.add(new Finding(kind, schedule.name(), launch.arrival().jobId(), what));
  }

  static String text(long instant) {
    return Instant.ofEpochMilli(instant).toString();
  }
}
