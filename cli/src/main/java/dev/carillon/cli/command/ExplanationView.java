package dev.carillon.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Times;
import dev.carillon.client.Explanation;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows explanations as text: why a schedule or a job has not launched. */
final class ExplanationView {

  private ExplanationView() {}

  static Card card(Explanation explanation, Times times) {
    JsonNode details = explanation.details();
    JsonNode collecting = details.path("collecting");
    return new Card()
        .state("State", explanation.state())
        .with("Summary", explanation.summary())
        .with("Trigger", details.path("trigger").textValue())
        .with("Next fire", times.text(instant(details.path("nextFire"))))
        .with("Waits because", details.path("waitsBecause").textValue())
        .with("Unfinished jobs", details.path("unfinishedJobs").numberValue())
        .with("Elapses", times.text(instant(details.path("elapses"))))
        .with("Next check", times.text(instant(details.path("nextCheckAt"))))
        .with("Times out", timesOut(details.path("timesOut"), times))
        .with("Unsatisfied", lines(details.path("unsatisfied"), ExplanationView::leaf))
        .with("Collecting", lines(collecting.path("leaves"), ExplanationView::leaf))
        .with("Collects until", timesOut(collecting.path("timesOut"), times))
        .with("Unmet", lines(details.path("unmetConstraints"), ExplanationView::constraint))
        .with("Limits", lines(details.path("limits"), ExplanationView::limit))
        .with("Gates", lines(details.path("gates"), gate -> gate(gate, times)))
        .with("Excluded by", lines(details.path("excluded").path("calendars"), JsonNode::asText))
        .with(
            "No such calendar", lines(details.path("excluded").path("missing"), JsonNode::asText));
  }

  private static String lines(JsonNode items, Function<JsonNode, String> line) {
    return items.valueStream().map(line).collect(Collectors.joining("\n"));
  }

  private static String timesOut(JsonNode timesOut, Times times) {
    return timesOut.isObject()
        ? times.text(instant(timesOut.path("at"))) + ": " + timesOut.path("action").asText()
        : "";
  }

  private static String leaf(JsonNode leaf) {
    return "%s %s: %s of %s"
        .formatted(
            leaf.path("type").asText(),
            lines(leaf.path("keys"), JsonNode::asText),
            leaf.path("have").asText(),
            leaf.path("need").asText());
  }

  private static String constraint(JsonNode constraint) {
    return constraint.path("type").asText() + ": " + constraint.path("reason").asText();
  }

  private static String limit(JsonNode limit) {
    String reason = limit.path("reason").isTextual() ? limit.path("reason").asText() : "open";
    return "%s of %s: %s"
        .formatted(limit.path("type").asText(), limit.path("gate").asText(), reason);
  }

  private static String gate(JsonNode gate, Times times) {
    String place = gate.path("place").isInt() ? ", place " + gate.path("place").asText() : "";
    String holders =
        gate.path("holders")
            .valueStream()
            .map(
                it ->
                    "\n  held by %s since %s"
                        .formatted(
                            it.path("jobId").asText(), times.text(instant(it.path("since")))))
            .collect(Collectors.joining());
    return "%s: slots held: %s, waiting: %s%s%s"
        .formatted(
            gate.path("gate").asText(),
            gate.path("holding").asText(),
            gate.path("waiting").asText(),
            place,
            holders);
  }

  private static @Nullable Instant instant(JsonNode text) {
    return text.isTextual() ? Instant.parse(text.textValue()) : null;
  }
}
