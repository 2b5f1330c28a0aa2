package dev.carillon.metrics;

import java.time.Duration;
import java.time.Instant;

/** Takes what a function counts and measures during one invocation. */
public interface Metrics {

  /** For where nobody reads them. */
  Metrics NONE =
      new Metrics() {
        @Override
        public void add(Metric metric, long value) {}

        @Override
        public void publish() {}

        @Override
        public void forget() {}
      };

  /** Counts are summed up; of what is measured each value is kept. */
  void add(Metric metric, long value);

  /** Ends the invocation: says what was added, if anything was. */
  void publish();

  /** Drops what was added. */
  void forget();

  default void count(Metric metric) {
    add(metric, 1);
  }

  /** The time since an instant in whole seconds; nothing for none, as each value costs. */
  default void addAge(Metric metric, Instant since, Instant now) {
    long seconds = Duration.between(since, now).toSeconds();
    if (seconds > 0) {
      add(metric, seconds);
    }
  }
}
