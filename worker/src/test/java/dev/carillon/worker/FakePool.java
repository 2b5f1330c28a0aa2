package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;

/** A pool that gives each job to one pull, and the same jobs to a pull that is repeated. */
final class FakePool {

  private final Queue<Job> ready = new ArrayDeque<>();
  private final Map<String, List<Job>> answered = new HashMap<>();
  private boolean isOver;

  /** A job of a program of the namespace team. */
  record Job(String id, Map<String, String> attributes) {

    /**
     * @param expiry the members that say when the claim ends
     */
    String answer(String expiry) {
      return """
      {"jobId": "%s", "attempt": 1, "claimToken": "t-%s", %s, "operations": null, "body": "{}",
       "attributes": %s}
      """
          .formatted(id, id, expiry, Json.write(attributes));
    }
  }

  void add(String id) {
    add(id, "exporter");
  }

  void add(String id, String program) {
    add(id, MemoryQueue.attributes(id, 1, 5, "team/" + program));
  }

  synchronized void add(String id, Map<String, String> attributes) {
    ready.add(new Job(id, attributes));
    notifyAll();
  }

  /** Answers all pulls at once from now on, as a paused pool does. */
  synchronized void end() {
    isOver = true;
    notifyAll();
  }

  /** Waits for a job. */
  synchronized List<Job> next(JsonNode pull) {
    String request = pull.get("requestId").asText();
    if (!answered.containsKey(request)) {
      if (pull.get("waitSeconds").asInt() > 0) {
        awaitJob();
      }
      long count = Math.min(pull.get("count").asInt(), ready.size());
      answered.put(request, Stream.generate(ready::remove).limit(count).toList());
    }
    return answered.get(request);
  }

  private void awaitJob() {
    try {
      while (ready.isEmpty() && !isOver) {
        wait();
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
