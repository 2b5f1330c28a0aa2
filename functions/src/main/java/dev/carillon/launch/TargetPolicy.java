package dev.carillon.launch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Decides which queues schedules can target in this deployment. */
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
  private final boolean isOneServer;

  /**
   * @param region the region of all targets, and of queues that are given by name or by a URL
   *     without a region
   * @param account the account of queues that are given by name
   * @param targetPrefix the prefix of the names of this deployment's targets; it is put before a
   *     queue name that does not begin with it
   * @param allowedPatterns ARNs in which {@code *} matches any characters except a colon and {@code
   *     {ns}} the schedule's namespace; {@code *} alone allows every queue. Namespaces and queue
   *     names can contain the same characters, so with {@code x-{ns}-*}, namespace {@code a} also
   *     reaches the queues of {@code a-b}. Only patterns that end with {@code {ns}} separate
   *     namespaces strictly
   * @param reservedPatterns patterns in the same form for Carillon's own queues, which are never
   *     targets
   */
  public TargetPolicy(
      String region,
      String account,
      String targetPrefix,
      Collection<String> allowedPatterns,
      Collection<String> reservedPatterns) {
    this(
        region,
        account,
        targetPrefix,
        patterns(allowedPatterns),
        patterns(reservedPatterns),
        false);
  }

  private TargetPolicy(
      String region,
      String account,
      String targetPrefix,
      List<ArnPattern> allowed,
      List<ArnPattern> reserved,
      boolean isOneServer) {
    this.region = region;
    this.account = account;
    this.targetPrefix = targetPrefix;
    this.allowed = allowed;
    this.reserved = reserved;
    this.isOneServer = isOneServer;
  }

  private static List<ArnPattern> patterns(Collection<String> texts) {
    List<ArnPattern> patterns = new ArrayList<>();
    texts.forEach(text -> patterns.add(new ArnPattern(text)));
    return patterns;
  }

  /** A policy of the same region, account and prefix that allows every queue. */
  public TargetPolicy allowingAll() {
    return new TargetPolicy(
        region, account, targetPrefix, patterns(List.of("*")), List.of(), isOneServer);
  }

  /**
   * The same policy for a server that stands for SQS in all regions and accounts, like that of a
   * local engine. An ARN or URL of any region and account names the queue of the same name on this
   * server.
   */
  public TargetPolicy ofOneServer() {
    return new TargetPolicy(region, account, targetPrefix, allowed, reserved, true);
  }

  /**
   * The ARN of a queue that is given by name, URL or ARN.
   *
   * @throws IllegalArgumentException if the text is none of these; the message is for the caller
   */
  public String resolve(String queue) {
    if (queue.startsWith("arn:")) {
      return here(QueueArn.parse(queue)).toString();
    }
    if (queue.contains("://")) {
      return here(fromUrl(queue)).toString();
    }
    return QueueArn.of(region, account, wholeName(queue)).toString();
  }

  private QueueArn here(QueueArn queue) {
    return isOneServer ? QueueArn.of(region, account, queue.name()) : queue;
  }

  private String wholeName(String name) {
    String checked = QueueArn.checkedName(name);
    if (checked.startsWith(targetPrefix)) {
      return checked;
    }
    String whole = targetPrefix + checked;
    if (whole.length() > QueueArn.LONGEST_NAME) {
      throw new IllegalArgumentException(
          "with the target prefix, the queue \"%s\" becomes %s: %d characters, where SQS allows %d; shorten the queue's name"
              .formatted(name, whole, whole.length(), QueueArn.LONGEST_NAME));
    }
    return whole;
  }

  /** Why a schedule of the namespace must not target the queue; empty if it can. */
  public Optional<String> refusal(String namespace, String arn) {
    QueueArn queue = QueueArn.parse(arn);
    if (!queue.isPartitionOfRegion()) {
      return Optional.of(
          "the queue %s cannot exist: its partition does not contain its region; correct the ARN"
              .formatted(arn));
    }
    if (isAmong(reserved, namespace, arn)) {
      return Optional.of(
          "the queue %s is reserved for Carillon itself; give another queue".formatted(arn));
    }
    if (!queue.region().equals(region)) {
      return Optional.of(
          "the queue %s is in the region %s, but this deployment sends only within %s; give a queue there"
              .formatted(arn, queue.region(), region));
    }
    if (isAmong(allowed, namespace, arn)) {
      return Optional.empty();
    }
    return Optional.of(
        "the queue %s is not an allowed target; the allowed targets are %s"
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
          "\"%s\" is not the URL of an SQS queue; give https://sqs.REGION.amazonaws.com/ACCOUNT/NAME"
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
