package dev.carillon.local;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The policies of the template for a function. */
final class Policies {

  private final CloudFormation template;

  Policies(CloudFormation template) {
    this.template = template;
  }

  /** A statement with its resources unevaluated. */
  record Statement(String effect, List<String> actions, List<JsonNode> resources) {}

  /** The statements of a function's role. */
  List<Statement> statements(String function) {
    JsonNode resources = template.section("Resources");
    JsonNode role = resources.path(function).at("/Properties/Role/Fn::GetAtt/0");
    List<Statement> statements = new ArrayList<>();
    for (JsonNode policy : resources.path(role.asText()).at("/Properties/Policies")) {
      for (JsonNode statement : policy.at("/PolicyDocument/Statement")) {
        statements.add(
            new Statement(
                statement.path("Effect").asText(),
                listed(statement.path("Action")).stream().map(JsonNode::asText).toList(),
                listed(statement.path("Resource"))));
      }
    }
    return statements;
  }

  /** The permissions on DynamoDB and SQS in statements with this effect. */
  Set<Permission> permissions(String function, String effect) {
    Set<Permission> permissions = new HashSet<>();
    for (Statement statement : statements(function)) {
      for (String action : statement.actions()) {
        if (statement.effect().equals(effect) && !action.startsWith("logs:")) {
          statement
              .resources()
              .forEach(it -> permissions.add(new Permission(action, template.text(it))));
        }
      }
    }
    return permissions;
  }

  private static List<JsonNode> listed(JsonNode oneOrMany) {
    return oneOrMany.isArray()
        ? StreamSupport.stream(oneOrMany.spliterator(), false).toList()
        : List.of(oneOrMany);
  }
}
