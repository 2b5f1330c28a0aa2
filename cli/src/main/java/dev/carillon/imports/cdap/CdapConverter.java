package dev.carillon.imports.cdap;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Documents;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import java.util.ArrayList;
import java.util.List;

/** Converts answers of CDAP's REST API: one schedule, or a list. */
public final class CdapConverter implements Converter {

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Source source : sources) {
      Documents documents = Documents.json(source);
      for (JsonNode schedule : schedules(documents)) {
        Place place = documents.place(schedule);
        String item =
            schedule.path("application").asText("?") + "/" + schedule.path("name").asText("?");
        outcomes.add(
            Outcomes.of(place, item, () -> new CdapDocument(place, item, schedule, how).draft()));
      }
    }
    return Outcomes.distinct(outcomes);
  }

  private static List<JsonNode> schedules(Documents documents) {
    List<JsonNode> schedules = new ArrayList<>();
    for (JsonNode root : documents.roots()) {
      if (root.isArray()) {
        root.forEach(schedules::add);
      } else if (root.has("trigger")) {
        schedules.add(root);
      } else {
        throw new UnreadableSource(
            documents.place(root),
            "this is not a schedule of CDAP; give the answer of …/schedules");
      }
    }
    return schedules;
  }
}
