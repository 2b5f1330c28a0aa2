package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import dev.carillon.master.ShardPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of the templates' parameters, as on AWS. */
class TemplateOptionsTest {

  /** The policy without a resource, because X-Ray has none. */
  static final String TRACES = "TracesPolicy";

  private static final String KEY_USE = "KeyPolicy";
  private static final Path TEMPLATE = Path.of("../template.yaml");
  private static final Path NAMESPACE_QUEUE = Path.of("../infrastructure/namespace-queue.yaml");
  private static final String KEY = "arn:aws:kms:us-east-1:000000000000:key/0a1b";
  private static final Map<String, String> WITH_KEY = Map.of("KmsKey", KEY, "AccessLogs", "true");
  private static final Map<String, String> FED =
      Map.of("EventRules", "orders,partners/returns", "EventBuckets", "uploads,scans");
  private static final List<String> FUNCTIONS =
      List.of(
          "MasterFunction", "IngestFunction", "CheckerFunction", "ApiFunction", "ReportFunction");
  private static final CloudFormation READ =
      new CloudFormation(TEMPLATE, "carillon", Map.of(), URI.create("http://localhost"));

  private static Evaluated template(Map<String, String> parameters) {
    return new Evaluated(TEMPLATE, "carillon", parameters);
  }

  private static Evaluated namespaceQueue(Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(parameters);
    all.putAll(Map.of("Stack", "carillon", "Namespace", "sales"));
    return new Evaluated(NAMESPACE_QUEUE, "sales", all);
  }

  @Test
  void byDefaultNothingIsSwitchedOn() {
    Evaluated template = template(Map.of());

    for (String option : List.of("IngestQueuePolicy", KEY_USE, TRACES, "ApiAccessLogs")) {
      assertThat(template.properties(option).isMissingNode()).as(option).isTrue();
    }
    for (String function : FUNCTIONS) {
      assertThat(template.properties(function).has("ReservedConcurrentExecutions")).isFalse();
    }
    assertThat(template.properties("Api").path("TracingEnabled").asBoolean()).isFalse();
    assertThat(template.properties("Api").has("AccessLogSetting")).isFalse();
    assertThat(namespaceQueue(Map.of()).properties("RuleMaySend").isMissingNode()).isTrue();
  }

  /** The master searches for items in as many shards as a parameter can name, and in no others. */
  @ParameterizedTest
  @ValueSource(strings = {"TimerShards", "AttentionShards"})
  void asManyShardsCanBeConfiguredAsTheMasterLooksInto(String parameter) {
    JsonNode declared = READ.section("Parameters").path(parameter);
    assertThat(declared.path("MinValue").asInt()).isEqualTo(1);
    assertThat(declared.path("MaxValue").asInt()).isEqualTo(ShardPlan.Shards.MOST);
  }

  // ---- sources of the ingest queues

  @ParameterizedTest
  @CsvSource({
    "events, arn:aws:events:us-east-1:000000000000:rule/orders,           000000000000, true",
    "events, arn:aws:events:us-east-1:000000000000:rule/partners/returns, 000000000000, true",
    "events, arn:aws:events:us-east-1:000000000000:rule/returns,          000000000000, false",
    "events, arn:aws:events:us-east-1:000000000000:rule/partners/orders,  000000000000, false",
    "events, arn:aws:events:us-east-1:000000000000:rule/orders2,          000000000000, false",
    "events, arn:aws:events:us-east-1:111111111111:rule/orders,           111111111111, false",
    "events, arn:aws:events:eu-west-1:000000000000:rule/orders,           000000000000, false",
    "events, arn:aws:s3:::uploads,                                        000000000000, false",
    "s3,     arn:aws:s3:::uploads,                                        000000000000, true",
    "s3,     arn:aws:s3:::scans,                                          000000000000, true",
    "s3,     arn:aws:s3:::uploads-2,                                      000000000000, false",
    "s3,     arn:aws:s3:::uploads,                                        111111111111, false",
    "sns,    arn:aws:s3:::uploads,                                        000000000000, false",
  })
  void onlyTheRulesAndBucketsOfThisAccountThatAreNamedMaySend(
      String service, String source, String account, boolean may) {
    Map<String, String> context = Map.of("aws:SourceArn", source, "aws:SourceAccount", account);

    assertThat(allows(template(FED).properties("IngestQueuePolicy"), service, context))
        .isEqualTo(may);
    assertThat(allows(namespaceQueue(FED).properties("RuleMaySend"), service, context))
        .isEqualTo(may);
  }

