package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.job.Jobs;
import dev.carillon.lambda.Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The templates as AWS reads them. */
class TemplateTest {

  private static final URI SQS = URI.create("http://localhost");
  private static final CloudFormation TEMPLATE =
      new CloudFormation(Path.of("../template.yaml"), "carillon", Map.of(), SQS);
  private static final CloudFormation NAMESPACE_QUEUE =
      new CloudFormation(
          Path.of("../infrastructure/namespace-queue.yaml"),
          "sales",
          Map.of("Stack", "carillon", "Namespace", "sales"),
          SQS);
  private static final CloudFormation MONITORING =
      new CloudFormation(Path.of("../infrastructure/monitoring.yaml"), "m", Map.of(), SQS);
  private static final SamTemplate READ = SamTemplate.of(TEMPLATE);
  private static final int DEADLINE_FACTOR = 6;
  private static final int LONGEST_DELAY_SECONDS = 900;
  private static final int LONGEST_DESCRIPTION = 256;
  private static final Pattern STAGE =
      Pattern.compile("\\[(\\w+)\\.deploy\\.parameters]\\s+stack_name = \"([^\"]+)\"");
  private static final Pattern PARAMETER = Pattern.compile("\\$\\{(\\w+)}");

  static List<SamTemplate.Function> functions() {
    return READ.functions();
  }

  private static JsonNode own(SamTemplate.Function function) {
    return TEMPLATE.section("Resources").path(function.name()).path("Properties");
  }

  @ParameterizedTest
  @MethodSource("functions")
  void everyVariableThatTheFunctionsReadIsSetAndNoOther(SamTemplate.Function function) {
    Map<String, String> environment = new HashMap<>(function.environment());
    environment.put("AWS_REGION", LocalAccount.REGION);
    Set<String> read = new TreeSet<>();
    Map<String, String> watched =
        new HashMap<>(environment) {
          private static final long serialVersionUID = 1L;

          @Override
          public String getOrDefault(Object key, String otherwise) {
            read.add((String) key);
            return super.getOrDefault(key, otherwise);
          }
        };
    Config.of(watched);
    // Read by the JVM.
    read.add("JAVA_TOOL_OPTIONS");
    assertThat(read).containsAll(function.environment().keySet());
  }

  @ParameterizedTest
  @MethodSource("functions")
  void everyFunctionPublishesAVersionForEachChange(SamTemplate.Function function) {
    JsonNode globals = TEMPLATE.section("Globals").path("Function");
    assertThat(globals.path("AutoPublishAlias").asText()).isEqualTo("live");
    assertThat(globals.at("/SnapStart/ApplyOn").asText()).isEqualTo("PublishedVersions");
    assertThat(own(function).path("AutoPublishAliasAllProperties").asBoolean()).isTrue();
    assertThat(parametersIn(own(function).path("VersionDescription")))
        .as("parameters that the environment shows, but not the version's description")
        .containsAll(parametersIn(globals.path("Environment")))
        .as("of what else a version keeps")
        .contains("Tracing");
  }

  /** The parameters of the template that a value refers to at any depth. */
  private static Set<String> parametersIn(JsonNode value) {
    Set<String> names = new TreeSet<>();
    value.findValuesAsText("Ref").forEach(names::add);
    value.findValuesAsText("Fn::Sub").stream()
        .flatMap(text -> PARAMETER.matcher(text).results())
        .forEach(match -> names.add(match.group(1)));
    names.retainAll(
        TEMPLATE.section("Parameters").properties().stream().map(Map.Entry::getKey).toList());
    return names;
  }

  @ParameterizedTest
  @MethodSource("functions")
  void aVersionsDescriptionIsNeverLongerThanLambdaTakes(SamTemplate.Function function) {
    String description = own(function).path("VersionDescription").path("Fn::Sub").asText();
    String longest =
        PARAMETER.matcher(description).replaceAll(it -> "x".repeat(mostCharactersOf(it.group(1))));
    assertThat(longest).hasSizeLessThanOrEqualTo(LONGEST_DESCRIPTION).doesNotContain("$");
  }

