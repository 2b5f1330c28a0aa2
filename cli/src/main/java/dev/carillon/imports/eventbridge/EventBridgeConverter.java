package dev.carillon.imports.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Documents;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcome.LeftOut;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Converts the output of {@code aws scheduler get-schedule}, {@code aws scheduler list-schedules}
 * and {@code aws events list-rules}. A file can hold several answers.
 */
public final class EventBridgeConverter implements Converter {

  private static final String EXPRESSION = "ScheduleExpression";

  private record Found(Place place, JsonNode json, boolean isRule) {

    boolean isComplete() {
      return isRule || json.has(EXPRESSION);
    }

    String group() {
      return json.path("GroupName").asText("default");
    }

    String item() {
      String name = json.path("Name").asText("?");
      return isRule ? "rule " + name : "schedule " + group() + "/" + name;
    }
  }

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    List<Found> all = new ArrayList<>();
    sources.forEach(source -> all.addAll(found(Documents.json(source))));
    Set<String> complete = new HashSet<>();
    all.stream().filter(Found::isComplete).forEach(found -> complete.add(found.item()));
    List<Outcome> outcomes = new ArrayList<>();
    for (Found found : all) {
      if (found.isComplete()) {
        outcomes.add(outcome(found, how));
      } else if (!complete.contains(found.item())) {
        outcomes.add(
            new LeftOut(
                found.place(),
                found.item(),
                "list-schedules does not print its expression; add the answer of get-schedule"));
      }
    }
    return Outcomes.distinct(outcomes);
  }

  private static List<Found> found(Documents documents) {
    List<Found> found = new ArrayList<>();
    for (JsonNode root : documents.roots()) {
      if (root.path("Rules").isArray()) {
        root.path("Rules").forEach(it -> found.add(new Found(documents.place(it), it, true)));
        refuseNext(documents, root);
      } else if (root.path("Schedules").isArray()) {
        root.path("Schedules").forEach(it -> found.add(new Found(documents.place(it), it, false)));
        refuseNext(documents, root);
      } else if (root.has(EXPRESSION)) {
        found.add(new Found(documents.place(root), root, isRule(root)));
      } else {
        throw new UnreadableSource(
            documents.place(root),
            "neither \"Schedules\" nor \"Rules\" nor \"ScheduleExpression\"; give what"
                + " get-schedule, list-schedules or list-rules prints");
      }
    }
    return found;
  }

  /**
   * Refuses an answer that is only one page of several, because the items of the other pages are
   * missing.
   */
  private static void refuseNext(Documents documents, JsonNode root) {
    if (root.hasNonNull("NextToken")) {
      throw new UnreadableSource(
          documents.place(root), "it is one page of several; list again without --no-paginate");
    }
  }

  private static boolean isRule(JsonNode json) {
    return json.path("Arn").asText().contains(":rule/");
  }

  private static Outcome outcome(Found found, Conversion how) {
    Place place = found.place();
    return Outcomes.of(
        place,
        found.item(),
        () ->
            found.isRule()
                ? new RuleDocument(place, found.item(), found.json(), how).draft()
                : new ScheduleDocument(place, found.item(), found.json(), how).draft());
  }
}
