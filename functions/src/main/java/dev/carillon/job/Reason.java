package dev.carillon.job;

import java.util.List;

/**
 * Why a job made a transition: a code, and what is particular about this one. Programs go by these;
 * the text for users is made from them.
 *
 * @param arguments in the order that the code names; instants and durations in ISO-8601
 */
public record Reason(ReasonCode code, List<String> arguments) {

  /** The argument of a cancellation after which the request may have been sent all the same. */
  public static final String INTERRUPTED = "interrupted";

  private static final int LONGEST = 300;

  /** Longer arguments are cut: a row has to stay within its write unit. */
  public Reason {
    arguments = arguments.stream().map(Reason::shorten).toList();
  }

  /** One whose arguments are written out. */
  public static Reason of(ReasonCode code, Object... arguments) {
    return new Reason(code, List.of(arguments).stream().map(Object::toString).toList());
  }

  /** What users read. */
  public String text() {
    return shorten(code.text(arguments));
  }

  private static String shorten(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }
}
