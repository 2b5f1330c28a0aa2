package dev.carillon.imports.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Members;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.Place;
import java.time.ZoneOffset;
import java.util.List;

/** The schedule of a rule of EventBridge. */
record RuleDocument(Place place, String item, JsonNode json, Conversion how) {

  Draft draft() {
    Members rule = Members.of(json).ignoring(List.of("Arn", "RoleArn", "EventBusName"));
    if (rule.has("EventPattern")) {
      throw new NotCarried("it has an event pattern; write a trigger of the type event");
    }
    if (rule.has("ManagedBy")) {
      throw new NotCarried(rule.required("ManagedBy") + " manages it; leave it there");
    }
    Draft draft = new Draft(place, item, how.namespace(), rule.required("Name"));
    Expression expression = new Expression(rule.required("ScheduleExpression"), ZoneOffset.UTC);
    String description = rule.text("Description");
    draft.describe(description == null ? "" : description);
    draft.zone("UTC");
    draft.document().set("trigger", expression.trigger(null, how.now()));
    if (!expression.isCron()) {
      draft.note("its rate counts from the creation of the schedule");
    }
    draft.target(null, Input.usual("aws.events", rule.text("Arn")), how);
    draft.note("list-rules prints no targets; the usual event of a rule is sent to --queue");
    draft.state(rule.required("State").startsWith("ENABLED"));
    rule.noteUnread(draft);
    return draft;
  }
}
