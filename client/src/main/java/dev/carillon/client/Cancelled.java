package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The jobs that a change cancels, as far as the API counted them.
 *
 * @param waiting the number of jobs with a satisfied trigger that waited for constraints
 * @param collecting the number of collecting jobs
 * @param mayBeMore whether the change may cancel more jobs
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Cancelled(int waiting, int collecting, boolean mayBeMore) {

  /** The header of answers without a body. */
  static final String HEADER = "Carillon-Cancelled";

  private static final Pattern WAITING = Pattern.compile("\\bwaiting=([0-9]{1,9})\\b");
  private static final Pattern COLLECTING = Pattern.compile("\\bcollecting=([0-9]{1,9})\\b");

  /** The counts of a header, like {@code waiting=2, collecting=1, may-be-more}. */
  static Cancelled ofHeader(String text) {
    return new Cancelled(
        count(WAITING, text), count(COLLECTING, text), text.contains("may-be-more"));
  }

  private static int count(Pattern member, String text) {
    Matcher found = member.matcher(text);
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }
}
