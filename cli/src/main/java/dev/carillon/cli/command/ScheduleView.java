package dev.carillon.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.output.Yaml;
import dev.carillon.client.Cancelled;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.StoredSchedule.Suspension;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Shows schedules as text. */
final class ScheduleView {

  private ScheduleView() {}

  static Table<StoredSchedule> table(Times times) {
    return Table.of("NAME", StoredSchedule::name)
        .state("STATE", StoredSchedule::stateName)
        .column("TRIGGER", schedule -> trigger(schedule.document().path("trigger")))
        .column("NEXT FIRE", schedule -> times.text(schedule.nextFire()))
        .wide("PROGRAM", schedule -> text(schedule.document(), "program"))
        .wide("APP", schedule -> text(schedule.document(), "app"))
        .wide("QUEUE", schedule -> schedule.document().path("target").path("queue").asText())
        .wide("UPDATED", schedule -> times.text(schedule.updatedAt()))
        .wide("DESCRIPTION", schedule -> text(schedule.document(), "description"));
  }

  static Card card(StoredSchedule schedule, Times times) {
    return suspension(schedule.suspended(), times)
        .with("Schedule", schedule.namespace() + "/" + schedule.name())
        .state("State", schedule.stateName())
        .with("Next fire", times.text(schedule.nextFire()))
        .with("Generation", schedule.generation())
        .with("Created", times.text(schedule.createdAt()) + " by " + schedule.createdBy())
        .with("Updated", times.text(schedule.updatedAt()))
        .with("Cancelled", cancelled(schedule.cancelled()))
        .with("Document", Yaml.text(schedule.document()));
  }

  private static Card suspension(@Nullable Suspension suspension, Times times) {
    if (suspension == null) {
      return new Card();
    }
    return new Card()
        .with("Suspended", times.text(suspension.at()) + " by " + suspension.by())
        .with("Mode", suspension.modeName())
        .with("Reason", suspension.reason())
        .with("Until", times.text(suspension.until()));
  }

  /** The text about the jobs that a change cancels; empty if it cancels none. */
  static String cancelled(@Nullable Cancelled cancelled) {
    if (cancelled == null || cancelled.equals(new Cancelled(0, 0, false))) {
      return "";
    }
    if (cancelled.equals(new Cancelled(0, 0, true))) {
      return "any waiting jobs (not counted)";
    }
    return "%s%d waiting and %d collecting jobs"
        .formatted(
            cancelled.mayBeMore() ? "at least " : "", cancelled.waiting(), cancelled.collecting());
  }

  /** The same text as the end of a note about the change. */
  static String cancelling(Optional<Cancelled> cancelled) {
    String text = cancelled(cancelled.orElse(null));
    return text.isEmpty() ? "" : "; cancelled " + text;
  }

  /** A trigger in a few words, like {@code cron 0 0 3 * * ?}. */
  static String trigger(JsonNode trigger) {
    String type = trigger.path("type").asText();
    if (trigger.path("triggers").isArray()) {
      return StreamSupport.stream(trigger.path("triggers").spliterator(), false)
          .map(ScheduleView::trigger)
          .collect(Collectors.joining(", ", type + "(", ")"));
    }
    for (String member :
        new String[] {
          "expression", "every", "time", "dataset", "stream", "program", "key", "duration", "period"
        }) {
      if (trigger.has(member)) {
        return type + " " + trigger.path(member).asText();
      }
    }
    return type;
  }

  private static String text(JsonNode document, String member) {
    return Objects.toString(document.path(member).textValue(), "");
  }
}
