package dev.carillon.bench.events;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.carillon.bench.cost.VirtualCloud;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One event that concerns very many schedules with filters. One invocation after another handles
 * the event, each with all messages that the previous one has left.
 */
final class FanOut {

  /** How many messages the event source passes to one invocation. */
  private static final int BATCH = 1_000;

  private final int schedules;
  private final Progress progress;

  FanOut(int schedules, Progress progress) {
    this.schedules = schedules;
    this.progress = progress;
  }

  /**
   * The measured calls.
   *
   * @param counted how many schedules have counted the event
   * @param leastPerCall the fewest schedules that a call counted; 0 if a call made no progress
   * @param longestCall the time of a call, in seconds
   */
  record FanOutLine(
      @JsonProperty("case") String name,
      int schedules,
      int events,
      int calls,
      int counted,
      int leastPerCall,
      int mostPerCall,
      double longestCall,
      double seconds) {}

  void run(Results results) {
    try (VirtualCloud cloud = new VirtualCloud(Clock.tickMillis(ZoneOffset.UTC))) {
      progress.say("storing %,d schedules", schedules);
      cloud.store(schedules, "on", FanOut::filtered, progress);
      progress.say("a cold start before each call");
      results.add(measure(cloud, "cold", true));
      progress.say("one function");
      results.add(measure(cloud, "first", false));
      results.add(measure(cloud, "warm", false));
    }
  }

  private static String filtered(int number) {
    return Loader.document(
        """
        {"type": "event", "key": "file", "count": 1000000000,
         "filter": {"bucket": ["b"], "object": {"key": [{"prefix": "in/"}, {"prefix": "%d/"}]}}}
        """
            .formatted(number),
        "work");
  }

  private FanOutLine measure(VirtualCloud cloud, String name, boolean isCold) {
    List<String> batch =
        List.of(
            """
            {"id": "%s", "eventType": "file", "payload": {"bucket": "b", "object": {"key": "in/a"}}}
            """
                .formatted(name));
    List<Integer> counted = new ArrayList<>();
    double longest = 0;
    long start = System.nanoTime();
    while (!batch.isEmpty()) {
      if (isCold) {
        cloud.coldStart();
      }
      cloud.meter().reset();
      long begin = System.nanoTime();
      List<String> next = new ArrayList<>(cloud.ingest(batch));
      longest = Math.max(longest, (System.nanoTime() - begin) / 1e9);
      counted.add(Math.toIntExact(cloud.meter().writeRequests()));
      next.addAll(cloud.resentEvents(BATCH - next.size()));
      batch = next;
    }
    return new FanOutLine(
        name,
        schedules,
        1,
        counted.size(),
        counted.stream().mapToInt(Integer::intValue).sum(),
        Collections.min(counted),
        Collections.max(counted),
        longest,
        (System.nanoTime() - start) / 1e9);
  }
}
