package dev.carillon.local;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The parts of a SAM template that the local engine runs. */
record SamTemplate(List<Table> tables, List<Queue> queues, List<Function> functions) {

  private static final Pattern RATE = Pattern.compile("rate\\((\\d+) (minute|hour|day)s?\\)");
  private static final List<String> QUEUE_ATTRIBUTES =
      List.of(
          "VisibilityTimeout",
          "MessageRetentionPeriod",
          "DelaySeconds",
          "ReceiveMessageWaitTimeSeconds",
          "FifoQueue",
          "ContentBasedDeduplication");
  private static final JsonPointer INVOKED =
      JsonPointer.compile("/x-amazon-apigateway-integration/uri/Fn::Sub");
  private static final Path BUILT_ARTIFACT = Path.of("target", "artifact");
  private static final int DEFAULT_TIMEOUT_SECONDS = 3;
  private static final int DEFAULT_MEMORY_MEGABYTES = 128;
  private static final int DEFAULT_BATCH_SIZE = 10;
  private static final int UNBOUNDED = 1000;

  /**
   * A table.
   *
   * @param attributes the type of each key attribute, by its name
   * @param expiry the attribute that holds the expiry time of an item
   */
  record Table(
      String name,
      Map<String, String> attributes,
      Key key,
      List<Index> indexes,
      @Nullable String expiry) {}

  /** A primary key. */
  record Key(String partition, @Nullable String sort) {

    List<String> attributes() {
      return sort == null ? List.of(partition) : List.of(partition, sort);
    }
  }

  /**
   * A global secondary index.
   *
   * @param included the additional attributes if its projection is INCLUDE
   */
  record Index(String name, Key key, String projection, List<String> included) {}

  /**
   * A queue.
   *
   * @param attributes the attributes of CreateQueue, without the redrive policy
   * @param redrivePolicy the redrive policy as JSON; null for none
   */
  record Queue(String name, Map<String, String> attributes, @Nullable String redrivePolicy) {}

  /**
   * A function: its handler's class and what is needed to run it.
   *
   * @param code the directory of its artifact, as Lambda unpacks it
   * @param snapStart whether it starts from a snapshot
   */
  record Function(
      String name,
      String handler,
      Path code,
      boolean snapStart,
      Duration timeout,
      int memoryMegabytes,
      Map<String, String> environment,
      List<EventSource> sources) {}

  static SamTemplate of(CloudFormation template) {
    return new SamTemplate(
        template.resources("AWS::DynamoDB::Table").stream()
            .map(resource -> table(template, resource))
            .toList(),
        template.resources("AWS::SQS::Queue").stream()
            .map(resource -> queue(template, resource))
            .toList(),
        template.resources("AWS::Serverless::Function").stream()
            .map(resource -> function(template, resource))
            .toList());
  }

  private static Table table(CloudFormation template, Map.Entry<String, JsonNode> resource) {
    JsonNode properties = resource.getValue().path("Properties");
    Map<String, String> attributes = new LinkedHashMap<>();
    for (JsonNode attribute : properties.path("AttributeDefinitions")) {
      attributes.put(
          attribute.path("AttributeName").asText(), attribute.path("AttributeType").asText());
    }
    JsonNode expiry = properties.path("TimeToLiveSpecification").path("AttributeName");
    return new Table(
        template.physicalName(resource.getKey()),
        attributes,
        key(properties),
        elements(properties.path("GlobalSecondaryIndexes")).stream()
            .map(SamTemplate::index)
            .toList(),
        expiry.isMissingNode() ? null : expiry.asText());
  }

  private static Index index(JsonNode index) {
    JsonNode projection = index.path("Projection");
    return new Index(
        index.path("IndexName").asText(),
        key(index),
        projection.path("ProjectionType").asText(),
        texts(projection.path("NonKeyAttributes")));
  }

  private static Key key(JsonNode holder) {
    List<String> names =
        elements(holder.path("KeySchema")).stream()
            .map(element -> element.path("AttributeName").asText())
            .toList();
    return new Key(names.get(0), names.size() > 1 ? names.get(1) : null);
  }

  private static Queue queue(CloudFormation template, Map.Entry<String, JsonNode> resource) {
    JsonNode properties = resource.getValue().path("Properties");
    Map<String, String> attributes = new LinkedHashMap<>();
    for (String name : QUEUE_ATTRIBUTES) {
      if (properties.has(name)) {
        attributes.put(name, template.text(properties.get(name)));
      }
    }
    return new Queue(
        template.physicalName(resource.getKey()),
        attributes,
        redrivePolicy(template, properties.path("RedrivePolicy")));
  }

