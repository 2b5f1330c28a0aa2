package dev.carillon.imports.crontab;

import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Converts crontabs in the way in which Vixie cron and cronie read them.
 *
 * @param isSystem whether each entry names its user, as in {@code /etc/crontab}
 */
public record CrontabConverter(boolean isSystem) implements Converter {

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    List<Outcome> outcomes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Source source : sources) {
      outcomes.addAll(new CrontabReader(source, isSystem, how, names).read());
    }
    return outcomes;
  }
}
