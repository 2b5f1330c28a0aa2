package dev.carillon.template;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which names a schedule's own message attributes may have. */
public final class AttributeName {

  private static final String RESERVED_PREFIX = "carillon-";
  private static final Pattern NAME =
      Pattern.compile("(?!(?i:aws|amazon)\\.)[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int LONGEST_NAME = 256;

  private AttributeName() {}

  /** Why a schedule's own attribute cannot be called that; empty if it can. */
  public static Optional<String> fault(String name) {
    if (name.toLowerCase(Locale.ROOT).startsWith(RESERVED_PREFIX)) {
      return Optional.of(
          "attribute names that begin with carillon- are Carillon's own; choose another name");
    }
    return name.length() <= LONGEST_NAME && NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            "SQS takes no attribute with such a name: use 1 to 256 letters, digits, _, - and single"
                + " dots between them, not beginning with AWS. or Amazon.");
  }
}
