package dev.carillon.launch;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of ARNs: {@code *} matches any characters except a colon, and {@code {ns}} matches a
 * schedule's namespace. {@code *} alone matches every ARN.
 */
final class ArnPattern {

  private static final String ANY = "*";
  private static final String NAMESPACE = "{ns}";
  private static final Pattern MARK = Pattern.compile("\\*|\\{ns}");

  private final String text;
  // Each launch uses the pattern, so a pattern without {ns} is compiled once.
  private final @Nullable Pattern common;

  ArnPattern(String text) {
    this.text = text;
    this.common = text.contains(NAMESPACE) ? null : expression("");
  }

  boolean fits(String namespace, String arn) {
    Pattern expression = common == null ? expression(namespace) : common;
    return text.equals(ANY) || expression.matcher(arn).matches();
  }

  /** The text of the pattern for one namespace. */
  String in(String namespace) {
    return text.replace(NAMESPACE, namespace);
  }

  private Pattern expression(String namespace) {
    StringBuilder expression = new StringBuilder();
    Matcher mark = MARK.matcher(text);
    int done = 0;
    while (mark.find()) {
      expression.append(Pattern.quote(text.substring(done, mark.start())));
      expression.append(mark.group().equals(ANY) ? "[^:]*" : Pattern.quote(namespace));
      done = mark.end();
    }
    return Pattern.compile(expression + Pattern.quote(text.substring(done)));
  }
}
