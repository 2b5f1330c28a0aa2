package dev.carillon.cli.apply;

import dev.carillon.cli.apply.Change.Action;
import dev.carillon.cli.output.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Ansi.Text;

/**
 * The changes that make the stored documents equal the files.
 *
 * @param unplanned the documents that the server could not compare with the stored ones, with the
 *     server's reasons
 */
public record Plan(List<Change> changes, List<LocatedFault> unplanned) {

  private static final Map<Action, String> SIGNS =
      Map.of(Action.create, "+", Action.replace, "~", Action.delete, "-", Action.unchanged, "=");

  /** The changes except those without an effect. */
  public List<Change> effective() {
    return changes.stream().filter(change -> change.action() != Action.unchanged).toList();
  }

  private long count(Action action) {
    return changes.stream().filter(change -> change.action() == action).count();
  }

  /**
   * The numbers of changes as text, like {@code 2 to create, 1 to replace, 0 to delete, 5
   * unchanged}.
   */
  public String summary() {
    return "%d to create, %d to replace, %d to delete, %d unchanged"
        .formatted(
            count(Action.create),
            count(Action.replace),
            count(Action.delete),
            count(Action.unchanged));
  }

  /** The changes as text, with a line for each document and each value that differs. */
  public List<Text> text(Style style) {
    List<Text> lines = new ArrayList<>();
    for (Change change : effective()) {
      lines.add(
          style
              .text(SIGNS.get(change.action()) + " ")
              .concat(style.coloured(change.action().name()))
              .concat(style.text(" " + change.id())));
      change.fields().forEach(field -> lines.add(style.text("    " + field)));
    }
    return lines;
  }
}
