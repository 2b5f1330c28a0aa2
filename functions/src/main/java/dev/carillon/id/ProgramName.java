package dev.carillon.id;

import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;

/** A program's name as users write it: bare or with its namespace. */
public final class ProgramName {

  private ProgramName() {}

  /** Reads the bare name, and refuses a name of another namespace. */
  public static String read(Fields fields, String name, String namespace) {
    String given = fields.get(name).asText();
    int slash = given.indexOf('/');
    if (!fields.get(name).isTextual() || slash < 0) {
      return fields.text(name, TextForm.NAME);
    }
    String bare = given.substring(slash + 1);
    if (!given.substring(0, slash).equals(namespace)) {
      fields.refuse(
          name, "a program of another namespace is not allowed; name one of " + shown(namespace));
    } else if (!TextForm.NAME.fits(bare)) {
      fields.refuse(name, "after the \"/\" " + TextForm.NAME.remedy());
    }
    return bare;
  }

  private static String shown(String namespace) {
    return Faults.quoted(namespace);
  }
}