  private static @Nullable String redrivePolicy(CloudFormation template, JsonNode policy) {
    if (policy.isMissingNode()) {
      return null;
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("deadLetterTargetArn", template.text(policy.path("deadLetterTargetArn")))
        .put("maxReceiveCount", policy.path("maxReceiveCount").asInt())
        .toString();
  }

  private static Function function(CloudFormation template, Map.Entry<String, JsonNode> resource) {
    JsonNode globals = template.section("Globals").path("Function");
    ObjectNode properties = JsonNodeFactory.instance.objectNode();
    globals.properties().forEach(entry -> properties.set(entry.getKey(), entry.getValue()));
    JsonNode own = resource.getValue().path("Properties");
    own.properties().forEach(entry -> properties.set(entry.getKey(), entry.getValue()));
    Map<String, String> environment = new LinkedHashMap<>();
    for (JsonNode variables : List.of(globals, own)) {
      variables
          .path("Environment")
          .path("Variables")
          .properties()
          .forEach(entry -> environment.put(entry.getKey(), template.text(entry.getValue())));
    }
    return new Function(
        resource.getKey(),
        properties.path("Handler").asText(),
        code(template.directory().resolve(properties.path("CodeUri").asText())),
        properties.path("SnapStart").path("ApplyOn").asText().equals("PublishedVersions"),
        Duration.ofSeconds(properties.path("Timeout").asInt(DEFAULT_TIMEOUT_SECONDS)),
        properties.path("MemorySize").asInt(DEFAULT_MEMORY_MEGABYTES),
        environment,
        sources(template, resource.getKey(), properties.path("Events")));
  }

  /**
   * The artifact of a source directory. A directory that "sam build" wrote is an artifact already.
   */
  private static Path code(Path uri) {
    Path code = Files.exists(uri.resolve("pom.xml")) ? uri.resolve(BUILT_ARTIFACT) : uri;
    return code.toAbsolutePath().normalize();
  }

  private static List<EventSource> sources(
      CloudFormation template, String function, JsonNode events) {
    List<EventSource> sources = new ArrayList<>(routes(template, function));
    for (JsonNode event : events) {
      JsonNode properties = event.path("Properties");
      String type = event.path("Type").asText();
      sources.add(
          switch (type) {
            case "SQS" -> queueSource(template, properties);
            case "Schedule" -> rate(template.text(properties.path("Schedule")));
            default ->
                throw new StartFault(
                    "the template uses the event source "
                        + type
                        + ", which the local engine does not know");
          });
    }
    return sources;
  }

  /** The operations of the template's API documents that invoke the function. */
  private static List<EventSource> routes(CloudFormation template, String function) {
    List<EventSource> routes = new ArrayList<>();
    for (var api : template.resources("AWS::Serverless::Api")) {
      for (var path : api.getValue().at("/Properties/DefinitionBody/paths").properties()) {
        for (var operation : path.getValue().properties()) {
          String uri = operation.getValue().at(INVOKED).asText();
          if (uri.contains("${" + function + ".")) {
            String method = operation.getKey().toUpperCase(Locale.ROOT);
            routes.add(new EventSource.Route(method, path.getKey()));
          }
        }
      }
    }
    return routes;
  }

  private static EventSource queueSource(CloudFormation template, JsonNode properties) {
    JsonNode concurrency = properties.path("ScalingConfig").path("MaximumConcurrency");
    return new EventSource.Queue(
        template.text(properties.path("Queue")),
        properties.path("BatchSize").asInt(DEFAULT_BATCH_SIZE),
        Duration.ofSeconds(properties.path("MaximumBatchingWindowInSeconds").asInt(0)),
        texts(properties.path("FunctionResponseTypes")).contains("ReportBatchItemFailures"),
        concurrency.isMissingNode() ? UNBOUNDED : Integer.parseInt(template.text(concurrency)));
  }

  private static EventSource rate(String expression) {
    Matcher rate = RATE.matcher(expression);
    if (!rate.matches()) {
      throw new StartFault(
          "the template's schedule " + expression + " is not a rate, like rate(1 minute)");
    }
    long count = Long.parseLong(rate.group(1));
    return new EventSource.Rate(
        switch (rate.group(2)) {
          case "minute" -> Duration.ofMinutes(count);
          case "hour" -> Duration.ofHours(count);
          default -> Duration.ofDays(count);
        });
  }

  private static List<String> texts(JsonNode array) {
    return elements(array).stream().map(JsonNode::asText).toList();
  }

  private static List<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }
}
