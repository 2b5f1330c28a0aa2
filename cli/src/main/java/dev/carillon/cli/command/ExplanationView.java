package dev.carillon.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Times;
import dev.carillon.client.Explanation;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows explanations as text: why a schedule or a job has not launched. */
final class ExplanationView {

  private final JsonNode details;
  private final Times times;

  private ExplanationView(JsonNode details, Times times) {
    this.details = details;
    this.times = times;
  }

  static Card card(Explanation explanation, Times times) {
    ExplanationView view = new ExplanationView(explanation.details(), times);
    Card card =
        new Card().state("State", explanation.state()).with("Summary", explanation.summary());
    view.addTimes(card);
    view.addPool(card, explanation.details().path("pool"));
    view.addTrigger(card);
    view.addConstraints(card);
    view.addCalendars(card, explanation.details().path("excluded"));
    return card;
  }

  private void addTimes(Card card) {
    JsonNode launch = details.path("launch");
    int refusals = launch.path("refusals").asInt();
    card.with("Trigger", details.path("trigger").textValue())
        .with("Next fire", time(details.path("nextFire")))
        .with("Waits because", details.path("waitsBecause").textValue())
        .with("Unfinished jobs", details.path("unfinishedJobs").numberValue())
        .with("Elapses", time(details.path("elapses")))
        .with("Next check", time(details.path("nextCheckAt")))
        .with("Times out", timesOut(details.path("timesOut")))
        .with("Attempt", launch.path("attempt").numberValue())
        .with("Launched", time(launch.path("launchedAt")))
        .with("Refused", refusals == 0 ? "" : Counted.of(refusals, "time"))
        .with("Ready operations", names(details.path("readyOperations")));
  }

  /** Adds the place of a job that waits in a pool. */
  private void addPool(Card card, JsonNode pool) {
    if (!pool.isObject()) {
      return;
    }
    card.with("Pool", pool.path("name").asText() + ", since " + time(pool.path("since")))
        .with("Customer", pool.path("customer").textValue())
        .with("Priority", pool.path("priority").numberValue())
        .with("Pool's rule", pool.path("rule").textValue())
        .with("More urgent", jobs(pool.path("moreUrgent")))
        .with("Of customer", jobs(pool.path("ofCustomer")))
        .with("Turn", turn(pool))
        .with("Next choice", time(pool.path("nextChoiceAt")))
        .with("Expected", time(pool.path("expectedAt")));
  }

  private static String jobs(JsonNode count) {
    return count.isObject() ? atLeast(count) + Counted.of(count.path("jobs").asLong(), "job") : "";
  }

  private static String turn(JsonNode pool) {
    if (pool.path("isChosen").asBoolean()) {
      return "the pool has chosen it";
    }
    JsonNode turn = pool.path("turn");
    if (!turn.isObject()) {
      return "";
    }
    String before =
        turn.path("before")
            .valueStream()
            .map(
                it ->
                    it.path("jobs").asText() + " of " + it.path("customer").asText("(no customer)"))
            .collect(Collectors.joining(", "));
    return atLeast(turn)
        + turn.path("number").asText()
        + (before.isEmpty() ? "" : ", after " + before);
  }

  private static String atLeast(JsonNode count) {
    return count.path("isAtLeast").asBoolean() ? "at least " : "";
  }

  private void addTrigger(Card card) {
    JsonNode counted = details.path("trigger");
    JsonNode collecting = details.path("collecting");
    card.with("Unsatisfied", lines(details.path("unsatisfied"), ExplanationView::leaf))
        .with("Counted", lines(counted.path("leaves"), ExplanationView::leaf))
        .with("Events", events(counted))
        .with("Collecting job", collectingJob(collecting))
        .with("Collecting", lines(collecting.path("leaves"), ExplanationView::leaf))
        .with("Collects until", timesOut(collecting.path("timesOut")));
  }

  private static String events(JsonNode counted) {
    long all = counted.path("events").size() + counted.path("eventsOmitted").asLong();
    return counted.isObject() ? String.valueOf(all) : "";
  }

  private String collectingJob(JsonNode collecting) {
    return collecting.isObject()
        ? "%s, since %s%s"
            .formatted(
                collecting.path("jobId").asText(),
                time(collecting.path("since")),
                collecting.path("willBeCancelled").asBoolean() ? "; will be cancelled" : "")
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

  private void addConstraints(Card card) {
    card.with("Unmet", lines(details.path("unmetConstraints"), this::constraint))
        .with("Limits", lines(details.path("limits"), this::limit))
        .with("Gates", lines(details.path("gates"), this::gate));
  }

  private String constraint(JsonNode constraint) {
    return constraint.path("type").asText()
        + ": "
        + constraint.path("reason").asText()
        + labelled("; opens at ", constraint.path("opensAt"));
  }

  private String limit(JsonNode limit) {
    return "%s of %s: %s%s"
        .formatted(
            limit.path("type").asText(),
            limit.path("gate").asText(),
            limit.path("reason").asText("open"),
            labelled("; opens at ", limit.path("opensAt")));
  }

  private String gate(JsonNode gate) {
    String place = gate.path("place").isInt() ? ", place " + gate.path("place").asText() : "";
    String value =
        gate.path("value").isNumber()
            ? "\n  value "
                + gate.path("value").asText()
                + labelled(" until ", gate.path("expiresAt"))
            : "";
    String holders =
        gate.path("holders").valueStream().map(this::holder).collect(Collectors.joining());
    return "%s: slots held: %s, waiting: %s%s%s%s%s"
        .formatted(
            gate.path("gate").asText(),
            gate.path("holding").asText(),
            gate.path("waiting").asText(),
            place,
            value,
            labelled("\n  last success ", gate.path("lastSuccess")),
            holders);
  }

  private String holder(JsonNode holder) {
    return "\n  held by %s since %s%s"
        .formatted(
            holder.path("jobId").asText(),
            time(holder.path("since")),
            labelled("; next report due by ", holder.path("until")));
  }

  private void addCalendars(Card card, JsonNode excluded) {
    card.with("Excluded by", lines(excluded.path("calendars"), JsonNode::asText))
        .with("No such calendar", lines(excluded.path("missing"), JsonNode::asText))
        .with("Excluded last", excludedFire(excluded.path("lastFire")))
        .with("Excluded next", excludedFire(excluded.path("nextFire")));
  }

  private String excludedFire(JsonNode fire) {
    return fire.isObject() ? time(fire.path("at")) + " by " + names(fire.path("by")) : "";
  }

  private static String names(JsonNode names) {
    return names.valueStream().map(JsonNode::asText).collect(Collectors.joining(", "));
  }

  private static String lines(JsonNode items, Function<JsonNode, String> line) {
    return items.valueStream().map(line).collect(Collectors.joining("\n"));
  }

  private String timesOut(JsonNode timesOut) {
    return timesOut.isObject()
        ? time(timesOut.path("at")) + ": " + timesOut.path("action").asText()
        : "";
  }

  /** The instant after a label; empty if there is no instant. */
  private String labelled(String label, JsonNode instant) {
    return instant.isTextual() ? label + time(instant) : "";
  }

  private String time(JsonNode instant) {
    return times.text(instant(instant));
  }

  private static @Nullable Instant instant(JsonNode text) {
    return text.isTextual() ? Instant.parse(text.textValue()) : null;
  }
}
