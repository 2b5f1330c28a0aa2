package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Transport.Call;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls to the API for the calendars of a namespace. */
public final class Calendars {

  private final Transport transport;
  private final String root;

  Calendars(Transport transport, String root) {
    this.transport = transport;
    this.root = root + "/calendars";
  }

  /**
   * Creates or replaces a calendar. The change applies to all fires that are due after the answer.
   *
   * @param document the calendar in the form of the API
   */
  public Calendar put(String name, JsonNode document) {
    return put(name, document, Map.of());
  }

  /**
   * Creates a calendar.
   *
   * @throws CarillonException.Stale if a calendar of this name exists
   */
  public Calendar create(String name, JsonNode document) {
    return put(name, document, Map.of("If-None-Match", "*"));
  }

  /** Returns the answer that {@link #put(String, JsonNode)} would get, and stores nothing. */
  public Calendar compare(String name, JsonNode document) {
    Map<String, @Nullable String> query = Map.of("dryRun", "true");
    return transport.send(new Call("PUT", path(name), query, Map.of(), document), Calendar.class);
  }

  /**
   * Replaces a calendar if it was not changed since it was read.
   *
   * @param etag the value of {@link Calendar#etag}
   * @throws CarillonException.Stale if it was changed
   */
  public Calendar replace(String name, JsonNode document, String etag) {
    return put(name, document, Map.of("If-Match", etag));
  }

  private Calendar put(String name, JsonNode document, Map<String, String> headers) {
    return transport.send(new Call("PUT", path(name), Map.of(), headers, document), Calendar.class);
  }

  public Calendar calendar(String name) {
    return transport.send(new Call("GET", path(name), null), Calendar.class);
  }

  /**
   * One page of the calendars, by name.
   *
   * @param limit 1 to 1,000
   * @param next the value of {@code next} in the previous page; null for the first page
   */
  public Page<Calendar> list(int limit, @Nullable String next) {
    Map<String, @Nullable String> query = new HashMap<>();
    query.put("limit", Integer.toString(limit));
    query.put("next", next);
    return transport.send(
        new Call("GET", root, query, Map.of(), null), Page.of("calendars", Calendar.class));
  }

  /**
   * Deletes a calendar.
   *
   * @throws CarillonException.Conflict if schedules use it
   */
  public void delete(String name) {
    transport.send(new Call("DELETE", path(name), null), JsonNode.class);
  }

  private String path(String name) {
    return root + "/" + NameForm.OBJECT.segment(name);
  }
}
