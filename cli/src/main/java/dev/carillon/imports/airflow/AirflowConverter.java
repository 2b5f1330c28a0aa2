package dev.carillon.imports.airflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Documents;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts the output of {@code airflow dags list -o json} and {@code airflow dags details DAG -o
 * json}. The list names DAGs, but only the details have their timetables. So the members of a DAG
 * in both outputs are combined.
 */
public final class AirflowConverter implements Converter {

  private static final String ID = "dag_id";

  /** A DAG, as far as the files describe it. */
  private record Dag(Place place, ObjectNode members) {}

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    Map<String, Dag> dags = new LinkedHashMap<>();
    for (Source source : sources) {
      Documents documents = Documents.json(source);
      for (JsonNode described : dags(documents.roots())) {
        Place place = documents.place(described);
        if (!(described instanceof ObjectNode members) || !members.path(ID).isTextual()) {
          throw new UnreadableSource(
              place, "this is not a DAG; give the output of 'airflow dags details DAG -o json'");
        }
        dags.computeIfAbsent(members.path(ID).asText(), it -> new Dag(place, members))
            .members()
            .setAll(members);
      }
    }
    List<Outcome> outcomes = new ArrayList<>();
    dags.forEach((id, dag) -> outcomes.add(outcome(id, dag, how)));
    return Outcomes.distinct(outcomes);
  }

  /** The DAGs; both commands print a list. */
  private static List<JsonNode> dags(List<JsonNode> roots) {
    List<JsonNode> dags = new ArrayList<>();
    for (JsonNode root : roots) {
      if (root.isArray()) {
        root.forEach(dags::add);
      } else {
        dags.add(root);
      }
    }
    return dags;
  }

  private static Outcome outcome(String id, Dag dag, Conversion how) {
    return Outcomes.of(
        dag.place(), id, () -> new AirflowDocument(dag.place(), id, dag.members(), how).draft());
  }
}
