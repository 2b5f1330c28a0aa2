package dev.carillon.dynamodb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.run.Claim;
import dev.carillon.run.FinalReport;
import dev.carillon.run.Operations;
import dev.carillon.run.Place;
import dev.carillon.run.RetryPolicy;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.run.Tracking;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;

/**
 * A run as a JSON object with short names. Members that are absent or have their default are left
 * out: {@code p} the policy without its operations, {@code a} the operations with their states,
 * {@code c} the claim, {@code f} the last final report, {@code x} that a cancellation was
 * requested, {@code g} the progress, {@code o} the output, {@code e} the error, {@code k} the place
 * in a pool.
 */
final class RunText {

  static final AttributeConverter<Run> FORM = Forms.text(Run.class, RunText::write, RunText::read);

  private RunText() {}

  private static String write(Run run) {
    ObjectNode text = Json.object();
    if (!run.policy().with(List.of()).equals(RunPolicy.USUAL)) {
      text.set("p", policy(run.policy()));
    }
    Place place = run.place();
    if (place != null) {
      ArrayNode parts = text.putArray("k").add(place.pool()).add(place.since().toEpochMilli());
      if (place.isCounted()) {
        parts.add(true);
      }
    }
    if (!run.operations().isEmpty()) {
      text.set("a", OperationsText.write(run.operations()));
    }
    Claim claim = run.claim();
    if (claim != null) {
      ArrayNode parts = text.putArray("c").add(claim.worker()).add(claim.token());
      parts.add(claim.claimedAt().toEpochMilli());
      if (claim.startedAt() != null) {
        parts.add(claim.startedAt().toEpochMilli());
      }
      if (claim.reportedAt() != null) {
        parts.add(claim.reportedAt().toEpochMilli());
      }
    }
    FinalReport last = run.last();
    if (last != null) {
      text.putArray("f").add(last.token()).add(last.isSuccess());
    }
    if (run.isCancelRequested()) {
      text.put("x", true);
    }
    set(text, "g", run.progress());
    set(text, "o", run.output());
    if (run.error() != null) {
      text.put("e", run.error());
    }
    return Json.write(text);
  }

  private static void set(ObjectNode text, String name, @Nullable JsonNode value) {
    if (value != null) {
      text.set(name, value);
    }
  }

  private static ArrayNode policy(RunPolicy policy) {
    Tracking tracking = policy.tracking();
    RetryPolicy retry = policy.retry();
    ArrayNode parts = Json.object().putArray("p");
    parts.add(tracking.enqueueTimeout().toMillis()).add(tracking.claimTimeout().toMillis());
    parts.add(tracking.heartbeatTimeout().toMillis()).add(tracking.runTimeout().toMillis());
    parts.add(retry.maxAttempts()).add(retry.backoff().toMillis()).add(retry.rate());
    return parts.add(retry.maxBackoff().toMillis());
  }

  private static Run read(String text) {
    JsonNode parts = parse(text);
    Operations operations = parts.has("a") ? OperationsText.read(parts.get("a")) : Operations.NONE;
    RunPolicy policy = parts.has("p") ? policy(parts.get("p")) : RunPolicy.USUAL;
    return new Run(
        policy.with(operations.all()),
        parts.has("k") ? place(parts.get("k")) : null,
        operations,
        parts.has("c") ? claim(parts.get("c")) : null,
        parts.has("f")
            ? new FinalReport(parts.get("f").get(0).textValue(), parts.get("f").get(1).asBoolean())
            : null,
        parts.has("x"),
        parts.get("g"),
        parts.get("o"),
        parts.has("e") ? parts.get("e").textValue() : null);
  }

  private static Place place(JsonNode parts) {
    return new Place(
        parts.get(0).textValue(), Instant.ofEpochMilli(parts.get(1).longValue()), parts.has(2));
  }

  private static JsonNode parse(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException damage) {
      throw new IllegalStateException("a stored run is not valid JSON", damage);
    }
  }

  private static RunPolicy policy(JsonNode parts) {
    return new RunPolicy(
        new Tracking(millis(parts, 0), millis(parts, 1), millis(parts, 2), millis(parts, 3)),
        new RetryPolicy(
            parts.get(4).intValue(),
            millis(parts, 5),
            parts.get(6).doubleValue(),
            millis(parts, 7)),
        List.of());
  }

  private static Duration millis(JsonNode parts, int index) {
    return Duration.ofMillis(parts.get(index).longValue());
  }

  private static Claim claim(JsonNode parts) {
    return new Claim(
        parts.get(0).textValue(),
        parts.get(1).textValue(),
        Instant.ofEpochMilli(parts.get(2).longValue()),
        instant(parts, 3),
        instant(parts, 4));
  }

  private static @Nullable Instant instant(JsonNode parts, int index) {
    return parts.has(index) ? Instant.ofEpochMilli(parts.get(index).longValue()) : null;
  }
}
