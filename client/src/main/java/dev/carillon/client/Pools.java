package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Transport.Call;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls to the API for the pools of a namespace. */
public final class Pools {

  private final Transport transport;
  private final String root;

  Pools(Transport transport, String root) {
    this.transport = transport;
    this.root = root + "/pools";
  }

  /**
   * Creates or replaces a pool. A change takes effect at the next choice.
   *
   * @param document the definition in the form of the API
   */
  public Pool put(String name, JsonNode document) {
    return put(name, document, Map.of());
  }

  /**
   * Creates a pool.
   *
   * @throws CarillonException.Stale if a pool of this name exists
   */
  public Pool create(String name, JsonNode document) {
    return put(name, document, Map.of("If-None-Match", "*"));
  }

  /** Returns what {@link #put(String, JsonNode)} would answer, and stores nothing. */
  public Pool compare(String name, JsonNode document) {
    Map<String, @Nullable String> query = Map.of("dryRun", "true");
    return transport.send(new Call("PUT", path(name), query, Map.of(), document), Pool.class);
  }

  /**
   * Replaces a pool if it was not changed since it was read.
   *
   * @param etag the value of {@link Pool#etag}
   * @throws CarillonException.Stale if it was changed
   */
  public Pool replace(String name, JsonNode document, String etag) {
    return put(name, document, Map.of("If-Match", etag));
  }

  private Pool put(String name, JsonNode document, Map<String, String> headers) {
    return transport.send(new Call("PUT", path(name), Map.of(), headers, document), Pool.class);
  }

  /** The pool with its status. */
  public Pool pool(String name) {
    return transport.send(new Call("GET", path(name), null), Pool.class);
  }

  /**
   * One page of the pools, by name.
   *
   * @param limit 1 to 1,000
   * @param next the value of {@code next} in the previous page; null for the first page
   */
  public Page<Pool> list(int limit, @Nullable String next) {
    Map<String, @Nullable String> query = new HashMap<>();
    query.put("limit", Integer.toString(limit));
    query.put("next", next);
    return transport.send(
        new Call("GET", root, query, Map.of(), null), Page.of("pools", Pool.class));
  }

  /**
   * Deletes a pool.
   *
   * @throws CarillonException.Conflict if schedules name it
   */
  public void delete(String name) {
    transport.send(new Call("DELETE", path(name), null), JsonNode.class);
  }

  private String path(String name) {
    return root + "/" + NameForm.OBJECT.segment(name);
  }
}
