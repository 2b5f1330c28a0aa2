package dev.carillon.template;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The allowed names of a schedule's own message attributes. */
public final class AttributeName {

  private static final String RESERVED_PREFIX = "carillon-";
  private static final Pattern NAME =
      Pattern.compile("(?!(?i:aws|amazon)\\.)[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int LONGEST_NAME = 256;

  private AttributeName() {}

  /** Why a schedule's own attribute cannot have this name; empty if it can. */
  public static Optional<String> fault(String name) {
    if (name.toLowerCase(Locale.ROOT).startsWith(RESERVED_PREFIX)) {
      return Optional.of(
          "names that begin with carillon- are reserved for Carillon; choose another name");
    }
    return name.length() <= LONGEST_NAME && NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            "SQS does not accept this attribute name; give 1 to 256 letters, digits, _, - and single"
                + " dots between them, not beginning with AWS. or Amazon.");
  }
}
