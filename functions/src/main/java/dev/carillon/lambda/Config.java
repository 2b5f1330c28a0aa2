package dev.carillon.lambda;

import dev.carillon.dynamodb.Tables;
import dev.carillon.master.ShardPlan;
import dev.carillon.metrics.EmfMetrics;
import dev.carillon.metrics.Metrics;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
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
 * The configuration of a function, read from its environment variables once when the function
 * starts. Names all missing and invalid variables at once.
 *
 * @param region the region of the account's queues
 * @param targetPrefix the prefix of the names of target queues. A schedule can leave it out when it
 *     names a queue
 * @param allowedTargets ARN patterns of the queues that schedules may target
 * @param reservedQueues ARN patterns of Carillon's own queues, which are never targets
 * @param namespaceQueuePrefix the prefix of the names of queues for events of one namespace; the
 *     namespace follows
 * @param createTargetQueues whether a target queue is created when a schedule names it, even if an
 *     ARN names another region or account; used only locally
 * @param masterPeriod how often the master function runs
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

  /**
   * The form of a prefix. The name of a queue has at most 80 characters. At least one of them must
   * follow the prefix.
   */
  private static final Pattern NAME_PREFIX = Pattern.compile("[A-Za-z0-9_-]{1,79}");

  /** The assumed period of a master with a cron expression, which must run at least once a day. */
  private static final Duration PERIOD_OF_CRON = Duration.ofDays(1);

  /**
   * How the functions publish metrics to CloudWatch.
   *
   * @param namespace the namespace of the metrics
   * @param stack their only dimension
   * @param onLambda whether the function runs on Lambda, where CloudWatch reads the metrics
   */
  public record Reporting(String namespace, String stack, boolean onLambda) {

    Metrics metrics(InstantSource clock) {
      return onLambda ? new EmfMetrics(namespace, stack, System.out::println, clock) : Metrics.NONE;
    }
  }

  /** The endpoints of the services; empty for the default endpoints of AWS. */
  public record Endpoints(Optional<URI> dynamoDb, Optional<URI> sqs) {}

  /** The URLs of Carillon's own queues. */
  public record QueueUrls(
      String check,
      String overdue,
      String checkDeadLetters,
      String ingest,
      String ingestDeadLetters,
      String report,
      String reportDeadLetters,
      String rejected) {

    /** The URLs by the names under which the status lists the queues. */
    Map<String, String> byName() {
      return Map.of(
          "check", check,
          "overdue", overdue,
          "checkDeadLetters", checkDeadLetters,
          "ingest", ingest,
          "ingestDeadLetters", ingestDeadLetters,
          "report", report,
          "reportDeadLetters", reportDeadLetters,
          "rejected", rejected);
    }
  }

  /**
   * @throws IllegalArgumentException if a variable is missing or invalid; the message names all
   *     such variables
   */
  public static Config of(Map<String, String> environment) {
    Reader reader = new Reader(environment);
    Config config =
        new Config(
            reader.text("AWS_REGION"),
            reader.text("ACCOUNT_ID"),
            tables(reader),
            queues(reader),
            reader.parsed("DEFAULT_ZONE", ZoneId::of, ZoneId.of("UTC")),
            reader.number("RETENTION_DAYS", 15),
            reader.namePrefix("TARGET_PREFIX"),
            reader.list("ALLOWED_TARGETS"),
            Set.copyOf(reader.list("RESERVED_QUEUES")),
            reader.shards("TIMER_SHARDS"),
            reader.shards("ATTENTION_SHARDS"),
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

  private static Tables tables(Reader reader) {
    return new Tables(
        reader.text("SCHEDULES_TABLE"),
        reader.text("TIMERS_TABLE"),
        reader.text("JOBS_TABLE"),
        reader.text("GATES_TABLE"),
        reader.text("STATUS_TABLE"));
  }

  private static QueueUrls queues(Reader reader) {
    return new QueueUrls(
        reader.text("CHECK_QUEUE_URL"),
        reader.text("OVERDUE_QUEUE_URL"),
        reader.text("CHECK_DEAD_LETTERS_URL"),
        reader.text("INGEST_QUEUE_URL"),
        reader.text("INGEST_DEAD_LETTERS_URL"),
        reader.text("REPORT_QUEUE_URL"),
        reader.text("REPORT_DEAD_LETTERS_URL"),
        reader.text("REJECTED_QUEUE_URL"));
  }

  private static Duration masterPeriod(String rate) {
    Matcher form = RATE.matcher(rate);
    if (!form.matches()) {
      return PERIOD_OF_CRON;
    }
    ChronoUnit unit = ChronoUnit.valueOf(form.group(2).toUpperCase(Locale.ROOT) + "S");
    return unit.getDuration().multipliedBy(Long.parseLong(form.group(1)));
  }

  /** Reads variables and collects their faults. */
  private static final class Reader {
    private final Map<String, String> environment;
    private final List<String> faults = new ArrayList<>();

    Reader(Map<String, String> environment) {
      this.environment = environment;
    }

    String text(String name) {
      String value = environment.getOrDefault(name, "");
      if (value.isBlank()) {
        faults.add(name + " is not set; set it in the environment of the function");
      }
      return value;
    }

    String namePrefix(String name) {
      String value = text(name);
      if (!value.isBlank() && !NAME_PREFIX.matcher(value).matches()) {
        faults.add(
            name + " is '" + value + "'; use 1 to 79 letters, digits, _ and -, as in a queue name");
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
        faults.add(name + " is " + number + "; give at least " + least);
      }
      return number;
    }

    int shards(String name) {
      int number = number(name, 1);
      if (number > ShardPlan.Shards.MOST) {
        faults.add(name + " is " + number + "; give at most " + ShardPlan.Shards.MOST);
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

    /**
     * The endpoint of a service, as every AWS SDK reads it: from the variable of this service or,
     * if it is absent, from the variable for all services.
     */
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
