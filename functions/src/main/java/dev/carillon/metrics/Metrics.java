package dev.carillon.metrics;

import java.time.Duration;
import java.time.Instant;

/** Collects what a function counts and measures during one invocation. */
public interface Metrics {

  /** Discards all metrics. */
  Metrics NONE =
      new Metrics() {
        @Override
        public void add(Metric metric, Scope scope, long value) {}

        @Override
        public void publish() {}

        @Override
        public void discard() {}
      };

  /** Adds a value; counts are summed, and each value of another unit is kept. */
  void add(Metric metric, Scope scope, long value);

  /** Ends the invocation and publishes what was added, if there is anything. */
  void publish();

  /** Drops what was added. */
  void discard();

  /** Adds a value of the whole stack. */
  default void add(Metric metric, long value) {
    add(metric, Scope.STACK, value);
  }

  default void count(Metric metric) {
    add(metric, 1);
  }

  /**
   * Adds the time since an instant in whole seconds; zero is left out, because each value costs.
   */
  default void addAge(Metric metric, Scope scope, Instant since, Instant now) {
    long seconds = Duration.between(since, now).toSeconds();
    if (seconds > 0) {
      add(metric, scope, seconds);
    }
  }

  /** Adds an age of the whole stack. */
  default void addAge(Metric metric, Instant since, Instant now) {
    addAge(metric, Scope.STACK, since, now);
  }
}
