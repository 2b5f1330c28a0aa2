package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Policies.Operation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a manual launch. Null options keep the value of the schedule.
 *
 * @param payload the value that the template can use as <code>${payload.PATH}</code>
 * @param properties properties that override those of the schedule
 * @param ignoreConstraints whether the job launches regardless of its constraints
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LaunchNow(
    @Nullable String customer,
    @Nullable Integer priority,
    @Nullable JsonNode payload,
    @Nullable JsonNode properties,
    @Nullable List<Operation> operations,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean ignoreConstraints) {

  /** A launch with the values of the schedule. */
  public static LaunchNow plain() {
    return new LaunchNow(null, null, null, null, null, false);
  }

  public LaunchNow forCustomer(String customer) {
    return new LaunchNow(customer, priority, payload, properties, operations, ignoreConstraints);
  }

  /**
   * @param priority 0, the most urgent, to 9
   */
  public LaunchNow withPriority(int priority) {
    return new LaunchNow(customer, priority, payload, properties, operations, ignoreConstraints);
  }

  /**
   * @param payload a value that {@link Json#tree} converts to JSON
   */
  public LaunchNow withPayload(Object payload) {
    return new LaunchNow(
        customer, priority, Json.tree(payload), properties, operations, ignoreConstraints);
  }

  public LaunchNow withProperties(Map<String, ?> properties) {
    return new LaunchNow(
        customer, priority, payload, Json.tree(properties), operations, ignoreConstraints);
  }

  public LaunchNow withOperations(List<Operation> operations) {
    return new LaunchNow(customer, priority, payload, properties, operations, ignoreConstraints);
  }

  public LaunchNow ignoringConstraints() {
    return new LaunchNow(customer, priority, payload, properties, operations, true);
  }
}
