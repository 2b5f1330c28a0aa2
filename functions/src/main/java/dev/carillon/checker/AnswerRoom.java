package dev.carillon.checker;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.carillon.launch.LaunchRequest;

/** The room for requests in the answer to a pull, because Lambda refuses an answer above 6 MB. */
final class AnswerRoom {

  /** The rest is for the other members of up to 25 jobs. */
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private int bytes;

  /** Adds a request that must be in the answer. */
  void add(LaunchRequest request) {
    bytes += bytes(request);
  }

  /** Adds a request; false if the room is too small for it. One request always fits. */
  boolean addIfItFits(LaunchRequest request) {
    int more = bytes(request);
    if (bytes > 0 && bytes + more > MOST_BYTES) {
      return false;
    }
    bytes += more;
    return true;
  }

  private static int bytes(LaunchRequest request) {
    int attributes =
        request.attributes().entrySet().stream()
            .mapToInt(one -> escaped(one.getKey()) + escaped(one.getValue()))
            .sum();
    return escaped(request.body()) + attributes;
  }

  /** The bytes of a text that is escaped twice: in the answer, and by Lambda with the answer. */
  private static int escaped(String text) {
    JsonStringEncoder encoder = JsonStringEncoder.getInstance();
    return encoder.quoteAsUTF8(new String(encoder.quoteAsString(text))).length;
  }
}
