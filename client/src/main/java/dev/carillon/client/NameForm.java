package dev.carillon.client;

import dev.carillon.client.schedule.Json;
import java.util.List;
import java.util.Optional;

/**
 * The form of the names in paths. The client checks it before it sends a request, because the API
 * sees only the encoded letters of another name.
 */
public enum NameForm {
  NAMESPACE(
      "[A-Za-z0-9_-]{1,32}", "name of a namespace", "give 1 to 32 letters, digits, \"_\" or \"-\""),

  /** The form of the names of schedules, programs, apps, calendars, pools and resources. */
  OBJECT(
      "(?!\\.+\\z)[A-Za-z0-9_.-]{1,64}",
      "name",
      "give 1 to 64 letters, digits, \".\", \"_\" or \"-\", but not only dots");

  private static final int INVALID = 400;

  private final String pattern;
  private final String what;
  private final String remedy;

  NameForm(String pattern, String what, String remedy) {
    this.pattern = pattern;
    this.what = what;
    this.remedy = remedy;
  }

  /** Why a text is no such name, and what to give instead; empty if it is one. */
  public Optional<String> fault(String text) {
    return text.matches(pattern)
        ? Optional.empty()
        : Optional.of("%s is not a valid %s; %s".formatted(Json.write(text), what, remedy));
  }

  /**
   * The name as a segment of a path.
   *
   * @throws CarillonException.Invalid if the text is no such name
   */
  String segment(String text) {
    fault(text)
        .ifPresent(
            fault -> {
              throw new CarillonException.Invalid(
                  "", new Problem("a name is not valid", INVALID, fault, List.of(), "about:blank"));
            });
    return text;
  }
}
