package dev.carillon.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.MessageLimits;
import dev.carillon.document.TextForm;
import dev.carillon.run.OperationState;
import dev.carillon.run.Report;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the members of a report. The API and the report queue share this form. */
public final class ReportReader {

  /** The largest output of a run; it travels with events. */
  public static final int MOST_OUTPUT_BYTES = 8 * 1024;

  /** The largest progress of a run; each heartbeat stores it with the job. */
  public static final int MOST_PROGRESS_BYTES = 2 * 1024;

  /** The event that announces the end holds the output two levels deep. */
  private static final int DEEPEST_OUTPUT = Json.DEEPEST - 2;

  private static final int LONGEST_ERROR = 4 * 1024;
  private static final TextForm TOKEN = TextForm.line(64);
  private static final List<String> STATES =
      Arrays.stream(OperationState.values()).map(Enum::name).toList();

  /** The kinds of reports, by their names in routes and messages. */
  public enum Kind {
    HEARTBEAT("heartbeat"),
    SUCCEED("succeed"),
    FAIL("fail");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    /** The members that a report of this kind can have. */
    public List<String> members() {
      return switch (this) {
        case HEARTBEAT -> List.of("claimToken", "progress", "operations");
        case SUCCEED -> List.of("claimToken", "output");
        case FAIL -> List.of("claimToken", "error", "retriable");
      };
    }
  }

  /** A member that is too large to be stored with the job. */
  public record TooLarge(String member, int bytes, int most) {

    public String text() {
      return "\"%s\" has %d bytes; at most %d are kept. Store it elsewhere and report its address"
          .formatted(member, bytes, most);
    }
  }

  /**
   * The report and the first fault of size.
   *
   * @param report valid only if no fault was noted and nothing is too large
   * @param tooLarge the first member that is too large; null if none is
   */
  public record Read(Report report, @Nullable TooLarge tooLarge) {}

  private ReportReader() {}

  public static Read read(Kind kind, Fields body) {
    String token = body.text("claimToken", TOKEN);
    return switch (kind) {
      case HEARTBEAT ->
          new Read(
              new Report.Heartbeat(token, value(body, "progress"), operations(body)),
              tooLarge(body, "progress", MOST_PROGRESS_BYTES));
      case SUCCEED ->
          new Read(
              new Report.Success(token, output(body)), tooLarge(body, "output", MOST_OUTPUT_BYTES));
      case FAIL ->
          new Read(new Report.Failure(token, error(body), flag(body, "retriable", true)), null);
    };
  }

  private static @Nullable JsonNode output(Fields body) {
    JsonNode output = value(body, "output");
    if (output != null && Bounds.depth(output) > DEEPEST_OUTPUT) {
      body.refuse(
          "output",
          "objects and lists are nested more than %d deep; flatten them".formatted(DEEPEST_OUTPUT));
    }
    return output;
  }

  /** A value of any form; null if it is absent. */
  private static @Nullable JsonNode value(Fields body, String name) {
    return body.has(name) ? body.get(name) : null;
  }

  private static @Nullable TooLarge tooLarge(Fields body, String name, int most) {
    int bytes =
        body.has(name) ? Json.write(body.get(name)).getBytes(StandardCharsets.UTF_8).length : 0;
    return bytes > most ? new TooLarge(name, bytes, most) : null;
  }

  private static Map<String, OperationState> operations(Fields body) {
    Fields given = body.object("operations");
    Map<String, OperationState> states = new LinkedHashMap<>();
    for (String id : given.names()) {
      given
          .choice(id, STATES)
          .map(OperationState::valueOf)
          .ifPresent(state -> states.put(id, state));
    }
    return states;
  }

  /**
   * The error as text. A text that is too long is cut. Characters that no message can carry are
   * replaced, because a callback can carry the error.
   */
  private static @Nullable String error(Fields body) {
    if (!body.has("error")) {
      return null;
    }
    if (!body.get("error").isTextual()) {
      body.refuse("error", "give a text");
      return null;
    }
    String given = MessageLimits.clean(body.get("error").textValue());
    return MessageLimits.cut(given, LONGEST_ERROR, "");
  }

  private static boolean flag(Fields body, String name, boolean usual) {
    if (body.has(name) && !body.get(name).isBoolean()) {
      body.refuse(name, "give true or false");
    }
    return body.get(name).asBoolean(usual);
  }
}
