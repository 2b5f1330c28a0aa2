package dev.carillon.imports.carillon;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.exports.Entry;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcome.Converted;
import dev.carillon.imports.Outcome.LeftOut;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import java.util.ArrayList;
import java.util.List;

/** Reads the lines of an export. */
public final class CarillonConverter implements Converter {

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Source source : sources) {
      List<String> lines = source.text().lines().toList();
      for (int number = 1; number <= lines.size(); number++) {
        String line = lines.get(number - 1).strip();
        if (!line.isEmpty()) {
          outcomes.add(outcome(source.at(number), line));
        }
      }
    }
    return Outcomes.distinct(outcomes);
  }

  private static Outcome outcome(Place place, String line) {
    try {
      Entry entry = Entry.of(Json.read(line, JsonNode.class));
      boolean isCompleted = entry.document().path("state").asText().equals("COMPLETED");
      return isCompleted
          ? new LeftOut(place, entry.label(), "it is COMPLETED: all of its fires have passed")
          : new Converted(place, entry.label(), entry, List.of(), List.of());
    } catch (IllegalArgumentException noEntry) {
      return new LeftOut(place, "a line", String.valueOf(noEntry.getMessage()));
    }
  }
}