  @Test
  void aPolicyIsForItsQueueAloneAndForSendingAlone() {
    for (JsonNode policy :
        List.of(
            template(FED).properties("IngestQueuePolicy"),
            namespaceQueue(FED).properties("RuleMaySend"))) {
      assertThat(policy.path("Queues")).hasSize(1);
      String queue = policy.at("/Queues/0").asText();
      for (JsonNode statement : policy.at("/PolicyDocument/Statement")) {
        assertThat(statement.path("Action").asText()).isEqualTo("sqs:SendMessage");
        assertThat(statement.path("Resource").asText())
            .endsWith(":" + queue.substring(queue.lastIndexOf('/') + 1));
        assertThat(statement.path("Condition").path("ArnLike").has("aws:SourceArn")).isTrue();
      }
    }
  }

  @Test
  void anUnnamedSourceHasNoStatement() {
    JsonNode rules = template(Map.of("EventRules", "orders")).properties("IngestQueuePolicy");
    assertThat(rules.at("/PolicyDocument/Statement").findValuesAsText("Service"))
        .containsExactly("events.amazonaws.com");
    JsonNode buckets = template(Map.of("EventBuckets", "uploads")).properties("IngestQueuePolicy");
    assertThat(buckets.at("/PolicyDocument/Statement").findValuesAsText("Service"))
        .containsExactly("s3.amazonaws.com");
  }

