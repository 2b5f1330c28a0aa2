package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.master.StatusStore;
import dev.carillon.master.StatusStore.Shards;
import dev.carillon.master.StatusStore.Status;
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

    assertThat(status().read()).contains(new Status(NOW.plusSeconds(60), null, null));
  }

  @Test
  void anAuditGoesOnFromItsCursorAndEnds() {
    status().advance(NOW);
    Status none = status().read().orElseThrow();

    assertThat(status().saveAudit(none, NOW, "default/report")).isTrue();
    Status begun = status().read().orElseThrow();
    assertThat(begun).isEqualTo(new Status(NOW, NOW, "default/report"));

    assertThat(status().saveAudit(begun, NOW, null)).isTrue();
    assertThat(status().read()).contains(new Status(NOW, NOW, null));
  }

  @Test
  void ofTwoTicksOneGoesOnWithTheAudit() {
    status().advance(NOW);
    Status none = status().read().orElseThrow();
    status().saveAudit(none, NOW, "default/a");
    Status begun = status().read().orElseThrow();
    status().saveAudit(begun, NOW, "default/b");

    assertThat(status().saveAudit(none, NOW.plusSeconds(1), "default/x")).isFalse();
    assertThat(status().saveAudit(begun, NOW, "default/x")).isFalse();
    assertThat(status().read()).contains(new Status(NOW, NOW, "default/b"));
  }

  @Test
  void theAuditDoesNotDisturbTheTicks() {
    status().advance(NOW);
    Status none = status().read().orElseThrow();
    status().advance(NOW.plusSeconds(60));

    assertThat(status().saveAudit(none, NOW, "default/a")).isTrue();
    status().advance(NOW.plusSeconds(120));

    assertThat(status().read()).contains(new Status(NOW.plusSeconds(120), NOW, "default/a"));
  }

  @Test
  void shardsOnlyGrow() {
    assertThat(status().shards(new Shards(4, 2))).isEqualTo(new Shards(4, 2));
    assertThat(status().shards(new Shards(2, 8))).isEqualTo(new Shards(4, 8));
    assertThat(status().shards(new Shards(1, 1))).isEqualTo(new Shards(4, 8));
  }
}
