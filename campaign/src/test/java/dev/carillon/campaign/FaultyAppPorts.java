package dev.carillon.campaign;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.engine.Unavailable;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.trigger.Trigger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Faulty ports for apps and calendars. */
final class FaultyAppPorts {

  private FaultyAppPorts() {}

  static Schedules withoutCalendarUsers(Schedules real) {
    String calendar = Trigger.calendarKey(Scenario.CALENDAR);
    return Around.of(Schedules.class, real)
        .replace("withEventKey", arguments -> withEventKey(real, calendar, arguments))
        .port();
  }

  /** Answers both forms of the method. */
  private static Object withEventKey(Schedules real, String hidden, Object[] arguments) {
    String namespace = (String) arguments[0];
    String key = (String) arguments[1];
    if (arguments.length == 2) {
      return key.equals(hidden) ? Set.of() : real.withEventKey(namespace, key);
    }
    return key.equals(hidden)
        ? new Page<ScheduleId>(List.of(), null)
        : real.withEventKey(namespace, key, (String) arguments[2]);
  }

  /** Acknowledges deletions of an app's schedules without making them. */
  static Schedules keepingDroppedMembers(Schedules real) {
    return Around.of(Schedules.class, real)
        .replace(
            "save",
            arguments -> {
              Change change = (Change) arguments[0];
              boolean drops = isOfApp(change) && change.definition() == null;
              return drops || real.save(change);
            })
        .port();
  }

  /** Hides failures to store an app's schedules. */
  static Schedules hidingMemberFailures(Schedules real) {
    return Around.of(Schedules.class, real)
        .replace(
            "save",
            arguments -> {
              Change change = (Change) arguments[0];
              try {
                return real.save(change);
              } catch (Unavailable failed) {
                if (isOfApp(change)) {
                  return true;
                }
                throw failed;
              }
            })
        .port();
  }

  private static boolean isOfApp(Change change) {
    return change.after().app() != null;
  }

  /** An app store that ignores leases. */
  static Apps withoutLeases(Apps real) {
    return new Apps() {
      @Override
      public Optional<App> find(AppId id) {
        return real.find(id).map(App::released);
      }

      @Override
      public boolean save(@Nullable App before, App after) {
        return real.save(real.find(after.id()).orElse(null), after);
      }

      @Override
      public boolean delete(App stored) {
        return real.find(stored.id()).map(real::delete).orElse(true);
      }
    };
  }
}
