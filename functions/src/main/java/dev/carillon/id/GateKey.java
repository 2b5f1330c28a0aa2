package dev.carillon.id;

import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The key of a gate: that of a resource, a group of programs, or a program, in one namespace. */
public record GateKey(String namespace, Kind kind, String name) implements Subject {

  /** What a gate counts for. */
  public enum Kind {
    RESOURCE,
    GROUP,
    PROGRAM
  }

  /**
   * The order in which a job passes its gates. After a wait at one gate, it queues at the later
   * gates, and does not queue again at the earlier ones. Slots are the scarcest, so the gates that
   * have them come last.
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
   * @throws IllegalArgumentException if the text is not a gate key
   */
  public static GateKey parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("not a gate key: " + text);
    }
    Kind kind = Kind.valueOf(form.group(2).toUpperCase(Locale.ROOT));
    return new GateKey(form.group(1), kind, form.group(3));
  }

  /**
   * The hash is equal in all processes, unlike the hash of an enum constant. So sets of gates have
   * the same order everywhere, which the campaign needs: an episode must depend only on its seed.
   */
  @Override
  public int hashCode() {
    return Objects.hash(namespace, kind.name(), name);
  }

  /** The key in the form that users see. */
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
