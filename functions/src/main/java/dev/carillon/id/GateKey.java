package dev.carillon.id;

import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which gate: that of a resource, of a group of programs, or of a program, of one namespace. */
public record GateKey(String namespace, Kind kind, String name) implements Subject {

  /** What a gate belongs to. */
  public enum Kind {
    RESOURCE,
    GROUP,
    PROGRAM
  }

  /**
   * In which a job passes its gates: at those behind the one where it waits it has to queue, not at
   * those before it. Slots are the scarcest, so they come last.
   */
  public static final Comparator<GateKey> ORDER =
      Comparator.comparing(GateKey::kind).thenComparing(GateKey::toString);

  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_-]{1,32})#(resource|group|program):([A-Za-z0-9_.-]{1,64})");

  public static GateKey ofProgram(String namespace, String program) {
    return new GateKey(namespace, Kind.PROGRAM, program);
  }

  public static GateKey ofGroup(String namespace, String group) {
    return new GateKey(namespace, Kind.GROUP, group);
  }

  public static GateKey ofResource(String namespace, String resource) {
    return new GateKey(namespace, Kind.RESOURCE, resource);
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

  /**
   * The same in each process, unlike the hash of an enum, so that sets of gates have one order: an
   * episode of the campaign has to follow from its seed alone.
   */
  @Override
  public int hashCode() {
    return Objects.hash(namespace, kind.name(), name);
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
