package dev.carillon.log;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.ContentionException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * Writes each entry as one line of JSON, with timestamp, level, message and request id under the
 * names that Lambda uses. If an argument is an id, the line also has its job id, schedule and
 * generation.
 */
final class JsonLogger extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1L;
  private static final int MOST_FRAMES = 30;
  private static final int MOST_CAUSES = 5;

  private final Level least;
  private final transient InstantSource clock;

  JsonLogger(String name, Level least, InstantSource clock) {
    this.name = name;
    this.least = least;
    this.clock = clock;
  }

  private boolean isEnabled(Level level) {
    return level.toInt() >= least.toInt();
  }

  @Override
  public boolean isTraceEnabled() {
    return isEnabled(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return isEnabled(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return isEnabled(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return isEnabled(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return isEnabled(Level.ERROR);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    ObjectNode entry =
        Json.object()
            .put("timestamp", clock.instant().toString())
            .put("level", level.name())
            .put("logger", name)
            .put("message", MessageFormatter.basicArrayFormat(pattern, arguments));
    String requestId = JsonLogProvider.requestId();
    if (requestId != null) {
      entry.put("requestId", requestId);
    }
    if (arguments != null) {
      for (Object argument : arguments) {
        addIdentity(entry, argument);
      }
    }
    if (thrown != null) {
      entry.set("error", error(thrown, 0));
    }
    System.out.println(Json.write(entry));
  }

  private static void addIdentity(ObjectNode entry, @Nullable Object argument) {
    if (argument instanceof JobId job) {
      entry.put("jobId", job.toString());
      entry.put("schedule", job.schedule().toString());
      entry.put("generation", job.generation());
    } else if (argument instanceof ScheduleId schedule) {
      entry.put("schedule", schedule.toString());
    }
  }

  private static ObjectNode error(Throwable thrown, int depth) {
    ObjectNode error = Json.object().put("type", thrown.getClass().getName());
    if (isFreeOfContents(thrown)) {
      error.put("message", thrown.getMessage());
    }
    ArrayNode frames = error.putArray("stackTrace");
    StackTraceElement[] trace = thrown.getStackTrace();
    for (int i = 0; i < Math.min(trace.length, MOST_FRAMES); i++) {
      frames.add(trace[i].toString());
    }
    if (thrown.getCause() != null && depth < MOST_CAUSES) {
      error.set("cause", error(thrown.getCause(), depth + 1));
    }
    return error;
  }

  /**
   * Whether the exception's message cannot quote user input. Parsers of JSON, numbers or times
   * quote their input. The SDK and the network name only services and hosts, and Carillon's own
   * texts name only ids.
   */
  private static boolean isFreeOfContents(Throwable thrown) {
    String type = thrown.getClass().getName();
    if (type.startsWith("software.amazon.awssdk.") || type.startsWith("java.net.")) {
      return true;
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    boolean isOwn =
        type.equals(IllegalStateException.class.getName()) || thrown instanceof ContentionException;
    return isOwn
        && !quotes(thrown.getMessage(), thrown.getCause())
        && trace.length > 0
        && trace[0].getClassName().startsWith("dev.carillon.");
  }

  /** If an exception was made only from its cause, its message repeats that of the cause. */
  private static boolean quotes(@Nullable String message, @Nullable Throwable cause) {
    return cause != null && cause.toString().equals(message);
  }
}
