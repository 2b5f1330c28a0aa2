package dev.carillon.campaign;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.campaign.Doubles.Around;
import dev.carillon.campaign.engine.Unavailable;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.id.AppId;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.trigger.Trigger;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores that do not do what they should for apps and calendars. */
final class AppDoubles {

  private AppDoubles() {}

  static Schedules withoutCalendarUsers(Schedules real) {
    String calendar = Trigger.calendarKey(Scenario.CALENDAR);
    return Around.of(Schedules.class, real)
        .replace(
            "withEventKey",
            arguments ->
                calendar.equals(arguments[1])
                    ? Set.of()
                    : real.withEventKey((String) arguments[0], (String) arguments[1]))
        .port();
  }

  /** Deletions of an app's schedules are only acknowledged. */
  static Schedules keepingMembers(Schedules real) {
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

  /** What goes wrong while an app's schedule is stored is not told. */
  static Schedules forgivingMembers(Schedules real) {
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

  /** Apps that nobody has alone. */
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
