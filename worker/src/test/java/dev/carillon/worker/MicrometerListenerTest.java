package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.worker.micrometer.MicrometerListener;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class MicrometerListenerTest {

  private final Rig rig = new Rig();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  @Test
  void aRegistryGetsWhatTheWorkerDoes() throws InterruptedException {
    rig.builder.listener(new MicrometerListener(registry));
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.time.move(Duration.ofSeconds(30));
    rig.api.refuse("heartbeat", 409, FakeApi.problem("stale-claim"));
    rig.time.move(Duration.ofSeconds(6));
    rig.assertHeardBoth("stopped LOST", "LOST a");
    rig.queue.send("a", 1, 5);
    assertThat(rig.nextHeard()).isEqualTo("superseded a");
    rig.beginToClose().join();

    assertThat(count("requests", "queue", "exports")).isEqualTo(2);
    assertThat(count("heartbeats", "answered", "true")).isEqualTo(2);
    assertThat(count("heartbeats", "answered", "false")).isEqualTo(1);
    assertThat(count("stops", "reason", "LOST")).isEqualTo(1);
    assertThat(count("unclaimed", "reason", "superseded")).isEqualTo(1);
    assertThat(registry.get("carillon.worker.wait").tag("program", "exporter").timer().count())
        .isEqualTo(1);
    assertThat(registry.get("carillon.worker.run").tag("ending", "LOST").timer().count())
        .isEqualTo(1);
  }

  private double count(String name, String key, String value) {
    return registry.get("carillon.worker." + name).tag(key, value).counter().count();
  }
}
