package dev.carillon.launch;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which queues schedules may send to in this deployment.
 *
 * @param region of queues that are given by name or by a URL that does not say
 * @param account of queues that are given by name
 * @param allowedPatterns ARNs in which {@code *} stands for any characters but a colon and {@code
 *     {ns}} for the schedule's namespace; {@code *} alone allows every queue. Namespaces hold the
 *     same letters as queue names, so {@code x-{ns}-*} lets namespace {@code a} reach what is meant
 *     for {@code a-b}: only names that end with {@code {ns}} separate strictly
 * @param reservedPatterns ARNs, in the same form, of Carillon's own queues, which are never targets
 */
public record TargetPolicy(
    String region, String account, List<String> allowedPatterns, Set<String> reservedPatterns) {

  private static final String ANY = "*";
  private static final String NAMESPACE = "{ns}";
  private static final Pattern URL =
      Pattern.compile("https?://(?<host>[^/?#]+)/(?<account>[0-9]{12})/(?<name>[^/?#]+)/?");
  private static final Pattern REGIONAL_HOST =
      Pattern.compile(
          "sqs\\.(?<region>[a-z0-9-]+)\\.(amazonaws\\.com(\\.cn)?|localhost\\.localstack\\.cloud)"
              + "(:[0-9]+)?");
  private static final Pattern MARK = Pattern.compile("\\*|\\{ns}");

  public TargetPolicy {
    allowedPatterns = List.copyOf(allowedPatterns);
    reservedPatterns = Set.copyOf(reservedPatterns);
  }

  /**
   * The ARN of a queue that is given by name, URL or ARN.
   *
   * @throws IllegalArgumentException if it is none of them, with a message for the user
   */
  public String resolve(String queue) {
    if (queue.startsWith("arn:")) {
      return QueueArn.parse(queue).toString();
    }
    if (queue.contains("://")) {
      return fromUrl(queue).toString();
    }
    return QueueArn.of(region, account, queue).toString();
  }

  /** Why a schedule of the namespace may not send to the queue; empty if it may. */
  public Optional<String> refusal(String namespace, String arn) {
    if (reservedPatterns.stream().anyMatch(pattern -> fits(pattern, namespace, arn))) {
      return Optional.of(
          "the queue %s is one of Carillon's own and no target; name another queue".formatted(arn));
    }
    if (allowedPatterns.stream().anyMatch(pattern -> fits(pattern, namespace, arn))) {
      return Optional.empty();
    }
    return Optional.of(
        "the queue %s is not allowed as a target here; allowed are %s"
            .formatted(arn, shown(namespace)));
  }

  private QueueArn fromUrl(String url) {
    Matcher form = URL.matcher(url);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no URL of an SQS queue; write https://sqs.REGION.amazonaws.com/ACCOUNT/NAME"
              .formatted(url));
    }
    Matcher host = REGIONAL_HOST.matcher(form.group("host"));
    return QueueArn.of(
        host.matches() ? host.group("region") : region, form.group("account"), form.group("name"));
  }

  private static boolean fits(String pattern, String namespace, String arn) {
    return pattern.equals(ANY) || expression(pattern, namespace).matcher(arn).matches();
  }

  private static Pattern expression(String pattern, String namespace) {
    StringBuilder expression = new StringBuilder();
    Matcher mark = MARK.matcher(pattern);
    int done = 0;
    while (mark.find()) {
      expression.append(Pattern.quote(pattern.substring(done, mark.start())));
      expression.append(mark.group().equals(ANY) ? "[^:]*" : Pattern.quote(namespace));
      done = mark.end();
    }
    return Pattern.compile(expression + Pattern.quote(pattern.substring(done)));
  }

  private String shown(String namespace) {
    Stream<String> shown =
        allowedPatterns.stream().map(pattern -> pattern.replace(NAMESPACE, namespace));
    return allowedPatterns.isEmpty() ? "none" : shown.collect(Collectors.joining(", "));
  }
}
