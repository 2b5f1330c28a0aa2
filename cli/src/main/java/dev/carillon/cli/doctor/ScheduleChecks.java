package dev.carillon.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Namespace;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.StoredSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the schedules of a namespace. */
final class ScheduleChecks {

  private static final Set<String> TIME_TRIGGERS = Set.of("cron", "rate", "at");

  /** Repairs take up to three minutes on AWS. */
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(3);

  private static final int MOST_NAMED = 5;

  private final Namespace namespace;
  private final Instant now;

  ScheduleChecks(Namespace namespace, Instant now) {
    this.namespace = namespace;
    this.now = now;
  }

  List<Finding> examine() {
    List<StoredSchedule> broken = namespace.schedules(ScheduleFilter.all().broken()).toList();
    List<StoredSchedule> active =
        namespace
            .schedules(ScheduleFilter.all().withState(StoredSchedule.State.ACTIVE))
            .filter(schedule -> isPlainTime(schedule.document().path("trigger")))
            .toList();
    return List.of(
        finding(
            "broken schedules",
            broken,
            "they wait for a program that no schedule launches; mend the program's name, unless its"
                + " events come from outside"),
        finding(
            "never firing",
            such(active, schedule -> schedule.nextFire() == null),
            "they are ACTIVE and have no next fire; see 'schedules explain', change the trigger or"
                + " the calendars that it excludes"),
        finding(
            "late schedules",
            such(active, schedule -> isLate(schedule.nextFire())),
            "their next fire has passed, so their timers are missing; see 'status', and store them"
                + " again"));
  }

  private static List<StoredSchedule> such(
      List<StoredSchedule> all, Predicate<StoredSchedule> condition) {
    return all.stream().filter(condition).toList();
  }

  private boolean isLate(@Nullable Instant nextFire) {
    return nextFire != null && nextFire.plus(LONGEST_DELAY).isBefore(now);
  }

  private static boolean isPlainTime(JsonNode trigger) {
    return TIME_TRIGGERS.contains(trigger.path("type").asText());
  }

  private static Finding finding(String check, List<StoredSchedule> found, String remedy) {
    if (found.isEmpty()) {
      return Finding.ok(check, "none");
    }
    String names =
        found.stream()
            .limit(MOST_NAMED)
            .map(StoredSchedule::name)
            .collect(Collectors.joining(", ", "", found.size() > MOST_NAMED ? ", …" : ""));
    return Finding.wrong(check, found.size() + ": " + names, remedy);
  }
}
