package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.runtime.Sleeper;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What happens to a sleep when the process ends. */
class ThreadsTest {

  @Test
  void aSleepThatIsInterruptedSaysSoAndLeavesTheThreadInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Threads.sleep(Duration.ofMinutes(1)))
        .isInstanceOf(Sleeper.Interrupted.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
