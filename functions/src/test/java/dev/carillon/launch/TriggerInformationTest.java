package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.job.TriggerState;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TriggerInformationTest {

  private static final Trigger.TimeLeaf HOURLY = new Trigger.Rate(Duration.ofHours(1), null);

  @Test
  void aPlainFireNamesTheLeavesThatFired() {
    Launch launch = new Launch();
    launch.trigger = new Trigger.Or(List.of(HOURLY, Launch.LEAF));
    launch.fired = Set.of(Launch.LEAF);

    assertThat(information(launch))
        .isEqualTo(
            Launch.json(
                """
                {"scheduledFor":"2018-03-22T00:09:00.000Z","triggeredAt":"2018-03-22T00:09:01.250Z",
                 "leaves":[{"leaf":1,"type":"at","satisfied":true,"expected":1,"actual":1,
                            "scheduledFor":"2018-03-22T00:09:00.000Z"}],
                 "events":[],"eventsOmitted":0}"""));
  }

  @Test
  void aJobWithEventsNamesEveryLeafWithItsCountAndEvents() {
    Launch launch = new Launch().withEvent("e1", "{\"a\":1}");
    launch.trigger =
        new Trigger.And(
            List.of(
                new Trigger.Partition("ns.purchases", 4),
                new Trigger.Or(List.of(new Trigger.Size("clicks", 100), HOURLY)),
                new Trigger.ProgramStatus("etl", Set.of("FAILED"), 1),
                new Trigger.AnyEvent("paid", 1, null)));
    launch.triggerState =
        new TriggerState(
            List.of(
                new LeafCount(4, 5, null),
                new LeafCount(100, 99, null),
                new LeafCount(1, 1, Instant.parse("2018-03-22T00:00:00Z")),
                new LeafCount(1, 0, null),
                new LeafCount(1, 0, null)),
            launch.triggerState.events(),
            3);

    assertThat(information(launch))
        .isEqualTo(
            Launch.json(
                """
                {"scheduledFor":"2018-03-22T00:09:00.000Z","triggeredAt":"2018-03-22T00:09:01.250Z",
                 "leaves":[
                  {"leaf":0,"type":"partition","satisfied":true,"expected":4,"actual":5,"events":["e1"]},
                  {"leaf":1,"type":"size","satisfied":false,"expected":100,"actual":99,"events":[]},
                  {"leaf":2,"type":"rate","satisfied":true,"expected":1,"actual":1,
                   "scheduledFor":"2018-03-22T00:00:00.000Z"},
                  {"leaf":3,"type":"programStatus","satisfied":false,"expected":1,"actual":0,"events":[]},
                  {"leaf":4,"type":"event","satisfied":false,"expected":1,"actual":0,"events":[]}],
                 "events":[{"id":"e1","timestamp":1700000000123,"eventType":"PARTITION","payload":{"a":1}}],
                 "eventsOmitted":3}"""));
  }

  @Test
  void aLaunchNowHasNoLeaves() {
    Launch launch = new Launch().launchedWith("{}");
    launch.trigger = new Trigger.Manual();

    assertThat(information(launch).path("leaves")).isEmpty();
  }

  // Parsed again, because equal numbers can have different node types.
  private static ObjectNode information(Launch launch) {
    return Launch.object(
        TriggerInformation.of(launch.schedule(), launch.job(), launch::fires).toString());
  }
}
