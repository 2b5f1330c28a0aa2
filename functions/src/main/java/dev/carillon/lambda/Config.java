package dev.carillon.lambda;

import dev.carillon.dynamodb.Tables;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Every environment variable, checked once: what is missing or wrong is named, all of it, when the
 * function starts.
 *
 * @param region of the account's queues
 * @param targetPrefix what the names of targets begin with; bare names are the rest
 * @param allowedTargets ARN patterns of the queues that schedules may target
 * @param reservedQueues ARN patterns of Carillon's own queues, which are never targets
 * @param namespaceQueuePrefix what the names of queues begin with that take events of one
 *     namespace; the namespace follows
 * @param createTargetQueues whether target queues are made when a schedule names them; locally only
 * @param masterPeriod how often the master function ticks
 */
public record Config(
    String region,
    String account,
    Tables tables,
    QueueUrls queues,
    ZoneId defaultZone,
    int retentionDays,
    String targetPrefix,
    List<String> allowedTargets,
    Set<String> reservedQueues,
    int timerShards,
    int attentionShards,
    String namespaceQueuePrefix,
    boolean createTargetQueues,
    Duration masterPeriod,
    Endpoints endpoints,
    Reporting reporting) {

  private static final Pattern RATE = Pattern.compile("rate\\((\\d{1,4}) (minute|hour|day)s?\\)");

  /** With room for one character more: the name of a queue has at most 80. */
  private static final Pattern NAME_PREFIX = Pattern.compile("[A-Za-z0-9_-]{1,79}");

  /** A master by a cron ticks as it likes, but at least once a day. */
  private static final Duration PERIOD_OF_CRON = Duration.ofDays(1);

  /**
   * What the functions tell CloudWatch.
   *
   * @param namespace of the metrics
   * @param stack their one dimension
   * @param onLambda whether somebody reads them
   */
  public record Reporting(String namespace, String stack, boolean onLambda) {}

  /** Where the services are, if not where AWS has them. */
  public record Endpoints(Optional<URI> dynamoDb, Optional<URI> sqs) {}

  /** URLs of Carillon's own queues. */
  public record QueueUrls(
      String check,
      String checkDeadLetters,
      String ingest,
      String ingestDeadLetters,
      String rejected) {}

  /**
   * @throws IllegalArgumentException naming every variable that is missing or wrong
   */
  public static Config of(Map<String, String> environment) {
    Reader reader = new Reader(environment);
    Config config =
        new Config(
            reader.text("AWS_REGION"),
            reader.text("ACCOUNT_ID"),
            new Tables(
                reader.text("SCHEDULES_TABLE"),
                reader.text("TIMERS_TABLE"),
                reader.text("JOBS_TABLE"),
                reader.text("GATES_TABLE"),
                reader.text("STATUS_TABLE")),
            new QueueUrls(
                reader.text("CHECK_QUEUE_URL"),
                reader.text("CHECK_DEAD_LETTERS_URL"),
                reader.text("INGEST_QUEUE_URL"),
                reader.text("INGEST_DEAD_LETTERS_URL"),
                reader.text("REJECTED_QUEUE_URL")),
            reader.parsed("DEFAULT_ZONE", ZoneId::of, ZoneId.of("UTC")),
            reader.number("RETENTION_DAYS", 15),
            reader.namePrefix("TARGET_PREFIX"),
            reader.list("ALLOWED_TARGETS"),
            Set.copyOf(reader.list("RESERVED_QUEUES")),
            reader.number("TIMER_SHARDS", 1),
            reader.number("ATTENTION_SHARDS", 1),
            reader.text("NAMESPACE_QUEUE_PREFIX"),
            Boolean.parseBoolean(environment.getOrDefault("CREATE_TARGET_QUEUES", "false")),
            masterPeriod(environment.getOrDefault("MASTER_RATE", "rate(1 minute)")),
            new Endpoints(
                reader.endpoint("AWS_ENDPOINT_URL_DYNAMODB"),
                reader.endpoint("AWS_ENDPOINT_URL_SQS")),
            new Reporting(
                environment.getOrDefault("METRICS_NAMESPACE", "Carillon"),
                environment.getOrDefault("STACK_NAME", "carillon"),
                environment.containsKey("AWS_LAMBDA_FUNCTION_NAME")));
    reader.refuseFaults();
    return config;
  }

  private static Duration masterPeriod(String rate) {
    Matcher form = RATE.matcher(rate);
    if (!form.matches()) {
      return PERIOD_OF_CRON;
    }
    ChronoUnit unit = ChronoUnit.valueOf(form.group(2).toUpperCase(Locale.ROOT) + "S");
    return unit.getDuration().multipliedBy(Long.parseLong(form.group(1)));
  }

  /** Reads variables and remembers what is wrong with them. */
  private static final class Reader {
    private final Map<String, String> environment;
    private final List<String> faults = new ArrayList<>();

    Reader(Map<String, String> environment) {
      this.environment = environment;
    }

    String text(String name) {
      String value = environment.getOrDefault(name, "");
      if (value.isBlank()) {
        faults.add(name + " is not set");
      }
      return value;
    }

    String namePrefix(String name) {
      String value = text(name);
      if (!value.isBlank() && !NAME_PREFIX.matcher(value).matches()) {
        faults.add(
            name
                + " is '"
                + value
                + "': use 1 to 79 letters, digits, _ and -, as in a queue's name");
      }
      return value;
    }

    List<String> list(String name) {
      List<String> parts = new ArrayList<>();
      for (String part : text(name).split(",", -1)) {
        if (!part.isBlank()) {
          parts.add(part.strip());
        }
      }
      return parts;
    }

    int number(String name, int least) {
      int number = parsed(name, Integer::valueOf, least);
      if (number < least) {
        faults.add(name + " is " + number + ", but at least " + least + " is needed");
      }
      return number;
    }

    <T> T parsed(String name, Function<String, T> parse, T instead) {
      String value = text(name);
      try {
        return value.isBlank() ? instead : parse.apply(value);
      } catch (DateTimeException | NumberFormatException wrong) {
        faults.add(name + " is '" + value + "': " + wrong.getMessage());
        return instead;
      }
    }

    /** The service's own variable, or the one for all services, as every SDK reads them. */
    Optional<URI> endpoint(String name) {
      String value =
          environment.getOrDefault(name, environment.getOrDefault("AWS_ENDPOINT_URL", ""));
      return value.isBlank() ? Optional.empty() : Optional.of(URI.create(value));
    }

    void refuseFaults() {
      if (!faults.isEmpty()) {
        throw new IllegalArgumentException("environment: " + String.join("; ", faults));
      }
    }
  }
}
