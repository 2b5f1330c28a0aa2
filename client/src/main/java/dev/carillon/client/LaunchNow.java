package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Policies.Operation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a job is launched by hand. What is null stays as the schedule says.
 *
 * @param payload what the template can name as <code>${payload.PATH}</code>
 * @param properties are put over the schedule's
 * @param ignoreConstraints whether it launches whatever constraints say
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LaunchNow(
    @Nullable String customer,
    @Nullable Integer priority,
    @Nullable JsonNode payload,
    @Nullable JsonNode properties,
    @Nullable List<Operation> operations,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean ignoreConstraints) {

  /** As the schedule says. */
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
   * @param payload what {@link Json#tree} makes JSON of
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
