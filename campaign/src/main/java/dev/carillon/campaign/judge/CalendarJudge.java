package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.CalendarDeletion;
import java.util.List;
import java.util.stream.Stream;

/**
 * Judges the deletions of the calendar: a deletion must be refused if, and only if, a document
 * names the calendar.
 */
final class CalendarJudge {

  /** Milliseconds for which an index may show an entry that was deleted. */
  private static final long INDEX_LAG = 5_000;

  private final List<Schedule> schedules;
  private final long indexLag;
  private final List<Finding> findings;

  /**
   * @param indexLag see {@link History}
   */
  CalendarJudge(List<Schedule> schedules, long indexLag, List<Finding> findings) {
    this.schedules = schedules;
    this.indexLag = indexLag;
    this.findings = findings;
  }

  void judge(CalendarDeletion deletion) {
    if (deletion.done() && excluding().anyMatch(span -> isCertain(span, deletion))) {
      find(Finding.Kind.UNASKED, "the calendar was deleted although a schedule names it");
    }
    if (!deletion.done() && excluding().noneMatch(span -> mayBe(span, deletion))) {
      find(
          Finding.Kind.LOST,
          "the deletion of the calendar was refused although no schedule names it");
    }
  }

  private Stream<Span> excluding() {
    return schedules.stream()
        .flatMap(schedule -> schedule.documents().stream())
        .filter(span -> span.spec().namesCalendar());
  }

  private boolean isCertain(Span span, CalendarDeletion deletion) {
    return span.beginsBy() < deletion.called() - indexLag && span.endsFrom() > deletion.returned();
  }

  private static boolean mayBe(Span span, CalendarDeletion deletion) {
    return span.beginsFrom() <= deletion.returned()
        && (span.endsBy() == History.NEVER || span.endsBy() + INDEX_LAG >= deletion.called());
  }

  private void find(Finding.Kind kind, String what) {
    findings.add(new Finding(kind, "-", null, what));
  }
}
