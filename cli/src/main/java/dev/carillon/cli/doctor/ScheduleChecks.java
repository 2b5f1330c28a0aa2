package dev.carillon.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Namespace;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.StoredSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the schedules of a namespace. */
final class ScheduleChecks {

  private static final Set<String> TIME_TRIGGERS = Set.of("cron", "rate", "at");

  /**
   * A launch with a delay up to this length is not taken for a fault: repairs take up to three
   * minutes on AWS.
   */
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(3);

  static final int MOST_NAMED = 5;

  /** How many schedules are examined at most, because each of them takes two requests. */
  private static final int MOST_EXAMINED = 500;

  private final Namespace namespace;
  private final Instant now;
  private final @Nullable Duration age;
  private final Consumer<Duration> pause;

  /**
   * @param age how long due fires may have been waiting because of late ticks and other due fires;
   *     null if there are no ticks
   * @param pause waits before a request that was throttled is sent again
   */
  ScheduleChecks(
      Namespace namespace, Instant now, @Nullable Duration age, Consumer<Duration> pause) {
    this.namespace = namespace;
    this.now = now;
    this.age = age;
    this.pause = pause;
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
            "they wait for a program that no schedule launches; correct the program's name,"
                + " unless its events come from outside"),
        finding(
            "never firing",
            such(active, schedule -> schedule.nextFire() == null),
            "they are ACTIVE and have no next fire; see 'schedules explain', change the trigger or"
                + " the calendars that it excludes"),
        missingTimers(active),
        new MissingQueues(namespace).examine());
  }

  private Finding missingTimers(List<StoredSchedule> active) {
    if (age == null) {
      return Finding.ok("timers missing", "not examined, because there are no ticks");
    }
    Instant to = now.minus(age).minus(LONGEST_DELAY);
    MissingTimers missing = new MissingTimers(namespace, now, to, pause);
    List<StoredSchedule> examined = active.stream().limit(MOST_EXAMINED).toList();
    Finding found =
        finding(
            "timers missing",
            such(examined, missing::concerns),
            "a fire has no job, so their timers are missing; apply them again with a change, or"
                + " suspend and resume them");
    return found.isWrong() || examined.size() == active.size()
        ? found
        : Finding.ok("timers missing", "none of the first " + MOST_EXAMINED);
  }

  private static List<StoredSchedule> such(
      List<StoredSchedule> all, Predicate<StoredSchedule> condition) {
    return all.stream().filter(condition).toList();
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
