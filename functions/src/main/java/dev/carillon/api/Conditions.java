package dev.carillon.api;

import dev.carillon.schedule.Head;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * On what state of what it names its sender wants a request to be carried out.
 *
 * @param ifMatch null for any
 * @param ifNoneMatch null for any
 */
record Conditions(@Nullable String ifMatch, @Nullable String ifNoneMatch) {

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
   * @param what it is
   * @param present its ETag; null if there is none
   */
  void check(String what, @Nullable String present) {
    if (ifMatch != null && !matches(ifMatch, present)) {
      String is = present == null ? "there is none" : "it is " + present;
      throw Problem.stale(
          "the " + what + "'s ETag is not one of If-Match, " + is + "; read it again");
    }
    if (ifNoneMatch != null && matches(ifNoneMatch, present)) {
      throw Problem.stale("there is such a " + what + " already, which If-None-Match rules out");
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
