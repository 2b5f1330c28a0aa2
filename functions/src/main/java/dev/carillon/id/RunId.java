package dev.carillon.id;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The run of one attempt of a job, as the subject of its time-outs. A wake-up has nothing to do if
 * it belongs to an earlier attempt, or to an attempt that a worker has claimed since.
 *
 * @param isClaimed whether a worker has claimed the attempt
 */
public record RunId(JobId job, int attempt, boolean isClaimed) implements Subject {

  private static final Pattern FORM =
      Pattern.compile("(?<job>[^#]+)#run:(?<attempt>[1-9][0-9]{0,4})(?<claimed>c?)");

  /** Whether a text has the form of the id of a run. */
  static boolean names(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * @throws IllegalArgumentException if the text is not the id of a run
   */
  static RunId parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("not a run: " + text);
    }
    return new RunId(
        JobId.parse(form.group("job")),
        Integer.parseInt(form.group("attempt")),
        !form.group("claimed").isEmpty());
  }

  @Override
  public String toString() {
    return job + "#run:" + attempt + (isClaimed ? "c" : "");
  }
}
