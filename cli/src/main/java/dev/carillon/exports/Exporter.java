package dev.carillon.exports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Namespace;
import dev.carillon.client.Page;
import dev.carillon.client.ResourceGauge;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.schedule.Json;
import dev.carillon.exports.Entry.Kind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads all objects of a namespace that the API lists, page by page. */
public final class Exporter {

  private static final int PAGE = 1_000;

  private final CarillonClient client;
  private final Consumer<Entry> sink;

  /**
   * @param sink receives each entry; the entry of an app comes after the schedules that name the
   *     app
   */
  public Exporter(CarillonClient client, Consumer<Entry> sink) {
    this.client = client;
    this.sink = sink;
  }

  /** One page of a list. */
  @FunctionalInterface
  private interface Pages<T> {
    Page<T> after(@Nullable String next);
  }

  public void export(String name) {
    Namespace namespace = client.namespace(name);
    each(
        next -> namespace.calendars().list(PAGE, next),
        it -> sink.accept(Entry.calendar(name, it.name(), (ObjectNode) it.document())));
    each(next -> namespace.resources(PAGE, next), it -> sink.accept(resource(name, it)));
    each(
        next -> namespace.pools().list(PAGE, next),
        it -> sink.accept(Entry.pool(name, it.name(), (ObjectNode) it.document())));
    Set<String> apps = new TreeSet<>();
    each(
        next -> namespace.schedules(ScheduleFilter.all(), PAGE, next),
        stored -> {
          String app = stored.schedule().app();
          if (app != null) {
            apps.add(app);
          }
          sink.accept(schedule(name, stored));
        });
    apps.forEach(app -> export(namespace, name, app));
  }

  private static <T> void each(Pages<T> pages, Consumer<T> consumer) {
    String next = null;
    do {
      Page<T> page = pages.after(next);
      page.items().forEach(consumer);
      next = page.next();
    } while (next != null);
  }

  private void export(Namespace namespace, String name, String app) {
    try {
      ObjectNode document = Json.object();
      document.set("programs", Json.tree(namespace.app(app).programs()));
      sink.accept(new Entry(Kind.APP, name, app, document, null));
    } catch (CarillonException.NotFound undeployed) {
      // The schedule names an app that was never deployed.
    }
  }

  /**
   * Gives each rate that has no anchor the instant from which it counts. Without it, the rate would
   * count from the import, and fire at other times.
   */
  private static void anchor(JsonNode trigger, Instant since) {
    if (trigger instanceof ObjectNode rate
        && rate.path("type").asText().equals("rate")
        && !rate.has("anchor")) {
      ObjectNode given = rate.deepCopy();
      // The order of a stored document, so that exports of equal schedules are equal texts.
      String anchor = since.truncatedTo(ChronoUnit.MILLIS).toString();
      rate.retain("type", "every").put("anchor", anchor).setAll(given);
    }
    trigger.path("triggers").forEach(each -> anchor(each, since));
  }

  private static Entry resource(String namespace, ResourceGauge gauge) {
    ObjectNode document = Json.object().put("value", gauge.value());
    document.put("expiresAt", gauge.expiresAt() == null ? null : gauge.expiresAt().toString());
    return new Entry(Kind.RESOURCE, namespace, gauge.name(), document, null);
  }

  private static Entry schedule(String namespace, StoredSchedule stored) {
    ObjectNode document = stored.schedule().document().put("state", stored.stateName());
    anchor(document.path("trigger"), stored.generationSince());
    StoredSchedule.Suspension suspended = stored.suspended();
    if (suspended == null) {
      return Entry.schedule(namespace, stored.name(), document);
    }
    ObjectNode how = Json.object().put("mode", suspended.modeName());
    how.put("reason", suspended.reason());
    how.put("until", suspended.until() == null ? null : suspended.until().toString());
    return new Entry(Kind.SCHEDULE, namespace, stored.name(), document, how);
  }
}
