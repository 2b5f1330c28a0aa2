package dev.carillon.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a text could not be read as JSON, for the one who wrote it. */
public final class NotJson {

  private static final Pattern TWICE = Pattern.compile("(?s)Duplicate field '(.*)'");

  private NotJson() {}

  /**
   * @param subject what should have been JSON, like "the body"
   */
  public static String detail(String subject, JsonProcessingException fault) {
    if (fault instanceof StreamConstraintsException) {
      return ("%s nests deeper than %d, or has a number or key that is far too long;"
              + " flatten it, or shorten that")
          .formatted(subject, Json.DEEPEST);
    }
    JsonLocation location = fault.getLocation();
    String place =
        location == null
            ? ""
            : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
    Matcher twice = TWICE.matcher(String.valueOf(fault.getOriginalMessage()));
    return twice.matches()
        ? "%s has the key %s twice%s; keep one of them"
            .formatted(subject, Faults.quoted(twice.group(1)), place)
        : subject + " is not JSON" + place + "; send one JSON object";
  }
}
