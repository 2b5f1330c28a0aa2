package dev.carillon.job;

import dev.carillon.document.MessageLimits;
import java.util.List;

/**
 * The reason of a transition of a job: a code and its arguments. Programs use the code and the
 * arguments; the text for users is made from them.
 *
 * @param arguments the arguments in the order that the code documents; instants and durations are
 *     in ISO-8601
 */
public record Reason(ReasonCode code, List<String> arguments) {

  /** The argument of a cancellation if the request may have been sent nevertheless. */
  public static final String INTERRUPTED = "interrupted";

  private static final int LONGEST = 300;

  /** Cuts long arguments off, so that an item stays within one write unit. */
  public Reason {
    arguments = arguments.stream().map(Reason::shorten).toList();
  }

  /** Formats the arguments as text. */
  public static Reason of(ReasonCode code, Object... arguments) {
    return new Reason(code, List.of(arguments).stream().map(Object::toString).toList());
  }

  /** The text for users. */
  public String text() {
    return shorten(code.text(arguments));
  }

  private static String shorten(String text) {
    return MessageLimits.cut(text, LONGEST, "…");
  }
}
