package dev.carillon.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A CloudFormation template for the local account. Its references are resolved to local names, URLs
 * and ARNs.
 */
final class CloudFormation {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]+)}");
  private static final String ARN = ".Arn";

  private final JsonNode document;
  private final Path directory;
  private final String stack;
  private final Map<String, String> parameters;
  private final URI sqsEndpoint;

  /**
   * @param parameters the parameters that differ from their defaults
   * @param sqsEndpoint the endpoint of the queues
   */
  CloudFormation(Path file, String stack, Map<String, String> parameters, URI sqsEndpoint) {
    this.document = included(read(file), file);
    this.directory = file.toAbsolutePath().resolveSibling("");
    this.stack = stack;
    this.parameters = parameters;
    this.sqsEndpoint = sqsEndpoint;
  }

  /** The directory of the template; its relative paths start there. */
  Path directory() {
    return directory;
  }

  String stack() {
    return stack;
  }

  JsonNode section(String name) {
    return document.path(name);
  }

  List<Map.Entry<String, JsonNode>> resources(String type) {
    return section("Resources").properties().stream()
        .filter(resource -> resource.getValue().path("Type").asText().equals(type))
        .toList();
  }

  /** The value, with {@code Ref} and the other functions of CloudFormation applied. */
  String text(JsonNode value) {
    if (value.isValueNode()) {
      return value.asText();
    }
    if (!value.isObject() || value.size() != 1) {
      throw new StartFault("the template has " + value + "; a string is expected there");
    }
    Map.Entry<String, JsonNode> call = value.properties().iterator().next();
    JsonNode argument = call.getValue();
    return switch (call.getKey()) {
      case "Ref" -> reference(argument.asText());
      case "Fn::GetAtt" -> attribute(argument.path(0).asText(), argument.path(1).asText());
      case "Fn::Sub" -> substituted(argument.asText());
      case "Fn::Join" -> joined(argument.path(0).asText(), argument.path(1));
      case "Fn::If" -> text(argument.path(holds(argument.path(0).asText()) ? 1 : 2));
      default -> throw unknown(call.getKey());
    };
  }

  private boolean holds(String condition) {
    JsonNode both = section("Conditions").path(condition).path("Fn::Equals");
    if (!both.isArray()) {
      throw unknown("the condition " + condition);
    }
    return text(both.path(0)).equals(text(both.path(1)));
  }

  private String joined(String separator, JsonNode parts) {
    return StreamSupport.stream(parts.spliterator(), false)
        .map(this::text)
        .collect(Collectors.joining(separator));
  }

  private String substituted(String text) {
    return VARIABLE
        .matcher(text)
        .replaceAll(variable -> Matcher.quoteReplacement(variable(variable.group(1))));
  }

  private String variable(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? reference(name) : attribute(name.substring(0, dot), name.substring(dot + 1));
  }

  private String reference(String name) {
    JsonNode parameter = section("Parameters").path(name);
    if (parameter.isObject()) {
      return parameters.getOrDefault(name, parameter.path("Default").asText());
    }
    String pseudo = pseudoParameter(name);
    if (pseudo != null) {
      return pseudo;
    }
    return switch (type(name)) {
      case "AWS::SQS::Queue" -> queueUrl(physicalName(name));
      default -> physicalName(name);
    };
  }

  private @Nullable String pseudoParameter(String name) {
    return switch (name) {
      case "AWS::StackName" -> stack;
      case "AWS::Region" -> LocalAccount.REGION;
      case "AWS::AccountId" -> LocalAccount.ID;
      case "AWS::Partition" -> "aws";
      case "AWS::URLSuffix" -> "amazonaws.com";
      default -> null;
    };
  }

  private String attribute(String resource, String attribute) {
    String type = type(resource);
    return switch (type + "." + attribute) {
      case "AWS::SQS::Queue" + ARN -> LocalAccount.queueArn(physicalName(resource));
      case "AWS::SQS::Queue.QueueName" -> physicalName(resource);
      case "AWS::DynamoDB::Table" + ARN -> LocalAccount.tableArn(physicalName(resource));
      default -> throw unknown("the attribute " + attribute + " of " + resource);
    };
  }

  /** The name that the template gives, or one made of the stack name and the logical id. */
  String physicalName(String resource) {
    JsonNode properties = section("Resources").path(resource).path("Properties");
    JsonNode name =
        switch (type(resource)) {
          case "AWS::SQS::Queue" -> properties.path("QueueName");
          case "AWS::DynamoDB::Table" -> properties.path("TableName");
          default -> properties.path("FunctionName");
        };
    return name.isMissingNode() ? stack + "-" + resource : text(name);
  }

  private String queueUrl(String queueName) {
    return sqsEndpoint + "/" + LocalAccount.ID + "/" + queueName;
  }

  private String type(String resource) {
    JsonNode type = section("Resources").path(resource).path("Type");
    if (type.isMissingNode()) {
      throw new StartFault("the template refers to " + resource + ", which it does not define");
    }
    return type.asText();
  }

  private static StartFault unknown(String what) {
    return new StartFault("the template uses " + what + ", which the local engine does not know");
  }

  /** Replaces each {@code AWS::Include} by the file that it names, relative to the template. */
  private static JsonNode included(JsonNode node, Path template) {
    JsonNode transform = node.path("Fn::Transform");
    if (transform.path("Name").asText().equals("AWS::Include")) {
      String location = transform.path("Parameters").path("Location").asText();
      return read(template.resolveSibling(location));
    }
    if (node instanceof ObjectNode object) {
      object.properties().forEach(it -> it.setValue(included(it.getValue(), template)));
    }
    return node;
  }

  private static JsonNode read(Path file) {
    try (Reader reader = Files.newBufferedReader(file)) {
      Object document = new Yaml(new Tags()).load(reader);
      return new ObjectMapper().valueToTree(document);
    } catch (IOException fault) {
      throw new StartFault("cannot read the template " + file, fault);
    } catch (YAMLException fault) {
      throw new StartFault("the template " + file + " is not YAML: " + fault.getMessage(), fault);
    }
  }

  /** Reads the short forms of functions, like {@code !Ref X}, as the long forms. */
  private static final class Tags extends SafeConstructor {

    Tags() {
      super(new LoaderOptions());
      yamlMultiConstructors.put("!", new LongForm());
    }

    private final class LongForm extends AbstractConstruct {

      @Override
      public Object construct(Node node) {
        String function = node.getTag().getValue().substring(1);
        if (function.equals("GetAtt") && node instanceof ScalarNode path) {
          return Map.of("Fn::GetAtt", List.of(path.getValue().split("\\.", 2)));
        }
        boolean plain = function.equals("Ref") || function.equals("Condition");
        return Map.of(plain ? function : "Fn::" + function, content(node));
      }

      private Object content(Node node) {
        if (node instanceof SequenceNode sequence) {
          return constructSequence(sequence);
        }
        if (node instanceof MappingNode mapping) {
          return constructMapping(mapping);
        }
        return ((ScalarNode) node).getValue();
      }
    }
  }
}
