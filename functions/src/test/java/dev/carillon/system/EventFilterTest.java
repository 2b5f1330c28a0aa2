package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.Job;
import dev.carillon.trigger.LeafCount;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventFilterTest {

  private final World world = new World("2026-03-01T10:00:00Z");

  private static String event(int count, String filter) {
    return "{\"type\": \"event\", \"key\": \"order\", \"count\": %d, \"filter\": %s}"
        .formatted(count, filter);
  }

  private void order(String payload) {
    world.event("{\"eventType\": \"order\", \"payload\": %s}".formatted(payload));
    world.runFor(Duration.ofSeconds(5));
  }

  private List<Job> jobs() {
    return world.jobs.all();
  }

  @Test
  void onlyMatchingEventsCount() {
    world.put("large", active(event(2, "{\"total\": [{\"numeric\": [\">=\", 100]}]}")));
    order("{\"total\": 5}");
    order("{\"total\": 100}");
    order("\"no object\"");
    order("{\"total\": 99.9}");
    assertThat(jobs()).isEmpty();
    order("{\"total\": 250}");
    assertThat(jobs()).hasSize(1);
    assertThat(jobs().get(0).triggerState().events())
        .extracting(event -> event.payload().path("total").asInt())
        .containsExactly(100, 250);
  }

  @Test
  void anEventThatMatchedNothingCanBeCorrectedUnderItsId() {
    world.put("paid", active(event(1, "{\"state\": [\"paid\"]}")));
    world.event("{\"id\": \"1\", \"eventType\": \"order\", \"payload\": {\"state\": \"new\"}}");
    world.runFor(Duration.ofSeconds(5));
    world.event("{\"id\": \"1\", \"eventType\": \"order\", \"payload\": {\"state\": \"paid\"}}");
    world.runFor(Duration.ofSeconds(5));
    assertThat(jobs()).hasSize(1);
    assertThat(jobs().get(0).triggerState().events().get(0).payload().path("state").asText())
        .isEqualTo("paid");
  }

  @Test
  void leavesOfOneKeyFilterSeparately() {
    String eu = event(1, "{\"region\": [\"eu\"]}");
    String us = event(1, "{\"region\": [\"us\"]}");
    world.put("both", active(and(eu, or(us, partition("d", 1)))));
    order("{\"region\": \"eu\"}");
    order("{\"region\": \"eu\"}");
    order("{\"region\": \"asia\"}");
    assertThat(jobs()).isEmpty();
    order("{\"region\": \"us\"}");
    assertThat(jobs()).hasSize(1);
    assertThat(jobs().get(0).triggerState().leaves())
        .extracting(LeafCount::actual)
        .containsExactly(2L, 1L, 0L);
  }

  @Test
  void triggerInformationNamesTheEventsOfEachLeafByItsFilter() {
    String eu = event(1, "{\"region\": [\"eu\"]}");
    String us = event(1, "{\"region\": [\"us\"]}");
    String document = active(and(eu, us)).replace("\"${scheduledFor}\"", "\"${trigger}\"");
    world.put("both", document);
    world.event("{\"id\": \"e\", \"eventType\": \"order\", \"payload\": {\"region\": \"eu\"}}");
    world.event("{\"id\": \"u\", \"eventType\": \"order\", \"payload\": {\"region\": \"us\"}}");
    world.runFor(Duration.ofSeconds(5));
    var leaves = World.read(world.bodies().get(0)).path("at").path("leaves");
    assertThat(leaves.path(0).path("events").toString()).isEqualTo("[\"e\"]");
    assertThat(leaves.path(1).path("events").toString()).isEqualTo("[\"u\"]");
  }

  @Test
  void notificationsOfS3AreFilteredByTheirRecords() {
    world.put(
        "csv",
        active(
            """
            {"type": "event", "key": "aws.s3:Object Created",
             "filter": {"s3": {"bucket": {"name": ["b"]}, "object": {"key": [{"suffix": ".csv"}]}}}}
            """));
    world.event(
        """
        {"Records": [
          {"eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "eventTime": "2026-03-01T10:00:00Z",
           "s3": {"bucket": {"name": "b"}, "object": {"key": "in/a.csv", "sequencer": "01"}}},
          {"eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "eventTime": "2026-03-01T10:00:00Z",
           "s3": {"bucket": {"name": "b"}, "object": {"key": "in/a.tmp", "sequencer": "02"}}},
          {"eventSource": "aws:s3", "eventName": "ObjectRemoved:Delete", "eventTime": "2026-03-01T10:00:00Z",
           "s3": {"bucket": {"name": "b"}, "object": {"key": "in/b.csv", "sequencer": "03"}}}]}
        """);
    world.event("{\"Service\": \"Amazon S3\", \"Event\": \"s3:TestEvent\", \"Bucket\": \"b\"}");
    world.runFor(Duration.ofSeconds(5));
    assertThat(jobs()).hasSize(1);
    assertThat(jobs().get(0).triggerState().events().get(0).payload().at("/s3/object/key").asText())
        .isEqualTo("in/a.csv");
    assertThat(world.rejected.all()).isEmpty();
  }
}
