package dev.carillon.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures starts and first events of functions. The functions run in separate processes without a
 * snapshot, on tables and queues that no other function uses.
 */
public final class ColdStarts implements AutoCloseable {

  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final double NANOS_A_MILLI = 1e6;
  private static final int FIRST_ERROR = 400;

  private final BareStack stack;
  private final RuntimeClient client = RuntimeClient.ofThisEngine();
  private final Map<String, SamTemplate.Function> functions = new LinkedHashMap<>();

  private ColdStarts(BareStack stack, List<SamTemplate.Function> functions) {
    this.stack = stack;
    functions.forEach(function -> this.functions.put(function.name(), function));
  }

  public static ColdStarts of(Path template) {
    BareStack stack = BareStack.of(template);
    return new ColdStarts(stack, LocalEngine.template(template, stack.sqs()).functions());
  }

  /** The names of the template's functions. */
  public List<String> functions() {
    return List.copyOf(functions.keySet());
  }

  /** The directory of a function's artifact. */
  public Path code(String function) {
    return named(function).code();
  }

  /** The environment variables of the functions. */
  public Map<String, String> environment() {
    return stack.environment();
  }

  /**
   * The time from the start of a process to its answer to the first event: the sum of what Lambda
   * calls initialization and first invocation.
   *
   * @return milliseconds
   * @throws FunctionFault if the function fails, or does not handle the event
   */
  public double millis(String function, String event) {
    SamTemplate.Function definition = named(function);
    return millis(definition, definition.handler(), definition.code(), event);
  }

  /** Like {@link #millis(String, String)}, with another handler in place of the function's. */
  public double millis(String function, String handler, Path code, String event) {
    return millis(named(function), handler, code, event);
  }

  private double millis(SamTemplate.Function definition, String handler, Path code, String event) {
    long begin = System.nanoTime();
    try (ExecutionEnvironment process = start(definition, handler, code, false, Map.of())) {
      process.awaitReady();
      String answer = process.invoke(event);
      double millis = (System.nanoTime() - begin) / NANOS_A_MILLI;
      requireSuccess(answer);
      return millis;
    }
  }

  /**
   * The time of one event.
   *
   * @param millis wall time
   * @param processorMillis the processor time of the function's process, including the JVM's own
   *     threads
   */
  public record EventTime(double millis, double processorMillis) {}

  /**
   * The first event in a process that was primed as before a snapshot. The time of its start and
   * priming is left out. This corresponds to the first event in a restored copy of a snapshot.
   *
   * @throws FunctionFault if the function fails, or does not handle the event
   */
  public EventTime primed(String function, String event) {
    SamTemplate.Function definition = named(function);
    try (ExecutionEnvironment process =
        start(definition, definition.handler(), definition.code(), true, Map.of())) {
      process.awaitReady();
      return time(process, event);
    }
  }

  /**
   * The first event of another handler in place of the function's. The constructor of this handler
   * primes it.
   *
   * @param more further variables of its environment, in addition to those of the function
   */
  public EventTime first(
      String function, String handler, Path code, Map<String, String> more, String event) {
    try (ExecutionEnvironment process = start(named(function), handler, code, false, more)) {
      process.awaitReady();
      return time(process, event);
    }
  }

  /** The second event of another handler in place of the function's. */
  public EventTime second(String function, String handler, Path code, String event) {
    try (ExecutionEnvironment process = start(named(function), handler, code, false, Map.of())) {
      process.awaitReady();
      requireSuccess(process.invoke(event));
      return time(process, event);
    }
  }

  /**
   * @throws FunctionFault if the answer is an error of the API, or names messages to deliver again
   */
  private static void requireSuccess(String answer) {
    try {
      JsonNode fields = Json.read(answer);
      if (!fields.path("batchItemFailures").isEmpty()
          || fields.path("statusCode").asInt() >= FIRST_ERROR) {
        throw new FunctionFault("the function did not handle its event: " + answer);
      }
    } catch (JsonProcessingException fault) {
      throw new FunctionFault("the answer of the function is not JSON: " + answer);
    }
  }

  private static EventTime time(ExecutionEnvironment process, String event) {
    Map<Path, Long> before = process.processorNanos();
    long begin = System.nanoTime();
    String answer = process.invoke(event);
    long wall = System.nanoTime() - begin;
    long processor = 0;
    // Threads that have ended meanwhile are left out, such as idle compiler threads.
    for (Map.Entry<Path, Long> thread : process.processorNanos().entrySet()) {
      processor += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
    }
    requireSuccess(answer);
    return new EventTime(wall / NANOS_A_MILLI, processor / NANOS_A_MILLI);
  }

  private ExecutionEnvironment start(
      SamTemplate.Function definition,
      String handler,
      Path code,
      boolean snapStart,
      Map<String, String> more) {
    SamTemplate.Function started =
        new SamTemplate.Function(
            definition.name(),
            handler,
            code,
            snapStart,
            LONGEST,
            definition.memoryMegabytes(),
            definition.environment(),
            List.of());
    Map<String, String> environment =
        LocalAccount.environment(definition, stack.dynamoDb(), stack.sqs());
    // On Lambda, the API does not create target queues, so it does not create them here.
    environment.remove("CREATE_TARGET_QUEUES");
    environment.putAll(more);
    return ExecutionEnvironment.start(client, started, environment);
  }

  private SamTemplate.Function named(String name) {
    SamTemplate.Function function = functions.get(name);
    if (function == null) {
      throw new IllegalArgumentException("the template has no function " + name);
    }
    return function;
  }

  @Override
  public void close() {
    stack.close();
  }
}
