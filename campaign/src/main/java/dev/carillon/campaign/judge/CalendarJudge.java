package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Removal;
import dev.carillon.campaign.judge.Judge.Schedule;
import java.util.List;
import java.util.stream.Stream;

/** Judges the deletions of the calendar: refused while a document excludes it, and only then. */
final class CalendarJudge {

  /** Milliseconds for which an index may show what is not there any more. */
  private static final long INDEX_LAG = 5_000;

  private final List<Schedule> schedules;
  private final List<Finding> findings;

  CalendarJudge(List<Schedule> schedules, List<Finding> findings) {
    this.schedules = schedules;
    this.findings = findings;
  }

  void judge(Removal removal) {
    if (removal.done() && excluding().anyMatch(span -> isCertain(span, removal))) {
      find(Finding.Kind.UNASKED, "the calendar was deleted although a schedule excludes it");
    }
    if (!removal.done() && excluding().noneMatch(span -> mayBe(span, removal))) {
      find(Finding.Kind.LOST, "the deletion of a calendar that nobody excludes was refused");
    }
  }

  private Stream<Span> excluding() {
    return schedules.stream()
        .flatMap(schedule -> schedule.documents().stream())
        .filter(span -> span.wish().namesCalendar());
  }

  private static boolean isCertain(Span span, Removal removal) {
    return span.beginsBy() < removal.called() && span.endsFrom() > removal.returned();
  }

  private static boolean mayBe(Span span, Removal removal) {
    return span.beginsFrom() <= removal.returned()
        && (span.endsBy() == History.NEVER || span.endsBy() + INDEX_LAG >= removal.called());
  }

  private void find(Finding.Kind kind, String what) {
    findings.add(new Finding(kind, "-", null, what));
  }
}
