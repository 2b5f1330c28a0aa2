package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.Condition;
import dev.carillon.campaign.judge.Condition.All;
import dev.carillon.campaign.judge.Condition.Announced;
import dev.carillon.campaign.judge.Condition.Any;
import dev.carillon.campaign.judge.Condition.Bytes;
import dev.carillon.campaign.judge.Condition.Counting;
import dev.carillon.campaign.judge.Condition.Elapsed;
import dev.carillon.campaign.judge.Condition.Fires;
import dev.carillon.campaign.judge.Condition.Matching;
import dev.carillon.campaign.judge.Condition.Quiet;
import dev.carillon.campaign.judge.Condition.Reported;
import dev.carillon.campaign.judge.Condition.Timed;
import dev.carillon.campaign.judge.Fact;
import dev.carillon.campaign.judge.Filter;
import dev.carillon.campaign.judge.ScheduleSpec.ZonedCron;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Nested triggers and the events that concern them, in the form in which users write them. */
final class TriggerBodies {

  private TriggerBodies() {}

  static String trigger(Condition condition) {
    if (condition instanceof All all) {
      return join("and", all.conditions());
    }
    if (condition instanceof Any any) {
      return join("or", any.conditions());
    }
    if (condition instanceof Counting counting) {
      return counting(counting);
    }
    return condition instanceof Timed timed ? timed(timed) : "{\"type\": \"manual\"}";
  }

  private static String timed(Timed leaf) {
    if (leaf instanceof Fires it) {
      return "{\"type\": \"cron\", \"expression\": \"%s\"}".formatted(it.cron().expression());
    }
    if (leaf instanceof Elapsed it) {
      return "{\"type\": \"elapsed\", \"since\": %s, \"duration\": \"%s\"}"
          .formatted(
              it.since() == null ? "\"lastLaunch\"" : counting(it.since()),
              Duration.ofMillis(it.duration()));
    }
    Quiet it = (Quiet) leaf;
    return "{\"type\": \"quiet\", \"of\": %s, \"period\": \"%s\"%s}"
        .formatted(
            counting(it.of()),
            Duration.ofMillis(it.period()),
            it.atMost() == 0 ? "" : ", \"atMost\": \"" + Duration.ofMillis(it.atMost()) + "\"");
  }

  private static String counting(Counting leaf) {
    if (leaf instanceof Bytes it) {
      return "{\"type\": \"size\", \"stream\": \"%s\", \"bytes\": %d}"
          .formatted(it.stream(), it.enough());
    }
    if (leaf instanceof Matching it) {
      return "{\"type\": \"event\", \"key\": \"%s\", \"count\": %d%s}"
          .formatted(it.key(), it.enough(), filter(it.filter()));
    }
    if (leaf instanceof Reported it) {
      return "{\"type\": \"programStatus\", \"program\": \"%s\", \"statuses\": [%s], \"count\": %d}"
          .formatted(
              it.program(),
              it.statuses().stream().map("\"%s\""::formatted).collect(Collectors.joining(", ")),
              it.enough());
    }
    Announced it = (Announced) leaf;
    return "{\"type\": \"partition\", \"dataset\": \"%s\", \"count\": %d}"
        .formatted(it.dataset(), it.enough());
  }

  /** A cron in a time zone, without its closing brace. */
  static String zoned(ZonedCron cron) {
    List<String> dst = new ArrayList<>();
    if (!cron.dst().gap().isEmpty()) {
      dst.add("\"gap\": \"" + cron.dst().gap() + "\"");
    }
    if (!cron.dst().overlap().isEmpty()) {
      dst.add("\"overlap\": \"" + cron.dst().overlap() + "\"");
    }
    return "{\"type\": \"cron\", \"expression\": \"%s\", \"zone\": \"%s\"%s%s"
        .formatted(
            cron.expression(),
            cron.zone(),
            dst.isEmpty() ? "" : ", \"dst\": {" + String.join(", ", dst) + "}",
            cron.flexible() == 0
                ? ""
                : ", \"flexible\": \"" + Duration.ofMillis(cron.flexible()) + "\"");
  }

  private static String join(String type, List<Condition> conditions) {
    return "{\"type\": \"%s\", \"triggers\": [%s]}"
        .formatted(
            type,
            conditions.stream().map(TriggerBodies::trigger).collect(Collectors.joining(", ")));
  }

  private static String filter(@Nullable Filter filter) {
    if (filter == null) {
      return "";
    }
    String color = "\"color\": [\"%s\"]".formatted(filter.color());
    String above = "\"number\": [{\"numeric\": [\">\", %d]}]".formatted(filter.number());
    String pattern =
        switch (filter.rule()) {
          case COLOR -> color;
          case COLOR_PREFIX -> "\"color\": [{\"prefix\": \"%s\"}]".formatted(filter.color());
          case ANOTHER_COLOR ->
              "\"color\": [{\"anything-but\": [\"%s\"]}]".formatted(filter.color());
          case ANY_COLOR -> "\"color\": [{\"exists\": true}]";
          case NO_COLOR -> "\"color\": [{\"exists\": false}]";
          case ABOVE -> above;
          case COLOR_AND_ABOVE -> color + ", " + above;
          case COLOR_OR_ABOVE -> "\"$or\": [{" + color + "}, {" + above + "}]";
        };
    return ", \"filter\": {" + pattern + "}";
  }

  /** The type and payload of an event. */
  static String content(Fact fact) {
    String[] key = fact.key().split(":", 3);
    String type =
        switch (key[0]) {
          case "size" -> "SIZE";
          case "program" -> "PROGRAM_STATUS";
          default -> key[1];
        };
    List<String> payload = new ArrayList<>();
    switch (key[0]) {
      case "size" -> {
        payload.add("\"streamId\": \"%s\"".formatted(key[1]));
        payload.add("\"bytes\": %d".formatted(fact.amount()));
      }
      case "program" -> {
        payload.add("\"programId\": \"%s\"".formatted(key[1]));
        payload.add("\"status\": \"%s\"".formatted(key[2]));
      }
      default -> {
        // An event of another kind has only the fields below.
      }
    }
    if (fact.color() != null) {
      payload.add("\"color\": \"%s\"".formatted(fact.color()));
    }
    if (fact.number() != null) {
      payload.add("\"number\": %d".formatted(fact.number()));
    }
    return "\"eventType\": \"%s\", \"payload\": {%s}".formatted(type, String.join(", ", payload));
  }
}
