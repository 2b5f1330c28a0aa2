package dev.carillon.client.schedule;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The target of launch requests or of callbacks, and their content.
 *
 * @param queue the name, URL or ARN of an SQS queue; the name can omit the deployment's prefix for
 *     target queues. Null if the schedule's pool defines the queue
 * @param template any JSON; its strings may contain variables like <code>${scheduledFor}</code>
 * @param attributes additional message attributes, at most 4, with variables
 * @param groupId the message group, with variables; null for the default
 */
public record Target(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String queue,
    JsonNode template,
    Map<String, String> attributes,
    @Nullable String groupId) {

  /** Sorts the attributes by name. */
  public Target {
    attributes = attributes == null ? Map.of() : Map.copyOf(attributes);
    template = template.deepCopy();
  }

  /**
   * @param template a value that {@link Json#tree} converts to JSON: a string, a map, a list or a
   *     tree
   */
  public static Target of(String queue, Object template) {
    return new Target(queue, Json.tree(template), Map.of(), null);
  }

  /** A target whose queue the schedule's pool defines. */
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
