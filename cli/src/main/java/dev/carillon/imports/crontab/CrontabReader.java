package dev.carillon.imports.crontab;

import dev.carillon.imports.Conversion;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcome.LeftOut;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the lines of one crontab. A setting holds for the entries below it. */
final class CrontabReader {

  private static final Pattern SETTING =
      Pattern.compile("(\"[^\"]+\"|'[^']+'|[^\\s=\"']+)\\s*=\\s*(.*)");

  private final Source source;
  private final boolean isSystem;
  private final Conversion how;
  private final Set<String> names;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<String> comment = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();

  /**
   * @param names the names that are used already; the names of this crontab are added
   */
  CrontabReader(Source source, boolean isSystem, Conversion how, Set<String> names) {
    this.source = source;
    this.isSystem = isSystem;
    this.how = how;
    this.names = names;
  }

  List<Outcome> read() {
    List<String> lines = source.text().lines().toList();
    for (int number = 1; number <= lines.size(); number++) {
      read(source.at(number), lines.get(number - 1).strip());
    }
    return outcomes;
  }

  private void read(Place place, String line) {
    Matcher setting = SETTING.matcher(line);
    if (line.startsWith("#")) {
      comment.add(line.replaceFirst("^#+", "").strip());
      return;
    }
    if (!line.isEmpty() && setting.matches() && !CrontabEntry.isTime(line)) {
      settings.put(unquoted(setting.group(1)), unquoted(setting.group(2).strip()));
    } else if (!line.isEmpty()) {
      outcomes.add(outcome(place, line));
    }
    comment.clear();
  }

  private Outcome outcome(Place place, String line) {
    try {
      CrontabEntry entry = CrontabEntry.of(line, isSystem);
      return Outcomes.of(
          place,
          line,
          () ->
              new CrontabDocument(place, line, entry, settings, how)
                  .draft(unused(entry.name()), String.join("\n", comment)));
    } catch (NotCarried refused) {
      return new LeftOut(place, line, String.valueOf(refused.getMessage()));
    }
  }

  private String unused(String name) {
    String unused = name;
    for (int number = 2; !names.add(unused); number++) {
      unused = name + "-" + number;
    }
    return unused;
  }

  private static String unquoted(String text) {
    boolean quoted = text.matches("\"[^\"]*\"|'[^']*'");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
