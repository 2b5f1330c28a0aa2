package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for asynchronous effects of a local engine. */
final class Awaiting {

  private static final Duration LONGEST = Duration.ofSeconds(60);

  private Awaiting() {}

  static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("nothing came").isLessThan(end);
      Thread.sleep(50);
    }
  }
}
