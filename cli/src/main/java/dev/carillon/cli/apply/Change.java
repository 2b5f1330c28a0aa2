package dev.carillon.cli.apply;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change of one schedule or pool.
 *
 * @param fields the values that differ; empty unless the document is replaced
 * @param source the document to store; null for a deletion
 * @param etag the ETag of the stored version; null for a creation
 * @param note why a schedule that is not stored is not created; null for any other change
 */
public record Change(
    Action action,
    Kind kind,
    String namespace,
    String name,
    List<Field> fields,
    @JsonIgnore @Nullable SourceDocument source,
    @JsonIgnore @Nullable String etag,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String note) {

  /** The kinds of changes. */
  public enum Action {
    create,
    replace,
    delete,
    unchanged
  }

  /**
   * A value that differs.
   *
   * @param from the stored value; null for none
   * @param to the value to store; null for none
   */
  public record Field(String pointer, @Nullable JsonNode from, @Nullable JsonNode to) {

    @Override
    public String toString() {
      return pointer + ": " + text(from) + " -> " + text(to);
    }

    private static String text(@Nullable JsonNode value) {
      return value == null ? "(none)" : value.toString();
    }
  }

  /** The id in the form {@code namespace/name}. */
  public String id() {
    return kind.id(namespace, name);
  }
}
