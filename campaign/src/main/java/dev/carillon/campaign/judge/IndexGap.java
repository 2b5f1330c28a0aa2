package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.Operation;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Determines which events a schedule can miss although its PUT was answered. This is possible
 * because a later read of the index may come from a copy that does not show the schedule yet. If no
 * schedule is found for an event, the search is repeated. So a schedule misses an event only if
 * other schedules were found for it, or if the event reports the end of a run.
 */
record IndexGap(History history, String schedule) {

  /**
   * @param span a time in which the schedule certainly wanted the event
   */
  boolean mayHide(Span span, Announcement announcement) {
    return history.indexLag() > 0
        && announcement.sent() <= span.beginsBy() + history.indexLag() + history.skew()
        && (isOfProgram(announcement)
            || documentsOfOthers().anyMatch(it -> waitsFor(it, announcement)));
  }

  /**
   * Whether the search for an event's schedules may have come too early to find this schedule. If
   * the schedule has counted the event nevertheless, the search was repeated, or the event was
   * received again because of another schedule. So no instant is known by which this schedule had
   * to count it.
   *
   * @param span a time in which the schedule wanted the event
   */
  boolean mayPrecede(Announcement announcement, Span span) {
    return span.beginsBy() == History.NEVER
        || announcement.sent() <= span.beginsBy() + history.indexLag() + history.skew();
  }

  private static boolean isOfProgram(Announcement announcement) {
    Fact fact = announcement.fact();
    return fact != null && fact.key().startsWith("program:");
  }

  private Stream<ScheduleSpec> documentsOfOthers() {
    Stream<ScheduleSpec> ofUsers =
        history.operations().stream()
            .filter(operation -> !operation.schedule().equals(schedule))
            .map(Operation::spec)
            .filter(Objects::nonNull);
    Stream<ScheduleSpec> ofApp =
        history.deployments().stream()
            .flatMap(attempt -> attempt.documents().entrySet().stream())
            .filter(document -> !document.getKey().equals(schedule))
            .map(document -> document.getValue());
    return Stream.concat(ofUsers, ofApp);
  }

  private static boolean waitsFor(ScheduleSpec spec, Announcement announcement) {
    Condition condition = spec.condition();
    return spec.leafOf(announcement.dataset()) >= 0
        || (condition != null && condition.isKeyOf(announcement));
  }
}
