package dev.carillon.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Collects the faults of a submitted document while it is read. */
public final class Faults {

  /**
   * The most faults that are listed, so that the answer to a large invalid document stays bounded.
   */
  public static final int MOST = 1_000;

  /** The most characters of all listed faults. Escapes can make seven bytes of one character. */
  public static final int MOST_CHARACTERS = 512 * 1024;

  /** The longest listed pointer; a document can have keys of any length. */
  private static final int LONGEST_POINTER = 8 * 1024;

  private static final int LONGEST_SHOWN = 80;

  private final List<Fault> found = new ArrayList<>();
  private int room = MOST_CHARACTERS;

  /** The faults that are listed of some. */
  public static List<Fault> listed(List<Fault> all) {
    Faults faults = new Faults();
    all.forEach(fault -> faults.add(fault.pointer(), fault.detail()));
    return faults.found();
  }

  /**
   * Adds a fault if it can be listed; the first one always can. If its pointer is too long, the
   * fault is that of the nearest value around it whose pointer is not.
   */
  public void add(String pointer, String detail) {
    String place =
        pointer.length() <= LONGEST_POINTER
            ? pointer
            : pointer.substring(0, pointer.lastIndexOf('/', LONGEST_POINTER));
    int length = place.length() + detail.length();
    if (found.isEmpty() || (found.size() < MOST && length <= room)) {
      found.add(new Fault(place, detail));
      room -= length;
    }
  }

  /** Whether the value at {@code pointer}, or a value within it, has a fault. */
  boolean existAt(String pointer) {
    String within = pointer + "/";
    return found.stream()
        .map(Fault::pointer)
        .anyMatch(place -> place.equals(pointer) || place.startsWith(within));
  }

  public boolean none() {
    return found.isEmpty();
  }

  public List<Fault> found() {
    return List.copyOf(found);
  }

  /** The JSON pointer of a member of the object at {@code pointer}. */
  public static String member(String pointer, String name) {
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  /** Formats a value for a fault's detail: shortened, and quoted if it is a text. */
  public static String shown(JsonNode value) {
    if (value.isTextual()) {
      return quoted(value.textValue());
    }
    if (value.isArray()) {
      return "a list";
    }
    if (value.isObject()) {
      return "an object";
    }
    return shortened(value.asText());
  }

  public static String quoted(String text) {
    return '"' + shortened(text) + '"';
  }

  private static String shortened(String text) {
    if (text.length() <= LONGEST_SHOWN) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, LONGEST_SHOWN / 2)) + "…";
  }
}
