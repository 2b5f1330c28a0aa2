package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pulls for more than one job, which follow a pull that found a job. */
@Timeout(600)
class WidePullTest {

  private static final Duration LONGEST_FIRST_PAUSE = Duration.ofSeconds(1);

  private final Rig rig = Rig.ofPool("team/encode");

  /** Of four threads, the job a uses one, another is kept for the queue, and two are free. */
  @BeforeEach
  void use() {
    rig.builder.queue(rig.queue).threads(4);
  }

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  /** Runs a task between the first pull, which brings the job a, and the second one. */
  private JsonNode secondPull(Runnable between) throws InterruptedException {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    rig.builder.listener(
        new WorkerListener() {
          @Override
          public void received(String queue, int requests) {
            if (queue.equals("team/encode") && isFirst.getAndSet(false)) {
              between.run();
            }
          }
        });
    rig.start();
    rig.api.pool().add("a");
    assertThat(rig.nextBegun().jobId()).isEqualTo("a");
    rig.api.next("next");
    JsonNode second = rig.api.next("next").body();
    assertThat(second.get("count").asInt()).isEqualTo(2);
    return second;
  }

  /**
   * The claims of the jobs b and c live already, so requests of the queue cannot go before them.
   */
  @Test
  void theThreadsOfAPullWhoseAnswerWasLostStayReserved() throws InterruptedException {
    secondPull(
        () -> {
          rig.api.pool().add("b");
          rig.api.pool().add("c");
          rig.api.refuse("answer", 503, "");
        });
    rig.queue.send("d", 1, 5);
    rig.queue.send("e", 1, 5);
    assertThat(rig.nextBegun().jobId()).isIn("d", "e");
    rig.api.accept("answer");
    rig.time.awaitTasks(6);
    rig.time.move(LONGEST_FIRST_PAUSE);
    assertThat(List.of(rig.nextBegun().jobId(), rig.nextBegun().jobId()))
        .containsExactlyInAnyOrder("b", "c");
  }
}