  private static int mostCharactersOf(String parameter) {
    JsonNode declared = TEMPLATE.section("Parameters").path(parameter);
    if (declared.has("AllowedValues")) {
      return declared
          .path("AllowedValues")
          .valueStream()
          .mapToInt(value -> value.asText().length())
          .max()
          .orElseThrow();
    }
    return declared.path("Type").asText().equals("Number")
        ? declared.path("MaxValue").asText().length()
        : declared.path("MaxLength").asInt(LONGEST_DESCRIPTION);
  }

  /** Each function sends messages that return to it, which Lambda's loop detection would stop. */
  @ParameterizedTest
  @MethodSource("functions")
  void functionsOfQueuesCanRunUntilTheirTimeout(SamTemplate.Function function) {
    boolean byQueue =
        function.sources().stream().anyMatch(source -> source instanceof EventSource.Queue);
    assertThat(own(function).path("RecursiveLoop").asText()).isEqualTo(byQueue ? "Allow" : "");
  }

  @Test
  void eachInvocationOfTheApiOrIngestNamesTheAlias() {
    JsonNode permission = TEMPLATE.section("Resources").at("/ApiMayInvoke/Properties/FunctionName");
    assertThat(permission.path("Ref").asText()).isEqualTo("ApiFunction.Alias");
    JsonNode exported = TEMPLATE.section("Outputs").at("/IngestFunctionAlias/Value/Ref");
    assertThat(exported.asText()).isEqualTo("IngestFunction.Alias");
  }

  /** The policy of a queue in another account names it. */
  @Test
  void theRoleThatSendsToTargetQueuesIsAnOutput() {
    JsonNode output = TEMPLATE.section("Outputs").at("/CheckerRole/Value/Fn::GetAtt");
    assertThat(output.toString()).isEqualTo("[\"CheckerRole\",\"Arn\"]");
  }

  @ParameterizedTest
  @MethodSource("functions")
  void messagesStayInvisibleForSixTimesTheTimeout(SamTemplate.Function function) {
    for (EventSource source : function.sources()) {
      if (source instanceof EventSource.Queue queue) {
        assertThat(Long.parseLong(queueOf(queue).attributes().get("VisibilityTimeout")))
            .isGreaterThanOrEqualTo(DEADLINE_FACTOR * function.timeout().toSeconds());
        assertThat(queue.partialResponses()).isTrue();
      }
    }
  }

