package dev.carillon.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.output.WrongUsage;
import dev.carillon.client.LaunchNow;
import dev.carillon.client.schedule.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a manual launch. */
final class LaunchOptions {

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description =
          "The value of the template's $${payload…}; text that is not JSON is taken as a string.")
  private @Nullable String payload;

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description = "A property that replaces a property of the schedule.")
  private @Nullable Map<String, String> properties;

  @Option(names = "--customer", paramLabel = "NAME", description = "The job's customer.")
  private @Nullable String customer;

  @Option(
      names = "--priority",
      paramLabel = "0-9",
      description = "The job's priority; 0 is the most urgent.")
  private @Nullable Integer priority;

  @Option(
      names = "--ignore-constraints",
      description = "Launch at once, even if constraints do not hold.")
  private boolean ignoreConstraints;

  LaunchOptions() {}

  LaunchNow launch() {
    if (priority != null && (priority < 0 || priority > 9)) {
      throw new WrongUsage("--priority: " + priority + " is not within 0 to 9");
    }
    JsonNode tree = payload == null ? null : json("--payload", payload);
    JsonNode changed = properties == null ? null : Json.tree(properties);
    return new LaunchNow(customer, priority, tree, changed, null, ignoreConstraints);
  }

  /**
   * A JSON value. Text that is not JSON is taken as a string, unless it begins like an object or a
   * list.
   *
   * @param option the name of the option, for the text of a fault
   */
  static JsonNode json(String option, String text) {
    try {
      return Json.read(text, JsonNode.class);
    } catch (IllegalArgumentException noJson) {
      if (text.strip().startsWith("{") || text.strip().startsWith("[")) {
        throw new WrongUsage(
            option + ": '" + text + "' is not JSON; quote its names, and close its brackets",
            noJson);
      }
      return Json.tree(text);
    }
  }
}
