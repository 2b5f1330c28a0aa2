package dev.carillon.api;

import dev.carillon.document.Faults;
import dev.carillon.schedule.Head;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The preconditions of a request: its If-Match and If-None-Match headers.
 *
 * @param ifMatch null for any state
 * @param ifNoneMatch null for any state
 */
record Conditions(@Nullable String ifMatch, @Nullable String ifNoneMatch) {

  /** The entity tag of a stored item that cannot be read. */
  static final String UNREADABLE = "\"unreadable\"";

  static Conditions of(Call call) {
    return new Conditions(call.header("If-Match"), call.header("If-None-Match"));
  }

  /** The entity tag of a stored schedule, with its quotes. */
  static String etag(Head head) {
    return etag(head.version());
  }

  static String etag(long version) {
    return "\"" + version + "\"";
  }

  /**
   * @param head null if there is no such schedule
   */
  void check(@Nullable Head head) {
    check("schedule", head == null ? null : etag(head));
  }

  /**
   * @param what the kind of the resource
   * @param present its ETag; null if it does not exist
   */
  void check(String what, @Nullable String present) {
    if (ifMatch != null && !matches(ifMatch, present)) {
      String is =
          present == null
              ? "it does not exist; leave out If-Match to create it"
              : "its ETag is " + present + "; read it again";
      throw Problem.preconditionFailed(
          "the %s does not match If-Match %s: %s"
              .formatted(what, Faults.quoted(ifMatch.replace("\"", "")), is));
    }
    if (ifNoneMatch != null && matches(ifNoneMatch, present)) {
      throw Problem.preconditionFailed(
          "a "
              + what
              + " with the ETag "
              + present
              + " exists, which If-None-Match excludes; read it, or"
              + " send If-Match");
    }
  }

  private static boolean matches(String header, @Nullable String present) {
    return present != null
        && Arrays.stream(header.split(","))
            .map(String::strip)
            .anyMatch(tag -> tag.equals("*") || tag.equals(present) || quoted(tag).equals(present));
  }

  private static String quoted(String tag) {
    return "\"" + tag + "\"";
  }
}
