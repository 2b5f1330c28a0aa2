package dev.carillon.document;

import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Pattern;

/** What to write instead of an unknown time zone. */
final class Zones {

  private static final Pattern ABBREVIATION = Pattern.compile("[A-Z]{3,4}[0-9]?");
  private static final int LONGEST = 64;

  private Zones() {}

  static String remedy(String unknown) {
    Optional<String> near =
        unknown.length() <= LONGEST
            ? Nearest.to(unknown, ZoneId.getAvailableZoneIds())
            : Optional.empty();
    boolean isAbbreviation =
        ABBREVIATION.matcher(unknown).matches()
            && !near.filter(unknown::equalsIgnoreCase).isPresent();
    return "the time zone is unknown; "
        + (isAbbreviation
            ? "give a name like \"America/New_York\" instead of an abbreviation"
            : near.map(Fields::didYouMean).orElse("give one like \"Europe/Berlin\" or \"UTC\""));
  }
}
