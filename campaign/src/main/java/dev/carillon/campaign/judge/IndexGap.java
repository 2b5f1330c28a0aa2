package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.Operation;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Determines which events a schedule can miss although its PUT was answered. This is possible
 * because a later read of the index may come from a copy that does not show the schedule yet. If no
 * schedule is found for an event, the search is repeated. So an event that misses a schedule has
 * found other schedules, or reports the end of a run.
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
   * Whether an event may have been searched for before the schedule was found. If the schedule has
   * counted the event nevertheless, the search was repeated, or another schedule had the event
   * received again. So no instant is known by which it had to be counted.
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
