package dev.carillon.worker;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The text of a failure, as the job shows it. */
final class ErrorText {

  private static final int MOST_BYTES = 4096;
  private static final int MOST_FRAMES = 10;
  private static final int MOST_CAUSES = 10;

  private ErrorText() {}

  /**
   * The stack trace, cut to 4 KB. It has a few frames of each cause, because these are worth more
   * than all frames of one cause.
   */
  static String of(Throwable failure) {
    StringBuilder text = new StringBuilder();
    @Nullable Throwable each = failure;
    for (int depth = 0; each != null && depth < MOST_CAUSES; depth++) {
      append(each, depth == 0 ? "" : "Caused by: ", text);
      each = each.getCause();
    }
    return cut(text.toString());
  }

  private static void append(Throwable failure, String prefix, StringBuilder text) {
    text.append(prefix).append(failure).append('\n');
    StackTraceElement[] frames = failure.getStackTrace();
    for (int i = 0; i < frames.length && i < MOST_FRAMES; i++) {
      text.append("\tat ").append(frames[i]).append('\n');
    }
    if (frames.length > MOST_FRAMES) {
      text.append("\t... ").append(frames.length - MOST_FRAMES).append(" more\n");
    }
  }

  /**
   * As many whole characters as fit into 4 KB of UTF-8. Half of a surrogate pair becomes a question
   * mark, because the server would refuse it, and with it the report of the failure.
   */
  static String cut(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(text), bytes, true);
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }
}
