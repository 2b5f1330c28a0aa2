package dev.carillon.gate;

import dev.carillon.job.Subject;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which gate: that of a program, or of a group of programs, of one namespace. */
public record GateKey(String namespace, Kind kind, String name) implements Subject {

  /** What a gate belongs to. */
  public enum Kind {
    PROGRAM,
    GROUP
  }

  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_-]{1,32})#(program|group):([A-Za-z0-9_.-]{1,64})");

  public static GateKey ofProgram(String namespace, String program) {
    return new GateKey(namespace, Kind.PROGRAM, program);
  }

  public static GateKey ofGroup(String namespace, String group) {
    return new GateKey(namespace, Kind.GROUP, group);
  }

  /**
   * @throws IllegalArgumentException if it is no key
   */
  public static GateKey parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("not a gate: " + text);
    }
    Kind kind = Kind.valueOf(form.group(2).toUpperCase(Locale.ROOT));
    return new GateKey(form.group(1), kind, form.group(3));
  }

  /** In words for users. */
  public String shown() {
    return word() + " " + name;
  }

  private String word() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return namespace + "#" + word() + ":" + name;
  }
}
