package dev.carillon.campaign;

import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Remembered;
import dev.carillon.job.Gates;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Functions that mistake constraints, or the reports of ends that these count. */
final class FaultyConstraints {

  private static final Pattern WINDOW =
      Pattern.compile("\"type\": \"timeWindow\", \"from\": \"[^\"]+\", \"to\": \"[^\"]+\"");
  private static final String ALWAYS =
      "\"type\": \"timeWindow\", \"from\": \"00:00\", \"to\": \"24:00\"";

  private FaultyConstraints() {}

  private static Tampering received(FunctionName by, UnaryOperator<String> change) {
    return new Tampering() {
      @Override
      public String received(FunctionName function, String body) {
        return function == by ? change.apply(body) : body;
      }
    };
  }

  static Tampering windowsAlwaysOpen() {
    return received(FunctionName.API, body -> WINDOW.matcher(body).replaceAll(ALWAYS));
  }

  static Tampering waitingInsteadOfSkipping() {
    return received(FunctionName.API, body -> body.replace(", \"onUnmet\": \"skip\"", ""));
  }

  /** A window that would make a job wait ends it. */
  static Tampering skippingInsteadOfWaiting() {
    return received(
        FunctionName.API,
        body ->
            body.contains("\"sinceLastRun\"")
                ? body.replaceAll(
                    "(\"type\": \"sinceLastRun\", \"duration\": \"[^\"]+\")}",
                    "$1, \"onUnmet\": \"skip\"}")
                : body);
  }

  /** A run that failed or was cancelled counts as one that succeeded. */
  static Tampering successesOnly() {
    return received(
        FunctionName.INGEST,
        body ->
            body.contains("\"id\": \"end-")
                ? body.replaceAll("\"(FAILED|CANCELLED)\"", "\"SUCCEEDED\"")
                : body);
  }

  /** An end that names no run ends none. */
  static Tampering withoutUnnamedEnds() {
    return received(
        FunctionName.INGEST,
        body ->
            body.contains("PROGRAM_STATUS") && !body.contains("runId")
                ? body.replace("\"programId\": \"", "\"programId\": \"other-")
                : body);
  }

  /** The end of a run that failed counts for {@code sinceLastRun} as that of a success. */
  static final class FailedEndsCount implements Tampering {
    private InstantSource clock = InstantSource.system();

    @Override
    public InstantSource clock(FunctionName function, InstantSource real) {
      clock = real;
      return real;
    }

    @Override
    public Gates gates(FunctionName function, Gates real) {
      return FaultyGates.storing(real, this::counted);
    }

    private Gate counted(Gate before, Gate after) {
      boolean isFreed = after.slots().size() < before.slots().size();
      return isFreed ? after.succeeded(clock.instant()) : after;
    }
  }

  static Gates withoutSuccesses(Gates real) {
    return FaultyGates.storing(
        real,
        (before, after) ->
            FaultyGates.remembering(
                after,
                new Remembered(
                    after.launches(),
                    after.past().dropped(),
                    before.lastSuccess(),
                    after.past().ends(),
                    after.past().unsureUntil())));
  }
}
