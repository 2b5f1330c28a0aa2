package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Members.Effect;
import dev.carillon.app.App;
import dev.carillon.app.App.Lease;
import dev.carillon.document.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The JSON form of an app. */
final class AppView {

  private AppView() {}

  static ObjectNode of(App app, Collection<String> schedules) {
    ObjectNode view =
        Json.object().put("namespace", app.id().namespace()).put("name", app.id().name());
    addAll(view, "programs", app.programs());
    addAll(view, "schedules", schedules);
    view.put("deployedAt", ScheduleView.text(app.deployedAt()));
    view.put("deployedBy", app.deployedBy());
    Lease lease = app.deploying();
    if (lease == null) {
      return view.putNull("deploying");
    }
    view.putObject("deploying")
        .put("by", lease.by())
        .put("since", ScheduleView.text(lease.since()))
        .put("until", ScheduleView.text(lease.until()));
    return view;
  }

  /**
   * The names of the schedules that a deployment creates, replaces, deletes and leaves unchanged.
   */
  static ObjectNode difference(Map<String, Effect> effects) {
    ObjectNode difference = Json.object();
    addAll(difference, "created", names(effects, Effect.CREATED));
    addAll(difference, "replaced", names(effects, Effect.REPLACED));
    addAll(difference, "deleted", names(effects, Effect.DELETED));
    addAll(difference, "unchanged", names(effects, Effect.UNCHANGED, Effect.SELF_DELETED));
    return difference;
  }

  /** The names of the schedules with one of the wanted effects, in order. */
  static List<String> names(Map<String, Effect> effects, Effect... wanted) {
    Set<Effect> among = Set.of(wanted);
    return effects.entrySet().stream()
        .filter(entry -> among.contains(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static void addAll(ObjectNode object, String name, Collection<String> texts) {
    texts.forEach(object.putArray(name)::add);
  }
}
