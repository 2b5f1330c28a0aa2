package dev.carillon.bench.harness;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints results as they are added: as a table, or as one JSON object per line. */
public final class Results {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
  private static final double DECIMALS = 1_000;
  private static final int NARROWEST = 10;

  private final PrintWriter out;
  private final boolean json;
  private List<String> header = List.of();

  public Results(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /**
   * @param line a record; its components are the columns, and null components are left out
   * @throws CannotRun if a number is not finite, because something was divided by zero
   */
  public void add(Record line) {
    ObjectNode fields = rounded(MAPPER.valueToTree(line));
    out.println(json ? fields.toString() : row(fields));
    out.flush();
  }

  private static ObjectNode rounded(ObjectNode fields) {
    for (var field : fields.properties()) {
      if (field.getValue().isDouble()) {
        double value = field.getValue().doubleValue();
        if (!Double.isFinite(value)) {
          throw new CannotRun("there is no value of " + field.getKey() + ": " + value);
        }
        field.setValue(DoubleNode.valueOf(Math.round(value * DECIMALS) / DECIMALS));
      }
    }
    return fields;
  }

  private String row(ObjectNode fields) {
    List<String> names = new ArrayList<>();
    fields.fieldNames().forEachRemaining(names::add);
    StringBuilder row = new StringBuilder();
    if (!names.equals(header)) {
      header = names;
      names.forEach(name -> row.append(cell(name, width(name))));
      row.append(System.lineSeparator());
    }
    fields.properties().forEach(f -> row.append(cell(text(f.getValue()), width(f.getKey()))));
    return row.toString();
  }

  private static int width(String name) {
    return Math.max(NARROWEST, name.length());
  }

  private static String cell(String text, int width) {
    return String.format(Locale.ROOT, "  %" + width + "s", text);
  }

  private static String text(JsonNode value) {
    return value.isDouble()
        ? String.format(Locale.ROOT, "%,.3f", value.doubleValue())
        : value.asText();
  }
}
