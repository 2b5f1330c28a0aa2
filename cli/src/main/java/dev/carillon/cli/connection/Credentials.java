package dev.carillon.cli.connection;

import dev.carillon.client.CarillonException;
import java.util.Locale;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;

/** Explains faults of AWS credentials, and their remedies. */
public final class Credentials {

  /** The remedy if no credentials were found, or if AWS does not issue them. */
  public static final String NONE_REMEDY =
      "log in again, or name credentials by --profile or AWS_ACCESS_KEY_ID; after 'aws sso login':"
          + " eval \"$(aws configure export-credentials --format env)\"";

  /** The remedy if credentials were found, but AWS does not accept them. */
  public static final String REFUSED_REMEDY =
      "log in again, and set the clock by NTP; signatures fail when it is 5 minutes off";

  private Credentials() {}

  /** A fault of the SDK in one line, without the list of all providers that the SDK tried. */
  public static String fault(SdkException fault) {
    String text = String.valueOf(fault.getMessage()).replaceAll("\\s+", " ");
    if (text.startsWith("Unable to load credentials from any of the providers")) {
      return "no credentials are found";
    }
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end);
  }

  /**
   * Whether a request was refused because of its credentials or its clock, and not because of a
   * missing permission.
   */
  public static boolean areRefused(CarillonException.Denied denied) {
    String detail = denied.problem().detail().toLowerCase(Locale.ROOT);
    return Stream.of("expired", "security token", "signature").anyMatch(detail::contains);
  }
}
