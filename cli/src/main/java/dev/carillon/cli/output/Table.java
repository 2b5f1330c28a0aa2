package dev.carillon.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Help.Ansi.Text;

/**
 * The columns that show values of a type. The first one is the name. There are no streams here, and
 * no lambdas with texts: the JVM takes milliseconds to load the former, and does not archive
 * lambdas with types of old class files.
 */
public final class Table<T> {

  private static final int GAP = 2;
  private static final int NARROWEST = 8;

  private final List<Cells<T>> columns;

  private Table(List<Cells<T>> columns) {
    this.columns = columns;
  }

  /**
   * @param wide whether only wide tables have this column
   * @param coloured whether the words in this column are states
   */
  private record Cells<T>(String title, boolean wide, boolean coloured, Function<T, String> cell) {

    Text text(T item, Style style) {
      String text = cell.apply(item);
      return coloured ? style.coloured(text) : style.text(text.replaceAll("\\s+", " "));
    }
  }

  /** A table with the column of names. */
  public static <T> Table<T> of(String title, Function<T, String> name) {
    return new Table<T>(List.of()).with(title, false, false, name);
  }

  /** This table with another column. */
  public Table<T> column(String title, Function<T, String> cell) {
    return with(title, false, false, cell);
  }

  /** This table with another column of states. */
  public Table<T> state(String title, Function<T, String> cell) {
    return with(title, false, true, cell);
  }

  /** This table with another column for wide tables. */
  public Table<T> wide(String title, Function<T, String> cell) {
    return with(title, true, false, cell);
  }

  private Table<T> with(String title, boolean wide, boolean coloured, Function<T, String> cell) {
    List<Cells<T>> more = new ArrayList<>(columns);
    more.add(new Cells<>(title, wide, coloured, cell));
    return new Table<>(more);
  }

  String name(T item) {
    return columns.get(0).cell().apply(item);
  }

  /** The table as text. Wide tables are never cut. */
  String text(List<T> items, boolean wide, Style style) {
    List<List<Text>> rows = rows(shown(wide), items, style);
    int[] widths = widths(rows, wide ? 0 : style.width());
    StringBuilder table = new StringBuilder();
    for (List<Text> row : rows) {
      table.append(line(row, widths)).append(System.lineSeparator());
    }
    return table.toString();
  }

  private List<Cells<T>> shown(boolean wide) {
    List<Cells<T>> shown = new ArrayList<>();
    for (Cells<T> column : columns) {
      if (wide || !column.wide()) {
        shown.add(column);
      }
    }
    return shown;
  }

  /** The titles and the cells of the items. */
  private static <T> List<List<Text>> rows(List<Cells<T>> shown, List<T> items, Style style) {
    List<List<Text>> rows = new ArrayList<>();
    List<Text> titles = new ArrayList<>();
    for (Cells<T> column : shown) {
      titles.add(style.text(column.title()));
    }
    rows.add(titles);
    for (T item : items) {
      List<Text> cells = new ArrayList<>();
      for (Cells<T> column : shown) {
        cells.add(column.text(item, style));
      }
      rows.add(cells);
    }
    return rows;
  }

  /**
   * The widths of the columns with their gaps. If the screen has too little room, the widest
   * columns shrink.
   */
  private static int[] widths(List<List<Text>> rows, int room) {
    int[] widths = new int[rows.get(0).size()];
    int sum = 0;
    for (int i = 0; i < widths.length; i++) {
      for (List<Text> row : rows) {
        widths[i] = Math.max(widths[i], GAP + length(row.get(i)));
      }
      sum += widths[i];
    }
    for (; room > 0 && sum > room; sum--) {
      int widest = widest(widths);
      if (widths[widest] <= NARROWEST) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  /** The first of the widest columns. */
  private static int widest(int[] widths) {
    int widest = 0;
    for (int i = 1; i < widths.length; i++) {
      widest = widths[i] > widths[widest] ? i : widest;
    }
    return widest;
  }

  /**
   * A row as text. The tables of picocli count the characters of a cell, but a wide character takes
   * two columns of the screen, so the row is filled up here.
   */
  private static String line(List<Text> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      Text cell = cut(row.get(i), widths[i] - GAP);
      line.append(cell).append(" ".repeat(widths[i] - length(cell)));
    }
    return line.toString().stripTrailing();
  }

  /**
   * The beginning of a cell that needs more columns than there are. It ends between two characters.
   */
  private static Text cut(Text cell, int most) {
    if (length(cell) <= most) {
      return cell;
    }
    String text = cell.plainString();
    int end = 0;
    int next = 0;
    while (cell.getCJKAdjustedLength(0, next) < most) {
      end = next;
      next = text.offsetByCodePoints(end, 1);
    }
    return cell.substring(0, end).concat("…");
  }

  /** The number of columns of the screen. */
  private static int length(Text text) {
    return text.getCJKAdjustedLength();
  }
}