  @Test
  void theQueueOfANamespaceAcceptsItsOwnRuleBesidesTheNamedOnes() {
    Map<String, String> both = Map.of("Bucket", "exports", "EventRules", "orders");
    JsonNode policy = namespaceQueue(both).properties("RuleMaySend");

    assertThat(policy.toString())
        .contains("{\"ArnEquals\":{\"aws:SourceArn\":{\"Fn::GetAtt\":[\"NewObjects\",\"Arn\"]}}}");
    assertThat(
            allows(
                policy,
                "events",
                Map.of("aws:SourceArn", "arn:aws:events:us-east-1:000000000000:rule/orders")))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "orders*", "a?", "a b", "orders,", ",orders", "a,,b", "${x}"})
  void namesOfRulesAndBucketsAreNoPatterns(String names) {
    for (String parameter : List.of("EventRules", "EventBuckets")) {
      assertThat(isAllowed(READ, parameter, names)).as(parameter).isFalse();
      assertThat(isAllowed(READ, parameter, "")).isTrue();
      assertThat(isAllowed(READ, parameter, "one,two.three-4")).isTrue();
    }
  }

  private static boolean isAllowed(CloudFormation template, String parameter, String value) {
    String pattern = template.section("Parameters").path(parameter).path("AllowedPattern").asText();
    return Pattern.matches(pattern, value);
  }

  /** Whether a service may send: every operator of a condition must hold for each of its keys. */
  private static boolean allows(JsonNode policy, String service, Map<String, String> context) {
    return policy
        .at("/PolicyDocument/Statement")
        .valueStream()
        .filter(it -> it.at("/Principal/Service").asText().equals(service + ".amazonaws.com"))
        .anyMatch(
            it ->
                it.path("Condition").properties().stream()
                    .flatMap(operator -> operator.getValue().properties().stream())
                    .allMatch(key -> fits(key.getValue(), context.get(key.getKey()))));
  }

  private static boolean fits(JsonNode oneOrMany, String actual) {
    return texts(oneOrMany).stream()
        .map(text -> Stream.of(text.split("\\*", -1)).map(Pattern::quote))
        .anyMatch(it -> actual.matches(it.collect(Collectors.joining(".*"))));
  }

  private static List<String> texts(JsonNode oneOrMany) {
    return oneOrMany.isArray()
        ? oneOrMany.valueStream().map(JsonNode::asText).toList()
        : List.of(oneOrMany.asText());
  }

  // ---- a customer-managed key

  @Test
  void anOwnKeyIsThatOfEveryTableQueueAndLog() {
    Evaluated template = template(WITH_KEY);
    List<JsonNode> queues = new ArrayList<>(template.all("AWS::SQS::Queue").values());
    queues.addAll(namespaceQueue(WITH_KEY).all("AWS::SQS::Queue").values());

    assertThat(template.all("AWS::DynamoDB::Table").values())
        .hasSize(5)
        .allMatch(it -> it.at("/SSESpecification/KMSMasterKeyId").asText().equals(KEY));
    assertThat(queues)
        .hasSize(10)
        .allMatch(it -> it.path("KmsMasterKeyId").asText().equals(KEY))
        .noneMatch(it -> it.path("SqsManagedSseEnabled").asBoolean());
    assertThat(template.all("AWS::Logs::LogGroup").values())
        .hasSize(6)
        .allMatch(it -> it.path("KmsKeyId").asText().equals(KEY));
  }

  @Test
  void withoutAnOwnKeyEverythingIsEncryptedByAws() {
    Evaluated template = template(Map.of("AccessLogs", "true"));
    List<JsonNode> queues = new ArrayList<>(template.all("AWS::SQS::Queue").values());
    queues.addAll(namespaceQueue(Map.of()).all("AWS::SQS::Queue").values());

    assertThat(queues)
        .hasSize(10)
        .allMatch(it -> it.path("SqsManagedSseEnabled").asBoolean())
        .noneMatch(it -> it.has("KmsMasterKeyId"));
    assertThat(template.all("AWS::DynamoDB::Table").values())
        .allMatch(it -> it.at("/SSESpecification/SSEEnabled").asBoolean())
        .noneMatch(it -> it.path("SSESpecification").has("KMSMasterKeyId"));
    assertThat(template.all("AWS::Logs::LogGroup").values()).noneMatch(it -> it.has("KmsKeyId"));
  }

  static List<String> functions() {
    return FUNCTIONS;
  }

  /** Per the AWS documentation, a sender also needs the permission to decrypt with the key. */
  @ParameterizedTest
  @MethodSource("functions")
  void aRoleUsesAnOwnKeyOnlyAsItsTablesAndQueuesNeed(String function) {
    Set<String> needed = new HashSet<>();
    for (Permission permission : new Policies(READ).permissions(function, "Allow")) {
      String action = permission.action();
      if (action.startsWith("dynamodb:")) {
        needed.add("kms:Decrypt dynamodb");
      } else if (action.equals("sqs:ReceiveMessage")) {
        needed.add("kms:Decrypt sqs");
      } else if (action.equals("sqs:SendMessage")) {
        needed.add("kms:Decrypt sqs");
        needed.add("kms:GenerateDataKey sqs");
      }
    }
    JsonNode policy = template(WITH_KEY).properties(KEY_USE);
    Set<String> allowed = new HashSet<>();
    for (JsonNode statement : policy.at("/PolicyDocument/Statement")) {
      assertThat(statement.path("Resource").asText()).isEqualTo(KEY);
      for (String action : texts(statement.path("Action"))) {
        texts(statement.at("/Condition/StringEquals/kms:ViaService"))
            .forEach(via -> allowed.add(action + " " + via.split("\\.")[0]));
      }
    }
    assertThat(allowed).isEqualTo(needed);
  }

  @Test
  void ingestMayReadTheQueueOfANamespaceThatHasAKeyOfItsOwn() {
    JsonNode statements =
        namespaceQueue(WITH_KEY).properties("MayRead").at("/PolicyDocument/Statement");
    assertThat(statements).hasSize(2);
    assertThat(texts(statements.at("/1/Action"))).containsExactly("kms:Decrypt");
    assertThat(statements.at("/1/Resource").asText()).isEqualTo(KEY);
    assertThat(namespaceQueue(Map.of()).properties("MayRead").at("/PolicyDocument/Statement"))
        .hasSize(1);
  }

  // ---- traces, access logs and reserved executions

  @Test
  void tracesAreOfTheApiAndOfEveryFunction() {
    Evaluated template = template(Map.of("Tracing", "true"));

    assertThat(template.properties("Api").path("TracingEnabled").asBoolean()).isTrue();
    assertThat(READ.section("Globals").at("/Function/Tracing/Fn::If").toString())
        .isEqualTo("[\"Traced\",\"Active\",\"PassThrough\"]");
    assertThat(texts(template.properties(TRACES).at("/PolicyDocument/Statement/0/Action")))
        .containsExactly("xray:PutTraceSegments", "xray:PutTelemetryRecords");
  }

  /**
   * Lambda checks the permission to send traces when it creates a function. A function depends on
   * its role alone, so the role must depend on the policies: those that name roles can come later.
   */
  @ParameterizedTest
  @MethodSource("functions")
  void theOptionalPoliciesOfARoleAreCreatedBeforeItsFunction(String function) {
    assertThat(READ.resources("AWS::IAM::Policy")).isEmpty();
    String role =
        READ.section("Resources").path(function).at("/Properties/Role/Fn::GetAtt/0").asText();
    assertThat(policies(role, Map.of("Tracing", "true"))).containsExactly("carillon-" + TRACES);
    assertThat(policies(role, WITH_KEY)).containsExactly("carillon-" + KEY_USE);
    assertThat(policies(role, Map.of())).isEmpty();
  }

  private static List<String> policies(String role, Map<String, String> parameters) {
    return texts(template(parameters).properties(role).path("ManagedPolicyArns"));
  }

  @Test
  void accessLogsAreJsonWithCallerAndPathAndWithoutBodies() throws Exception {
    JsonNode setting =
        template(Map.of("AccessLogs", "true")).properties("Api").path("AccessLogSetting");
    assertThat(setting.at("/DestinationArn/Fn::GetAtt/0").asText()).isEqualTo("ApiAccessLogs");
    JsonNode line = Json.read(setting.path("Format").asText());
    assertThat(line.properties())
        .extracting(Map.Entry::getKey)
        .contains("caller", "path", "status");
    assertThat(setting.path("Format").asText()).doesNotContain("\n").doesNotContain("body");
  }

  @Test
  void reservedExecutionsAreThoseOfTheirFunctions() {
    Evaluated template = template(Map.of("ReservedConcurrency", "2,30,55,20,10"));

    assertThat(FUNCTIONS)
        .extracting(it -> template.properties(it).path("ReservedConcurrentExecutions").asText())
        .containsExactly("2", "30", "55", "20", "10");
  }

  /**
   * Messages that a throttled poller cannot pass on are received in vain and become dead letters.
   */
  @ParameterizedTest
  @CsvSource(
      value = {
        "2,10,55,20,10;    true",
        "1,10,60,1,400;    true",
        "2,400,1000,20,10; true",
        "2,9,55,20,10;     false",
        "2,10,54,20,10;    false",
        "0,10,55,20,10;    false",
        "2,10,55,0,10;     false",
        "2,10,55,20,9;     false",
        "2,10,55,20;       false",
        "2,10,55;          false",
        "20;               false"
      },
      delimiter = ';')
  void noFunctionHasLessThanItsQueuesMayUse(String reserved, boolean isAllowed) {
    assertThat(isAllowed(READ, "ReservedConcurrency", reserved)).isEqualTo(isAllowed);
    assertThat(concurrency("IngestFunction")).isEqualTo(10);
    assertThat(concurrency("CheckerFunction")).isEqualTo(55);
    assertThat(concurrency("ReportFunction")).isEqualTo(10);
  }

  private static int concurrency(String function) {
    return SamTemplate.of(READ).functions().stream()
        .filter(it -> it.name().equals(function))
        .flatMap(it -> it.sources().stream())
        .mapToInt(source -> ((EventSource.Queue) source).concurrency())
        .sum();
  }
}
