package dev.carillon.trigger;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.time.Dst;
import dev.carillon.trigger.Trigger.Adjustment;
import dev.carillon.trigger.Trigger.And;
import dev.carillon.trigger.Trigger.AnyEvent;
import dev.carillon.trigger.Trigger.At;
import dev.carillon.trigger.Trigger.Cron;
import dev.carillon.trigger.Trigger.Elapsed;
import dev.carillon.trigger.Trigger.Or;
import dev.carillon.trigger.Trigger.Partition;
import dev.carillon.trigger.Trigger.ProgramStatus;
import dev.carillon.trigger.Trigger.Quiet;
import dev.carillon.trigger.Trigger.Rate;
import dev.carillon.trigger.Trigger.Size;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Writes a trigger as JSON, with its defaults. Optional members without a value are omitted. */
public final class TriggerWriter {

  private TriggerWriter() {}

  public static ObjectNode write(Trigger trigger) {
    if (trigger instanceof And and) {
      return composite("and", and.triggers());
    }
    if (trigger instanceof Or or) {
      return composite("or", or.triggers());
    }
    if (trigger instanceof Trigger.TimeLeaf time) {
      return timeLeaf(time);
    }
    if (trigger instanceof Trigger.EventLeaf event) {
      return eventLeaf(event);
    }
    if (trigger instanceof Elapsed elapsed) {
      ObjectNode document = typed("elapsed");
      if (elapsed.since() == null) {
        document.put("since", "lastLaunch");
      } else {
        document.set("since", eventLeaf(elapsed.since()));
      }
      return document.put("duration", elapsed.duration().toString());
    }
    if (trigger instanceof Quiet quiet) {
      ObjectNode document = typed("quiet").set("of", eventLeaf(quiet.of()));
      document.put("period", quiet.period().toString());
      Duration atMost = quiet.atMost();
      return atMost == null ? document : document.put("atMost", atMost.toString());
    }
    return typed("manual");
  }

  private static ObjectNode typed(String type) {
    return Json.object().put("type", type);
  }

  private static ObjectNode composite(String type, List<Trigger> triggers) {
    ObjectNode document = typed(type);
    ArrayNode children = document.putArray("triggers");
    triggers.forEach(child -> children.add(write(child)));
    return document;
  }

  private static ObjectNode timeLeaf(Trigger.TimeLeaf leaf) {
    if (leaf instanceof Cron cron) {
      return cron(cron);
    }
    if (leaf instanceof Rate rate) {
      ObjectNode document = typed("rate").put("every", rate.every().toString());
      if (rate.anchor() != null) {
        document.put("anchor", rate.anchor().toString());
      }
      return adjusted(document, rate.adjustment());
    }
    return typed("at").put("time", ((At) leaf).time().toString());
  }

  private static ObjectNode cron(Cron cron) {
    ObjectNode document = typed("cron").put("expression", cron.expression());
    if (cron.zone() != null) {
      document.put("zone", cron.zone().getId());
    }
    document.put("dialect", word(cron.dialect()));
    Dst dst = cron.dst();
    if (dst.gap() != null) {
      document.withObject("/dst").put("gap", word(dst.gap()));
    }
    if (dst.overlap() != null) {
      document.withObject("/dst").put("overlap", word(dst.overlap()));
    }
    return adjusted(document, cron.adjustment());
  }

  private static ObjectNode adjusted(ObjectNode document, Adjustment adjustment) {
    if (!adjustment.flexible().isZero()) {
      document.put("flexible", adjustment.flexible().toString());
    }
    if (!adjustment.exclude().isEmpty()) {
      adjustment.exclude().forEach(document.putArray("exclude")::add);
    }
    return document;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode eventLeaf(Trigger.EventLeaf leaf) {
    if (leaf instanceof Partition partition) {
      return typed("partition").put("dataset", partition.dataset()).put("count", leaf.expected());
    }
    if (leaf instanceof Size size) {
      return typed("size").put("stream", size.stream()).put("bytes", leaf.expected());
    }
    if (leaf instanceof ProgramStatus status) {
      ObjectNode document = typed("programStatus").put("program", status.program());
      ArrayNode statuses = document.putArray("statuses");
      ProgramStatus.STATUSES.stream().filter(status.statuses()::contains).forEach(statuses::add);
      return document.put("count", leaf.expected());
    }
    AnyEvent event = (AnyEvent) leaf;
    ObjectNode document = typed("event").put("key", event.key()).put("count", event.count());
    EventPattern filter = event.filter();
    return filter == null ? document : document.set("filter", filter.document());
  }
}
