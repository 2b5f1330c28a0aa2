package dev.carillon.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process that runs one function on AWS's runtime interface client, like an execution environment
 * of Lambda. It handles one event at a time until it is closed, times out or crashes.
 */
final class ExecutionEnvironment implements AutoCloseable {

  /**
   * The limit is longer than Lambda's, because many processes may start at once on a small machine.
   */
  private static final Duration LONGEST_START = Duration.ofSeconds(60);

  private final SamTemplate.Function function;
  private final RuntimeApi api;
  private final Process process;

  private ExecutionEnvironment(SamTemplate.Function function, RuntimeApi api, Process process) {
    this.function = function;
    this.api = api;
    this.process = process;
    Daemon.threads(function.name() + "-output").newThread(this::copyOutput).start();
    var unused = process.onExit().thenAccept(this::ended);
  }

  /**
   * Starts the process, and does not wait until it is ready.
   *
   * @param environment the function's variables, in addition to those that Lambda sets for every
   *     function
   */
  static ExecutionEnvironment start(
      RuntimeClient client, SamTemplate.Function function, Map<String, String> environment) {
    RuntimeApi api = new RuntimeApi(function.name());
    ProcessBuilder builder =
        new ProcessBuilder(client.command(function.handler(), function.memoryMegabytes()))
            .directory(function.code().toFile())
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(lambdaVariables(function, api.address()));
    builder.environment().putAll(environment);
    try {
      return new ExecutionEnvironment(function, api, builder.start());
    } catch (IOException fault) {
      api.close();
      throw new StartFault("cannot start a process for " + function.name(), fault);
    }
  }

  /** The variables that Lambda sets for every function. */
  private static Map<String, String> lambdaVariables(SamTemplate.Function function, String api) {
    Path code = function.code();
    return Map.ofEntries(
        Map.entry("AWS_LAMBDA_RUNTIME_API", api),
        Map.entry(
            "AWS_LAMBDA_INITIALIZATION_TYPE", function.snapStart() ? "snap-start" : "on-demand"),
        Map.entry("AWS_LAMBDA_FUNCTION_NAME", function.name()),
        Map.entry("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
        Map.entry("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", Integer.toString(function.memoryMegabytes())),
        Map.entry("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/" + function.name()),
        Map.entry("AWS_LAMBDA_LOG_STREAM_NAME", "local"),
        Map.entry("AWS_ACCESS_KEY_ID", LocalAccount.ACCESS_KEY),
        Map.entry("AWS_SECRET_ACCESS_KEY", LocalAccount.ACCESS_KEY),
        Map.entry("AWS_DEFAULT_REGION", LocalAccount.REGION),
        Map.entry("LAMBDA_TASK_ROOT", code.toString()),
        Map.entry("_HANDLER", function.handler()),
        Map.entry("LANG", "en_US.UTF-8"),
        Map.entry("TZ", ":UTC"));
  }

  /**
   * Waits until the function is initialized.
   *
   * @throws FunctionFault if the initialization fails
   */
  void awaitReady() {
    await(api.ready(), LONGEST_START, "is not initialized after ");
  }

  /**
   * @param event the event as JSON
   * @return the function's answer, as JSON
   * @throws FunctionFault if the function threw, ended or timed out; after a time-out, its process
   *     is killed
   */
  String invoke(String event) {
    Instant deadline = Instant.now().plus(function.timeout());
    return await(api.invoke(event, deadline), function.timeout(), "timed out after ");
  }

  private <T> T await(CompletableFuture<T> answer, Duration longest, String tooLong) {
    try {
      return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      close();
      throw new FunctionFault(
          function.name() + " " + tooLong + longest.toSeconds() + " s and was stopped");
    } catch (ExecutionException failed) {
      Throwable cause = Objects.requireNonNull(failed.getCause());
      throw new FunctionFault(function.name() + ": " + cause.getMessage());
    } catch (InterruptedException stopped) {
      close();
      Thread.currentThread().interrupt();
      throw new FunctionFault(function.name() + " was stopped");
    }
  }

  /** The processor time that each thread of the process has used, in nanoseconds. */
  Map<Path, Long> processorNanos() {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    try (Stream<Path> each = Files.list(threads)) {
      return each.collect(Collectors.toMap(thread -> thread, ExecutionEnvironment::processorNanos));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static long processorNanos(Path thread) {
    try {
      return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
    } catch (IOException ended) {
      return 0;
    }
  }

  /** Whether the process can handle another event. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** Kills the process and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    api.close();
  }

  private void ended(Process dead) {
    api.abandon(new FunctionFault("its process ended with exit code " + dead.exitValue()));
    api.close();
  }

  /** Copies the function's output to the error output, which takes the place of its log group. */
  private void copyOutput() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output.lines().forEach(line -> System.err.println(function.name() + ": " + line));
    } catch (IOException | UncheckedIOException ended) {
      // The process was killed while it wrote.
      return;
    }
  }
}
