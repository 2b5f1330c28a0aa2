package dev.carillon.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.run.RetryPolicy;
import dev.carillon.run.RunPolicy;
import dev.carillon.run.Tracking;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the time-outs and retries of runs from a schedule document. */
final class RunReader {

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(14);
  private static final int MOST_ATTEMPTS = 100;
  private static final BigDecimal SMALLEST_RATE = BigDecimal.ONE;
  private static final BigDecimal LARGEST_RATE = BigDecimal.TEN;
  private static final int RATE_DIGITS = 6;

  private RunReader() {}

  /** How the runs are tracked; null if they are not. The jobs of a pool are always tracked. */
  static @Nullable RunPolicy read(Fields document, Faults faults) {
    if (!document.has("tracking") && !document.has("pool")) {
      refuseUntracked(document, "retry", "no worker can report a failure");
      refuseUntracked(document, "operations", "no worker can report them");
      return null;
    }
    return new RunPolicy(
        tracking(document.object("tracking")),
        retry(document.object("retry")),
        OperationReader.read(document, faults));
  }

  private static void refuseUntracked(Fields document, String name, String why) {
    if (document.has(name)) {
      document.refuse(name, "without \"tracking\" " + why + "; add \"tracking\": {} or remove it");
    }
  }

  private static Tracking tracking(Fields fields) {
    fields.allowOnly(List.of("enqueueTimeout", "claimTimeout", "heartbeatTimeout", "runTimeout"));
    Tracking usual = Tracking.USUAL;
    return new Tracking(
        timeout(fields, "enqueueTimeout", usual.enqueueTimeout()),
        timeout(fields, "claimTimeout", usual.claimTimeout()),
        timeout(fields, "heartbeatTimeout", usual.heartbeatTimeout()),
        timeout(fields, "runTimeout", usual.runTimeout()));
  }

  private static Duration timeout(Fields fields, String name, Duration usual) {
    return fields.has(name) ? fields.duration(name, SHORTEST, LONGEST) : usual;
  }

  private static RetryPolicy retry(Fields fields) {
    fields.allowOnly(List.of("maxAttempts", "backoff", "rate", "maxBackoff"));
    RetryPolicy usual = RetryPolicy.USUAL;
    Duration backoff =
        fields.has("backoff")
            ? fields.duration("backoff", Duration.ZERO, LONGEST)
            : usual.backoff();
    Duration most =
        fields.has("maxBackoff")
            ? fields.duration("maxBackoff", Duration.ZERO, LONGEST)
            : longer(usual.maxBackoff(), backoff);
    boolean isRead = !fields.isRefused("backoff") && !fields.isRefused("maxBackoff");
    if (isRead && most.compareTo(backoff) < 0) {
      fields.refuse("maxBackoff", "\"backoff\" is " + backoff + "; give at least as much");
    }
    return new RetryPolicy(
        (int) fields.whole("maxAttempts", 1, MOST_ATTEMPTS, usual.maxAttempts()),
        backoff,
        rate(fields),
        most);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static double rate(Fields fields) {
    if (!fields.has("rate")) {
      return RetryPolicy.USUAL.rate();
    }
    BigDecimal rate = fields.decimal("rate", RATE_DIGITS);
    boolean fits = rate.compareTo(SMALLEST_RATE) >= 0 && rate.compareTo(LARGEST_RATE) <= 0;
    if (!fits && !fields.isRefused("rate")) {
      fields.refuse("rate", "give a number from 1 to 10");
    }
    return rate.doubleValue();
  }

  /**
   * The members {@code operations}, {@code tracking} and {@code retry} with all defaults; null if
   * there are none.
   */
  static void write(ObjectNode document, @Nullable RunPolicy runs) {
    OperationReader.write(document, runs == null ? List.of() : runs.operations());
    if (runs == null) {
      document.putNull("tracking").putNull("retry");
      return;
    }
    Tracking tracking = runs.tracking();
    document
        .putObject("tracking")
        .put("enqueueTimeout", tracking.enqueueTimeout().toString())
        .put("claimTimeout", tracking.claimTimeout().toString())
        .put("heartbeatTimeout", tracking.heartbeatTimeout().toString())
        .put("runTimeout", tracking.runTimeout().toString());
    RetryPolicy retry = runs.retry();
    ObjectNode written = document.putObject("retry");
    written.put("maxAttempts", retry.maxAttempts()).put("backoff", retry.backoff().toString());
    written.set(
        "rate", Json.object().numberNode(BigDecimal.valueOf(retry.rate()).stripTrailingZeros()));
    written.put("maxBackoff", retry.maxBackoff().toString());
  }
}
