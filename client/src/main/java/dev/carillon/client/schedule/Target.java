package dev.carillon.client.schedule;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where launch requests go, and what they say.
 *
 * @param queue an SQS queue's name, with or without the deployment's prefix of target queues, its
 *     URL or its ARN; null if the schedule's pool knows it
 * @param template any JSON; its texts may hold variables like <code>${scheduledFor}</code>
 * @param attributes own message attributes, at most 4, with variables
 * @param groupId the message group, with variables; null for the usual one
 */
public record Target(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String queue,
    JsonNode template,
    Map<String, String> attributes,
    @Nullable String groupId) {

  /** Attributes are kept in order of their names. */
  public Target {
    attributes = attributes == null ? Map.of() : Map.copyOf(attributes);
    template = template.deepCopy();
  }

  /**
   * @param template what {@link Json#tree} makes JSON of: a text, a map, a list, a tree
   */
  public static Target of(String queue, Object template) {
    return new Target(queue, Json.tree(template), Map.of(), null);
  }

  /** Into the schedule's pool. */
  public static Target ofPool(Object template) {
    return new Target(null, Json.tree(template), Map.of(), null);
  }

  public Target withAttribute(String name, String value) {
    Map<String, String> more = new TreeMap<>(attributes);
    more.put(name, value);
    return new Target(queue, template, more, groupId);
  }

  public Target withGroupId(String groupId) {
    return new Target(queue, template, attributes, groupId);
  }
}
