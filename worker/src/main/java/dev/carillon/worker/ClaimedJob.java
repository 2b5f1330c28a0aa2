package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.OperationProgress;
import dev.carillon.client.OperationState;
import dev.carillon.client.schedule.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a job, which this worker has claimed.
 *
 * <p>Carillon starts another attempt only after the previous claim has ended. At that time a
 * stopped process, a paused JVM or a handler that ignores interrupts can still be working on the
 * previous attempt. The results of the previous attempt must not count: use {@link #attempt} as a
 * fencing token, as the description of the {@linkplain dev.carillon.worker package} shows.
 */
public final class ClaimedJob {

  private static final int MOST_OUTPUT_BYTES = 8 * 1024;
  private static final int MOST_PROGRESS_BYTES = 2 * 1024;

  private final LaunchRequest request;
  private final int attempt;
  private final Heartbeats heartbeats;
  private final List<OperationProgress> agenda;
  private final Map<String, OperationState> operations = new ConcurrentHashMap<>();
  private volatile @Nullable JsonNode output;

  /**
   * @param agenda the operations, with the states that earlier attempts reported
   * @param heartbeats the heartbeats, which the caller has started already
   */
  ClaimedJob(
      LaunchRequest request,
      int attempt,
      List<OperationProgress> agenda,
      Function<ClaimedJob, Heartbeats> heartbeats) {
    this.request = request;
    this.attempt = attempt;
    this.agenda = agenda;
    agenda.forEach(one -> operations.put(one.id(), one.state()));
    this.heartbeats = heartbeats.apply(this);
  }

  public String jobId() {
    return request.jobId();
  }

  /**
   * The number of the attempt, from 1. It is a fencing token, because each later attempt of the job
   * has a greater number.
   */
  public int attempt() {
    return attempt;
  }

  public String namespace() {
    return request.namespace();
  }

  public String schedule() {
    return request.schedule();
  }

  public String program() {
    return request.program();
  }

  /** The priority, 0 to 9; 0 is the most urgent. */
  public int priority() {
    return request.priority();
  }

  /** The instant that the job is for. */
  public Instant scheduledFor() {
    return request.scheduledFor();
  }

  /** The rendered template of the schedule. */
  public String body() {
    return request.body();
  }

  /**
   * The body as JSON.
   *
   * @param type the type, like {@code JsonNode.class} or {@code Map.class}
   * @throws IllegalArgumentException if the body is not JSON of this type
   */
  public <T> T body(Class<T> type) {
    return Json.read(request.body(), type);
  }

  /** All attributes of the message. */
  public Map<String, String> attributes() {
    return request.attributes();
  }

  /**
   * Reports the progress of the work. The next heartbeat carries the last value.
   *
   * @param progress a map, list, string, number or JSON tree; at most 2 KB as JSON
   * @throws IllegalArgumentException if the value is larger
   */
  public void progress(Object progress) {
    heartbeats.changes().progress(json("progress", progress, MOST_PROGRESS_BYTES));
  }

  /** The job's operations when it was claimed: their types, order and states. */
  public List<OperationProgress> agenda() {
    return agenda;
  }

  /** The states of the job's operations, as all attempts reported them; empty if it has none. */
  public Map<String, OperationState> operations() {
    return Map.copyOf(operations);
  }

  /** Whether this or an earlier attempt reported that the operation SUCCEEDED. */
  public boolean isDone(String operation) {
    return operations.get(operation) == OperationState.SUCCEEDED;
  }

  /**
   * Reports the state of an operation, with a heartbeat of its own. If that heartbeat is not
   * answered, the next one repeats the state. The end of the job is reported only after an answered
   * heartbeat has carried all states, unless the server refuses them or a permission is missing.
   *
   * @throws dev.carillon.client.CarillonException.Invalid if the job has no such operation, or the
   *     state is UNRECOGNIZED
   */
  public void operation(String id, OperationState state) {
    heartbeats.changes().operation(id, state);
    heartbeats.report(id);
    operations.put(id, state);
  }

  /**
   * Sets the output, which triggers and callbacks get if the job succeeds.
   *
   * @param value a map, list, string, number or JSON tree; at most 8 KB as JSON
   * @throws IllegalArgumentException if the value is larger
   */
  public void output(Object value) {
    output = json("output", value, MOST_OUTPUT_BYTES);
  }

  private static JsonNode json(String what, Object value, int mostBytes) {
    JsonNode json = Json.tree(value);
    int bytes = Json.write(json).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > mostBytes) {
      throw new IllegalArgumentException(
          "the %s has %d bytes, more than the %d that a job keeps; store it elsewhere and give its address"
              .formatted(what, bytes, mostBytes));
    }
    return json;
  }

  Heartbeats heartbeats() {
    return heartbeats;
  }

  Optional<JsonNode> output() {
    return Optional.ofNullable(output);
  }

  /** Whether the handler must stop. The thread of the handler was interrupted as well. */
  public boolean isStopped() {
    return stopReason().isPresent();
  }

  /** Why the handler must stop. */
  public Optional<StopReason> stopReason() {
    return heartbeats.stopReason();
  }

  /**
   * Throws if the handler must stop.
   *
   * @throws JobStoppedException if the handler must stop
   */
  public void checkStopped() {
    stopReason()
        .ifPresent(
            reason -> {
              throw new JobStoppedException(reason);
            });
  }
}
