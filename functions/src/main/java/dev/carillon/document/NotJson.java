package dev.carillon.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains why a text is not JSON, for the author of the text. */
public final class NotJson {

  private static final Pattern DUPLICATE = Pattern.compile("(?s)Duplicate field '(.*)'");

  private NotJson() {}

  /**
   * @param subject the text that is not JSON, like "the body"
   */
  public static String detail(String subject, JsonProcessingException fault) {
    if (fault instanceof StreamConstraintsException) {
      return ("%s is nested more than %d deep, or has a number or key that is far too long;"
              + " flatten or shorten it")
          .formatted(subject, Json.DEEPEST);
    }
    JsonLocation location = fault.getLocation();
    String place =
        location == null
            ? ""
            : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
    Matcher duplicate = DUPLICATE.matcher(String.valueOf(fault.getOriginalMessage()));
    return duplicate.matches()
        ? "%s has the key %s twice%s; keep one of them"
            .formatted(subject, Faults.quoted(duplicate.group(1)), place)
        : subject + " is not JSON" + place + "; send one JSON object";
  }
}
