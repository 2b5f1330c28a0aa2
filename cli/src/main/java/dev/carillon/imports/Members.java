package dev.carillon.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of an object in a source. This class records which of them were read. */
public final class Members {

  private final String path;
  private final JsonNode object;
  private final Set<String> unread = new LinkedHashSet<>();

  private Members(String path, JsonNode object) {
    this.path = path;
    this.object = object;
    object
        .properties()
        .forEach(
            member -> {
              if (!member.getValue().isNull()) {
                unread.add(member.getKey());
              }
            });
  }

  /** The members of an object; none for any other value. */
  public static Members of(JsonNode object) {
    return new Members("", object);
  }

  /**
   * Makes no notes about the members of these names, because they have no meaning for a schedule.
   */
  public Members ignoring(List<String> names) {
    names.forEach(unread::remove);
    return this;
  }

  /** The member; the missing node if there is none. */
  public JsonNode get(String name) {
    unread.remove(name);
    JsonNode value = object.path(name);
    return value.isNull() ? Json.object().path(name) : value;
  }

  public boolean has(String name) {
    return object.hasNonNull(name);
  }

  /** A text or a number as text; null if it is missing. */
  public @Nullable String text(String name) {
    JsonNode value = get(name);
    if (value.isMissingNode()) {
      return null;
    }
    if (!value.isValueNode()) {
      throw new NotCarried(path + name + " is not a text");
    }
    return value.asText();
  }

  /**
   * A required text.
   *
   * @throws NotCarried if it is missing or empty
   */
  public String required(String name) {
    String text = text(name);
    if (text == null || text.isBlank()) {
      throw new NotCarried(path + name + " is missing");
    }
    return text;
  }

  /**
   * A whole number; null if it is missing.
   *
   * @throws NotCarried if it is anything else
   */
  public @Nullable Long whole(String name) {
    JsonNode value = get(name);
    if (value.isMissingNode()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new NotCarried(path + name + " is not a whole number: " + value);
    }
    return value.longValue();
  }

  /** Whether the member is true. */
  public boolean isTrue(String name) {
    JsonNode value = get(name);
    return value.asBoolean(false);
  }

  /** The members of the object under a name; none if it is missing. */
  public Members object(String name) {
    JsonNode value = get(name);
    return new Members(path + name + ".", value instanceof ObjectNode ? value : Json.object());
  }

  /** Adds a note about each member that was never read. */
  public void noteUnread(Draft draft) {
    unread.forEach(name -> draft.note(path + name + " has no equivalent"));
  }
}
