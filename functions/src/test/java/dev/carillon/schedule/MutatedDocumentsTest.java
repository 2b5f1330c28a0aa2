package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.ID;
import static dev.carillon.schedule.Documents.NOW;
import static dev.carillon.schedule.Documents.aFullDocument;
import static dev.carillon.schedule.Documents.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A mutated document is either a schedule or has faults. */
class MutatedDocumentsTest {

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1.5",
          "1e400",
          "99999999999999999999",
          "9223372036854775807",
          "\"\"",
          "\"${jobId}\"",
          "\"${\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"PT1S\"",
          "\"P106751991167300DT15H30M7S\"",
          "\"2026-05-05T05:05\"",
          "\"+999999999-12-31T23:59:59Z\"",
          "\"* * * * * ?\"",
          "\"a/b/c\"",
          "\"manual\"",
          "\"unix\"",
          "[]",
          "{}",
          "[[[]]]",
          "[null]",
          "{\"\": {\"~/\": null}}");

  private static final List<String> NAMES =
      List.of("type", "triggers", "zone", "count", "every", "time", "queue", "~/", "", "dst");

  private final ScheduleParser parser = new ScheduleParser(ZoneId.of("UTC"));

  @Property(tries = 3_000)
  void givesAScheduleOrFaults(@ForAll long seed) {
    ObjectNode document = aFullDocument();
    Random random = new Random(seed);
    for (int change = 0; change <= random.nextInt(4); change++) {
      mutate(document, random);
    }
    try {
      Schedule schedule = parser.parse(ID, document, NOW);
      assertThat(parser.parse(ID, schedule.document(), NOW).document())
          .isEqualTo(schedule.document());
    } catch (InvalidDocument invalid) {
      assertThat(invalid.faults()).isNotEmpty().allSatisfy(MutatedDocumentsTest::isUseful);
    }
  }

  private static void isUseful(Fault fault) {
    assertThat(fault.detail()).isNotBlank().doesNotContain("Exception");
    assertThat(fault.pointer()).matches("(/.*)?");
  }

  private static void mutate(ObjectNode document, Random random) {
    List<ContainerNode<?>> containers = new ArrayList<>();
    collect(document, containers);
    JsonNode value = json(VALUES.get(random.nextInt(VALUES.size())));
    ContainerNode<?> place = containers.get(random.nextInt(containers.size()));
    if (place instanceof ObjectNode object) {
      mutate(object, value, random);
    } else if (place instanceof ArrayNode array) {
      array.insert(random.nextInt(array.size() + 1), value);
    }
  }

  private static void mutate(ObjectNode object, JsonNode value, Random random) {
    List<String> names = new ArrayList<>(NAMES);
    object.fieldNames().forEachRemaining(names::add);
    String name = names.get(random.nextInt(names.size()));
    if (random.nextInt(4) == 0) {
      object.remove(name);
    } else {
      object.set(name, value);
    }
  }

  private static void collect(JsonNode node, List<ContainerNode<?>> containers) {
    if (node instanceof ContainerNode<?> container) {
      containers.add(container);
      node.forEach(child -> collect(child, containers));
    }
  }
}
