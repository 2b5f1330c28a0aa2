package dev.carillon.launch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which queues schedules may send to in this deployment. */
public final class TargetPolicy {

  private static final Pattern URL =
      Pattern.compile("https?://(?<host>[^/?#]+)/(?<account>[0-9]{12})/(?<name>[^/?#]+)/?");
  private static final Pattern REGIONAL_HOST =
      Pattern.compile(
          "sqs\\.(?<region>[a-z0-9-]+)\\.(amazonaws\\.com(\\.cn)?|localhost\\.localstack\\.cloud)"
              + "(:[0-9]+)?");

  private final String region;
  private final String account;
  private final String targetPrefix;
  private final List<ArnPattern> allowed;
  private final List<ArnPattern> reserved;

  /**
   * @param region of all targets; queues that are given by name or by a URL that does not say are
   *     there
   * @param account of queues that are given by name
   * @param targetPrefix what the names of this deployment's targets begin with: a name that does
   *     not is the rest of such a name
   * @param allowedPatterns ARNs in which {@code *} stands for any characters but a colon and {@code
   *     {ns}} for the schedule's namespace; {@code *} alone allows every queue. Namespaces hold the
   *     same letters as queue names, so {@code x-{ns}-*} lets namespace {@code a} reach what is
   *     meant for {@code a-b}: only names that end with {@code {ns}} separate strictly
   * @param reservedPatterns ARNs, in the same form, of Carillon's own queues, which are never
   *     targets
   */
  public TargetPolicy(
      String region,
      String account,
      String targetPrefix,
      Collection<String> allowedPatterns,
      Collection<String> reservedPatterns) {
    this.region = region;
    this.account = account;
    this.targetPrefix = targetPrefix;
    this.allowed = patterns(allowedPatterns);
    this.reserved = patterns(reservedPatterns);
  }

  private static List<ArnPattern> patterns(Collection<String> texts) {
    List<ArnPattern> patterns = new ArrayList<>();
    texts.forEach(text -> patterns.add(new ArnPattern(text)));
    return patterns;
  }

  /** The same place, where every queue is allowed. */
  public TargetPolicy allowingAll() {
    return new TargetPolicy(region, account, targetPrefix, List.of("*"), List.of());
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
    return QueueArn.of(region, account, wholeName(queue)).toString();
  }

  private String wholeName(String name) {
    String checked = QueueArn.checkedName(name);
    if (checked.startsWith(targetPrefix)) {
      return checked;
    }
    String whole = targetPrefix + checked;
    if (whole.length() > QueueArn.LONGEST_NAME) {
      throw new IllegalArgumentException(
          "the queue \"%s\" is %s here, which has %d characters, and a queue name at most %d; shorten it"
              .formatted(name, whole, whole.length(), QueueArn.LONGEST_NAME));
    }
    return whole;
  }

  /** Why a schedule of the namespace may not send to the queue; empty if it may. */
  public Optional<String> refusal(String namespace, String arn) {
    QueueArn queue = QueueArn.parse(arn);
    if (!queue.isWhereItsRegionIs()) {
      return Optional.of(
          "there is no queue %s: its partition is not that of its region".formatted(arn));
    }
    if (isAmong(reserved, namespace, arn)) {
      return Optional.of(
          "the queue %s is one of Carillon's own and no target; name another queue".formatted(arn));
    }
    if (!queue.region().equals(region)) {
      return Optional.of(
          "the queue %s is in the region %s, and requests are sent within %s alone; name a queue there"
              .formatted(arn, queue.region(), region));
    }
    if (isAmong(allowed, namespace, arn)) {
      return Optional.empty();
    }
    return Optional.of(
        "the queue %s is not allowed as a target here; allowed are %s"
            .formatted(arn, shown(namespace)));
  }

  private static boolean isAmong(List<ArnPattern> patterns, String namespace, String arn) {
    for (ArnPattern pattern : patterns) {
      if (pattern.fits(namespace, arn)) {
        return true;
      }
    }
    return false;
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

  private String shown(String namespace) {
    String shown =
        allowed.stream().map(pattern -> pattern.in(namespace)).collect(Collectors.joining(", "));
    return allowed.isEmpty() ? "none" : shown;
  }
}
