package dev.carillon.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.document.Json;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.StoredCollectingJob;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Schedules;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Functions that misread triggers or events. */
final class FaultyTriggers {

  private FaultyTriggers() {}

  /** The functions read each trigger of a stored document, nested ones included, as another one. */
  static Tampering read(UnaryOperator<ObjectNode> misread) {
    return Tamperings.schedules(
        Tamperings.EVERYWHERE,
        real ->
            Around.of(Schedules.class, real)
                .<Map<ScheduleId, Definition>>after("definitions", found -> misread(found, misread))
                .<Map<ScheduleId, Definition>>after(
                    "recentDefinitions", found -> misread(found, misread))
                .port());
  }

  private static Map<ScheduleId, Definition> misread(
      Map<ScheduleId, Definition> found, UnaryOperator<ObjectNode> misread) {
    return found.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, one -> misread(one.getValue(), misread)));
  }

  private static Definition misread(Definition real, UnaryOperator<ObjectNode> misread) {
    ObjectNode document = real.document().deepCopy();
    document.set("trigger", misread(document.path("trigger"), misread));
    return new Definition(
        real.id(),
        real.generation(),
        document,
        real.generationSince(),
        real.createdAt(),
        real.createdBy(),
        real.updatedAt());
  }

  private static ObjectNode misread(JsonNode trigger, UnaryOperator<ObjectNode> misread) {
    ObjectNode changed = trigger.deepCopy();
    if (changed.get("triggers") instanceof ArrayNode inner) {
      ArrayNode all = changed.putArray("triggers");
      inner.forEach(one -> all.add(misread(one, misread)));
    }
    return misread.apply(changed);
  }

  /** Reads a trigger as if a field were missing. */
  static ObjectNode without(String field, ObjectNode trigger) {
    trigger.remove(field);
    return trigger;
  }

  /** Reads an or inside another trigger as an and. */
  static ObjectNode requiringAll(ObjectNode trigger) {
    for (JsonNode inner : trigger.path("triggers")) {
      if (inner.path("type").asText().equals("or")) {
        ((ObjectNode) inner).put("type", "and");
      }
    }
    return trigger;
  }

  /** Reads a quiet as the trigger that names its events. */
  static ObjectNode notQuiet(ObjectNode trigger) {
    return isQuiet(trigger) ? (ObjectNode) trigger.get("of") : trigger;
  }

  /** Reads a quiet as one whose period always begins with the first event. */
  static ObjectNode quietFromFirst(ObjectNode trigger) {
    return isQuiet(trigger) ? trigger.set("atMost", trigger.get("period")) : trigger;
  }

  private static boolean isQuiet(JsonNode trigger) {
    return trigger.path("type").asText().equals("quiet");
  }

  /** Forgets the last event and launch, unless the time since then has satisfied a leaf. */
  static Jobs withoutClocks(Jobs real) {
    return Around.of(Jobs.class, real)
        .<Optional<StoredCollectingJob>>after(
            "collectingJob", found -> found.map(FaultyTriggers::withoutClocks))
        .port();
  }

  private static StoredCollectingJob withoutClocks(StoredCollectingJob stored) {
    CollectingJob it = stored.collectingJob();
    CollectingJob forgetful =
        new CollectingJob(
            it.schedule(),
            it.version(),
            it.generation(),
            it.activation(),
            it.nextSequence(),
            it.advancedTo(),
            it.open(),
            Map.of(),
            it.wakeup(),
            it.latest());
    return new StoredCollectingJob(forgetful, stored.seen(), stored.window());
  }

  /**
   * When a job closes, applies the fires again that came after the fire that the job has counted.
   */
  static Jobs withSpentFires(Jobs real) {
    return FaultyPorts.savingChanged(real, FaultyTriggers::withSpentFires, jobs -> jobs);
  }

  private static CollectingJob withSpentFires(@Nullable CollectingJob before, CollectingJob it) {
    if (before == null || before.open() == null || it.open() != null) {
      return it;
    }
    Instant advancedTo =
        before.open().triggerState().leaves().stream()
            .map(LeafCount::fire)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(it.advancedTo());
    return new CollectingJob(
        it.schedule(),
        it.version(),
        it.generation(),
        it.activation(),
        it.nextSequence(),
        advancedTo,
        it.open(),
        it.clocks(),
        it.wakeup(),
        it.latest());
  }

  /** The api reads each trigger of a request as another one. */
  static Tampering requested(UnaryOperator<ObjectNode> misread) {
    return new Tampering() {
      @Override
      public String received(FunctionName function, String body) {
        return function == FunctionName.API ? requested(body, misread) : body;
      }
    };
  }

  private static String requested(String body, UnaryOperator<ObjectNode> misread) {
    ObjectNode request = Json.readObject(body);
    if (!request.has("trigger")) {
      return body;
    }
    request.set("trigger", misread(request.path("trigger"), misread));
    return Json.write(request);
  }

  /** Reads a cron in a zone with another choice for a change of clocks. */
  static ObjectNode choosing(String change, String choice, ObjectNode trigger) {
    if (trigger.has("zone")) {
      trigger.withObject("/dst").put(change, choice);
    }
    return trigger;
  }

  /** Finds only the first schedules of an event key. */
  static Schedules firstPages(Schedules real) {
    return Around.of(Schedules.class, real)
        .after(
            "withEventKey",
            found -> found instanceof Page<?> page ? new Page<>(page.items(), null) : found)
        .port();
  }

  /** Ingest reads each message as another one. */
  static Tampering received(UnaryOperator<String> misread) {
    return new Tampering() {
      @Override
      public String received(FunctionName function, String body) {
        return function == FunctionName.INGEST ? misread.apply(body) : body;
      }
    };
  }
}
