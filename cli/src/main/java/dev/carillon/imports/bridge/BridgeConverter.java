package dev.carillon.imports.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Documents;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Literals;
import dev.carillon.imports.Members;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts the rows of the configuration table. It reads the forms in which DynamoDB exports them:
 * lines of an export to S3, or the answer to a scan, a query or a get.
 */
public final class BridgeConverter implements Converter {

  private static final Set<String> VARIABLES =
      Set.of(
          "endOfPreviousDay",
          "processTime",
          "startOfDay",
          "startOfDayOneWeekAgo",
          "startOfHour",
          "startOfPreviousDay",
          "todaysDate",
          "yesterdaysDate");

  private static final Pattern VARIABLE = Pattern.compile("\\$?\\$\\{([^}]*)}?");

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Source source : sources) {
      Documents documents = Documents.json(source);
      for (JsonNode row : rows(documents)) {
        Place place = documents.place(row);
        String id = row.path("scheduleId").path("S").asText("a row");
        outcomes.add(Outcomes.of(place, id, () -> draft(place, row, how)));
      }
    }
    return Outcomes.distinct(outcomes);
  }

  private static List<JsonNode> rows(Documents documents) {
    List<JsonNode> rows = new ArrayList<>();
    for (JsonNode root : documents.roots()) {
      if (root.path("Item").isObject()) {
        rows.add(root.path("Item"));
      } else if (root.path("Items").isArray()) {
        root.path("Items").forEach(rows::add);
        refuseNext(documents, root);
      } else {
        throw new UnreadableSource(
            documents.place(root),
            "neither \"Item\" nor \"Items\"; give an export of DynamoDB or the answer of a scan");
      }
    }
    return rows;
  }

  /** Refuses a page of several, because the rows of the other pages are missing. */
  private static void refuseNext(Documents documents, JsonNode root) {
    if (root.hasNonNull("LastEvaluatedKey") || root.hasNonNull("NextToken")) {
      throw new UnreadableSource(
          documents.place(root), "it is one page of several; scan the whole table");
    }
  }

  private static Draft draft(Place place, JsonNode row, Conversion how) {
    Members members = Members.of(row);
    if (members.has("lastProcessedTime")) {
      throw new NotCarried(
          "it is the row of the status table, which is not needed: a new schedule begins when it is"
              + " activated");
    }
    String id = text(members, "scheduleId");
    Draft draft = new Draft(place, id, how.namespace(), id);
    draft.zone("America/Los_Angeles");
    draft
        .trigger("cron")
        .put("expression", text(members, "cronSchedule").strip())
        .put("zone", "UTC");
    String queue = members.has("sqsQueueUrl") ? text(members, "sqsQueueUrl") : null;
    draft.target(queue, template(draft, text(members, "requestTemplate")), how);
    draft.state(true);
    members.noteUnread(draft);
    return draft;
  }

  private static String text(Members members, String attribute) {
    return members.object(attribute).required("S");
  }

  /** The template: the request as JSON if it is JSON; otherwise the request as text. */
  private static JsonNode template(Draft draft, String request) {
    Set<String> unknown = new TreeSet<>();
    JsonNode template = Literals.changed(json(request), text -> withKnownVariables(text, unknown));
    unknown.forEach(
        name -> draft.note("${" + name + "} is not a variable of Bridge; it is sent as it is"));
    return template;
  }

  private static JsonNode json(String request) {
    try {
      JsonNode json = Json.read(request, JsonNode.class);
      return json.isContainerNode() ? json : TextNode.valueOf(request);
    } catch (IllegalArgumentException text) {
      return TextNode.valueOf(request);
    }
  }

  /**
   * Escapes variables that Bridge does not know, because Bridge sends them unchanged. <code>
   * $$&#123;</code> stays as it is.
   */
  private static String withKnownVariables(String text, Set<String> unknown) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found -> {
              String all = found.group();
              if (all.startsWith("$$")
                  || (all.endsWith("}") && VARIABLES.contains(found.group(1)))) {
                return Matcher.quoteReplacement(all);
              }
              unknown.add(found.group(1));
              return Matcher.quoteReplacement(Literals.escaped(all));
            });
  }
}