  private static SamTemplate.Queue queueOf(EventSource.Queue source) {
    return READ.queues().stream()
        .filter(queue -> queue.name().equals(source.queueName()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theQueueOfOneNamespaceIsLikeTheCommonOne() {
    JsonNode own = NAMESPACE_QUEUE.section("Resources").at("/Queue/Properties");
    JsonNode common = TEMPLATE.section("Resources").at("/IngestQueue/Properties");
    for (String name :
        List.of("VisibilityTimeout", "MessageRetentionPeriod", "SqsManagedSseEnabled")) {
      assertThat(own.path(name)).as(name).isEqualTo(common.path(name));
    }
    JsonNode source = NAMESPACE_QUEUE.section("Resources").at("/Events/Properties");
    JsonNode commonSource =
        TEMPLATE.section("Resources").at("/IngestFunction/Properties/Events/Events/Properties");
    for (String name :
        List.of(
            "BatchSize",
            "MaximumBatchingWindowInSeconds",
            "FunctionResponseTypes",
            "ScalingConfig")) {
      assertThat(source.path(name)).as(name).isEqualTo(commonSource.path(name));
    }
    assertThat(own.at("/RedrivePolicy/maxReceiveCount"))
        .isEqualTo(common.at("/RedrivePolicy/maxReceiveCount"));
    assertThat(NAMESPACE_QUEUE.physicalName("Queue"))
        .startsWith(READ.functions().get(0).environment().get("NAMESPACE_QUEUE_PREFIX"))
        .endsWith("sales");
  }

  @Test
  void anEventIsReceivedForTheLastTimeBeforeItsIdIsDropped() {
    long life = TEMPLATE.section("Resources").at("/IngestFunction/Properties/Timeout").asLong();
    for (JsonNode queue :
        List.of(
            TEMPLATE.section("Resources").at("/IngestQueue/Properties"),
            NAMESPACE_QUEUE.section("Resources").at("/Queue/Properties"))) {
      long receives = queue.at("/RedrivePolicy/maxReceiveCount").asLong();
      long pause = queue.path("VisibilityTimeout").asLong();
      assertThat(receives).isGreaterThan(1);
      assertThat(Duration.ofSeconds((receives - 1) * pause + life)).isLessThan(Jobs.SEEN_WINDOW);
    }
  }

  @Test
  void everyQueueHasADeadLetterQueueButThoseThatAreTheEnd() {
    for (CloudFormation template : List.of(TEMPLATE, NAMESPACE_QUEUE)) {
      for (var queue : template.resources("AWS::SQS::Queue")) {
        boolean isTheEnd =
            queue.getKey().endsWith("DeadLetters") || queue.getKey().equals("RejectedQueue");
        JsonNode properties = queue.getValue().path("Properties");
        assertThat(properties.has("RedrivePolicy")).as(queue.getKey()).isNotEqualTo(isTheEnd);
        assertThat(properties.path("MessageRetentionPeriod").asInt())
            .as("as long as SQS keeps anything")
            .isEqualTo(14 * 24 * 60 * 60);
      }
    }
  }

  /** So several stages can share an account: each is a stack with tables and queues of its own. */
  @Test
  void eachStageIsAStackOfItsOwn() throws IOException {
    String stages = Files.readString(Path.of("../samconfig.toml"));
    assertThat(STAGE.matcher(stages).results().map(stage -> stage.group(1) + ": " + stage.group(2)))
        .containsExactly(
            "default: carillon", "dev: carillon-dev", "uat: carillon-uat", "prod: carillon-prod");
    assertThat(TEMPLATE.resources("AWS::DynamoDB::Table"))
        .isNotEmpty()
        .noneMatch(table -> table.getValue().path("Properties").has("TableName"));
    assertThat(TEMPLATE.resources("AWS::SQS::Queue"))
        .isNotEmpty()
        .allSatisfy(
            queue ->
                assertThat(queue.getValue().at("/Properties/QueueName/Fn::Sub").asText())
                    .startsWith("${AWS::StackName}-"));
  }

  @Test
  void tablesOutliveTheStack() {
    for (var table : TEMPLATE.resources("AWS::DynamoDB::Table")) {
      JsonNode resource = table.getValue();
      JsonNode properties = resource.path("Properties");
      assertThat(resource.path("DeletionPolicy").asText()).isEqualTo("Retain");
      assertThat(resource.path("UpdateReplacePolicy").asText()).isEqualTo("Retain");
      assertThat(properties.at("/DeletionProtectionEnabled/Ref").asText())
          .isEqualTo("DeletionProtection");
      assertThat(properties.path("BillingMode").asText()).isEqualTo("PAY_PER_REQUEST");
      assertThat(properties.at("/SSESpecification/SSEEnabled").asBoolean()).isTrue();
      assertThat(
              properties
                  .at("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled")
                  .asBoolean())
          .isTrue();
    }
    assertThat(TEMPLATE.section("Parameters").at("/DeletionProtection/Default").asText())
        .isEqualTo("true");
    assertThat(TEMPLATE.section("Outputs").path("Tables").findValuesAsText("Ref"))
        .as("the output with their names")
        .containsExactlyElementsOf(
            TEMPLATE.resources("AWS::DynamoDB::Table").stream().map(Map.Entry::getKey).toList());
  }

  @ParameterizedTest
  @MethodSource("functions")
  void everyFunctionLogsJsonToAGroupWithARetention(SamTemplate.Function function) {
    JsonNode logging = own(function).path("LoggingConfig");
    assertThat(logging.path("LogFormat").asText()).isEqualTo("JSON");
    JsonNode group = TEMPLATE.section("Resources").path(logging.at("/LogGroup/Ref").asText());
    assertThat(group.path("Type").asText()).isEqualTo("AWS::Logs::LogGroup");
    assertThat(group.at("/Properties/RetentionInDays/Ref").asText()).isEqualTo("LogRetentionDays");
  }

  @Test
  void noPolicyNamesActionsOrResourcesByAStar() {
    for (CloudFormation template : List.of(TEMPLATE, NAMESPACE_QUEUE)) {
      for (JsonNode action : template.section("Resources").findValues("Action")) {
        assertThat(action.toString()).doesNotContain("*");
      }
      for (var described : template.section("Resources").properties()) {
        for (JsonNode resource : described.getValue().findValues("Resource")) {
          assertThat(withoutPatternsOfNames(described.getKey(), resource))
              .as("only the names of queues are patterns")
              .doesNotContainPattern("\\*(?!\\\",\\{\\\"Fn::Split)");
        }
      }
    }
  }

  private static String withoutPatternsOfNames(String described, JsonNode resource) {
    String text =
        resource
            .toString()
            .replace("-target-*", "")
            .replace("${TargetPrefix}*", "")
            .replace("-namespace-*", "");
    return described.equals(TemplateOptionsTest.TRACES) ? text.replace("\"*\"", "") : text;
  }

  @Test
  void noFunctionGetsPoliciesBesideItsRole() {
    for (SamTemplate.Function function : functions()) {
      assertThat(own(function).has("Policies")).isFalse();
      assertThat(own(function).at("/Role/Fn::GetAtt/0").asText())
          .isEqualTo(function.name().replace("Function", "Role"));
    }
  }

  /** Callers of requests that take long leave executions of the account to others (limits.md). */
  @ParameterizedTest
  @CsvSource({
    "GET,  /~1v1~1namespaces~1{ns}~1schedules~1{name}~1preview, 5, 10",
    "POST, /~1v1~1namespaces~1{ns}~1schedules~1{name}~1preview, 4, 8",
    "POST, /~1v1~1namespaces~1{ns}~1schedules~1{name}~1backfill, 1, 5",
    "POST, /~1v1~1preview, 2, 5",
    "POST, /~1v1~1simulate, 1, 5",
    "POST, /~1v1~1namespaces~1{ns}~1pools~1{pool}~1next, 20, 100",
    "POST, /~1v1~1namespaces~1{ns}~1jobs~1retry, 1, 5",
    "POST, /~1v1~1namespaces~1{ns}~1jobs~1cancel, 1, 5",
    "PUT, /~1v1~1namespaces~1{ns}~1apps~1{app}, 2, 5",
    "DELETE, /~1v1~1namespaces~1{ns}~1apps~1{app}, 1, 5",
    "DELETE, /~1v1~1namespaces~1{ns}~1programs~1{program}, 1, 5"
  })
  void routesWhoseRequestsTakeLongAreThrottledByThemselves(
      String method, String path, int rate, int burst) {
    JsonNode own =
        TEMPLATE
            .section("Resources")
            .at("/Api/Properties/MethodSettings")
            .valueStream()
            .filter(setting -> setting.path("ResourcePath").asText().equals(path))
            .filter(setting -> setting.path("HttpMethod").asText().equals(method))
            .findFirst()
            .orElseThrow();
    assertThat(own.path("ThrottlingRateLimit").asInt()).isEqualTo(rate);
    assertThat(own.path("ThrottlingBurstLimit").asInt()).isEqualTo(burst);
  }

  @Test
  void routesThatAreThrottledByThemselvesAreThere() {
    Set<String> routes =
        functions().stream()
            .flatMap(function -> function.sources().stream())
            .filter(EventSource.Route.class::isInstance)
            .map(EventSource.Route.class::cast)
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toSet());
    for (JsonNode setting : TEMPLATE.section("Resources").at("/Api/Properties/MethodSettings")) {
      String path = setting.path("ResourcePath").asText();
      assertThat(setting.path("ThrottlingRateLimit").asInt()).isPositive();
      assertThat(setting.path("ThrottlingBurstLimit").asInt()).isPositive();
      if (!path.equals("/*")) {
        String decoded = path.substring(1).replace("~1", "/");
        assertThat(routes).contains(setting.path("HttpMethod").asText() + " " + decoded);
      }
    }
  }

  /**
   * The age of received messages says little, so the alarm is on messages that no function
   * receives.
   */
  @Test
  void everyQueueThatIsReadHasAnAlarmForTheAgeOfItsMessages() {
    for (SamTemplate.Function function : functions()) {
      for (EventSource source : function.sources()) {
        if (source instanceof EventSource.Queue queue) {
          JsonNode alarm =
              alarm(
                  MONITORING,
                  "ApproximateAgeOfOldestMessage",
                  queue.queueName().replace("carillon-", "${Stack}-"));
          boolean delayed = queue.queueName().endsWith("-check");
          boolean isBacklog = queue.queueName().endsWith("-overdue");
          assertThat(alarm.path("Threshold").asInt())
              .isEqualTo(isBacklog ? 3_600 : (delayed ? LONGEST_DELAY_SECONDS : 0) + 300);
        }
      }
    }
  }

  @Test
  void theQueueOfOneNamespaceHasTheAlarmsOfTheCommonOne() {
    JsonNode common = alarm(MONITORING, "ApproximateAgeOfOldestMessage", "${Stack}-ingest");
    JsonNode own = NAMESPACE_QUEUE.section("Resources").at("/Age/Properties");
    for (String name :
        List.of("MetricName", "Statistic", "Period", "EvaluationPeriods", "Threshold")) {
      assertThat(own.path(name)).as(name).isEqualTo(common.path(name));
    }
    assertThat(queueWatchedBy("Age")).isEqualTo("Queue");
    assertThat(queueWatchedBy("GivenUp")).isEqualTo("DeadLetters");
  }

  /** CloudWatch adds with "+" only where each series has a data point. */
  @Test
  void alarmsOverSeveralSeriesCountThoseThatHaveData() {
    List<String> expressions = MONITORING.section("Resources").findValuesAsText("Expression");
    assertThat(expressions).filteredOn(it -> it.startsWith("SUM([")).hasSize(3);
    assertThat(expressions).noneMatch(it -> it.contains("+"));
  }

  @Test
  void theAlarmForPoolsCoversEachOfThemAndIsOffByDefault() {
    JsonNode alarm = MONITORING.section("Resources").path("PoolOldestAge");
    assertThat(alarm.path("Condition").asText()).isEqualTo("WatchesPools");
    assertThat(MONITORING.section("Conditions").at("/WatchesPools").toString())
        .contains("PoolAge", "0");
    assertThat(TEMPLATE.section("Parameters").at("/PoolAge/Default").asInt(-1)).isZero();
    assertThat(alarm.at("/Properties/Threshold").toString()).contains("PoolAge");
    assertThat(alarm.at("/Properties/Metrics/0/Expression").toString())
        .contains("MAX(PoolOldestAge)", "SCHEMA(Carillon, Pool, Stack)");
  }

  private static JsonNode alarm(CloudFormation template, String metric, String queue) {
    return template.resources("AWS::CloudWatch::Alarm").stream()
        .map(alarm -> alarm.getValue().path("Properties"))
        .filter(alarm -> alarm.path("MetricName").asText().equals(metric))
        .filter(alarm -> alarm.path("Dimensions").findValuesAsText("Fn::Sub").contains(queue))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no alarm for " + metric + " of " + queue));
  }

  private static String queueWatchedBy(String alarm) {
    JsonNode properties = NAMESPACE_QUEUE.section("Resources").path(alarm).path("Properties");
    return properties.at("/Dimensions/0/Value/Fn::GetAtt/0").asText();
  }

  @Test
  void alarmsAndDashboardNameQueuesThatAreThere() {
    Set<String> names =
        READ.queues().stream()
            .map(queue -> queue.name().replace("carillon-", "${Stack}-"))
            .collect(Collectors.toSet());
    Set<String> named = new TreeSet<>();
    Pattern.compile("\\$\\{Stack}-[a-z-]+")
        .matcher(MONITORING.section("Resources").toString())
        .results()
        .forEach(match -> named.add(match.group()));
    assertThat(named).isNotEmpty().isSubsetOf(names);
    assertThat(
            MONITORING.section("Parameters").properties().stream().map(Map.Entry::getKey).toList())
        .containsExactlyInAnyOrderElementsOf(
            TEMPLATE
                .section("Resources")
                .at("/DashboardAndAlarms/Properties/Parameters")
                .properties()
                .stream()
                .map(Map.Entry::getKey)
                .toList());
  }
}
