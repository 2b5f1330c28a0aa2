package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.master.AuditProgress;
import dev.carillon.master.AuditProgress.Part;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.ShardPlan.Shards;
import dev.carillon.master.StatusStore;
import dev.carillon.master.StatusStore.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class StatusContract {

  abstract StatusStore status();

  @Test
  void beforeTheFirstTickThereIsNone() {
    assertThat(status().read()).isEmpty();
  }

  @Test
  void theLastProcessedTimeNeverGoesBack() {
    status().advance(NOW);
    status().advance(NOW.plusSeconds(60));
    status().advance(NOW.plusSeconds(30));

    assertThat(status().read()).contains(new Status(NOW.plusSeconds(60), null));
  }

  @Test
  void anAuditGoesOnFromItsCursorsAndEnds() {
    status().advance(NOW);
    Status none = status().read().orElseThrow();

    AuditProgress running =
        new AuditProgress(NOW, List.of(Part.NEW, Part.DONE, new Part("default/report", false)), 12);
    assertThat(status().saveAudit(none, running)).isTrue();
    Status begun = status().read().orElseThrow();
    assertThat(begun).isEqualTo(new Status(NOW, running));

    AuditProgress ended = new AuditProgress(NOW, List.of(Part.DONE), 20);
    assertThat(status().saveAudit(begun, ended)).isTrue();
    assertThat(status().read()).contains(new Status(NOW, ended));
  }

  @Test
  void ofTwoTicksOneGoesOnWithTheAudit() {
    status().advance(NOW);
    Status none = status().read().orElseThrow();
    status().saveAudit(none, at("default/a"));
    Status begun = status().read().orElseThrow();
    status().saveAudit(begun, at("default/b"));

    assertThat(status().saveAudit(none, at("default/x"))).isFalse();
    assertThat(status().saveAudit(begun, at("default/x"))).isFalse();
    assertThat(status().read()).contains(new Status(NOW, at("default/b")));
  }

  @Test
  void theAuditDoesNotDisturbTheTicks() {
    status().advance(NOW);
    Status none = status().read().orElseThrow();
    status().advance(NOW.plusSeconds(60));

    assertThat(status().saveAudit(none, at("default/a"))).isTrue();
    status().advance(NOW.plusSeconds(120));

    assertThat(status().read()).contains(new Status(NOW.plusSeconds(120), at("default/a")));
  }

  private static AuditProgress at(String cursor) {
    return new AuditProgress(NOW, List.of(new Part(cursor, false)), 0);
  }

  @Test
  void theShardsThatAreReadAreStoredAndReplaced() {
    assertThat(status().shards()).isEmpty();
    ShardPlan first = new ShardPlan(new Shards(4, 2), new Shards(4, 2), NOW);
    assertThat(status().saveShards(null, first)).isTrue();
    assertThat(status().shards()).contains(first);

    ShardPlan lowered = new ShardPlan(new Shards(4, 2), new Shards(1, 2), NOW.plusSeconds(1));
    assertThat(status().saveShards(first, lowered)).isTrue();
    assertThat(status().shards()).contains(lowered);
    ShardPlan shrunk = new ShardPlan(new Shards(1, 2), new Shards(1, 2), NOW.plusSeconds(1));
    assertThat(status().saveShards(lowered, shrunk)).isTrue();
    assertThat(status().shards()).contains(shrunk);
  }

  @Test
  void ofTwoTicksOneChangesTheShards() {
    ShardPlan first = new ShardPlan(new Shards(4, 4), new Shards(4, 4), NOW);
    ShardPlan other = new ShardPlan(new Shards(8, 4), new Shards(8, 4), NOW.plusSeconds(1));
    status().saveShards(null, first);
    assertThat(status().saveShards(null, other)).isFalse();
    status().saveShards(first, other);
    for (ShardPlan stale :
        List.of(first, new ShardPlan(other.read(), new Shards(2, 2), NOW.plusSeconds(2)))) {
      assertThat(status().saveShards(stale, first)).isFalse();
    }
    assertThat(status().shards()).contains(other);
  }
}
