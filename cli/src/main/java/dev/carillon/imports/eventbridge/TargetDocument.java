package dev.carillon.imports.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Literals;
import dev.carillon.imports.Members;
import dev.carillon.imports.NotCarried;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts a target of EventBridge Scheduler.
 *
 * @param arn the ARN of the schedule
 */
record TargetDocument(String arn, Conversion how) {

  private static final String SEND_MESSAGE = ":aws-sdk:sqs:sendMessage";
  private static final int MOST_ATTRIBUTES = 4;

  void add(Draft draft, Members target) {
    String to = target.required("Arn");
    String input = target.text("Input");
    if (to.endsWith(SEND_MESSAGE)) {
      sendMessage(draft, input == null ? "" : input);
    } else if (to.startsWith("arn:") && to.split(":", 4)[2].equals("sqs")) {
      ObjectNode written = draft.target(to, template(draft, input), how);
      group(written, target.object("SqsParameters").text("MessageGroupId"));
      draft.note("the stack's AllowedTargets must allow the queue " + to);
    } else {
      invocation(draft, to, target, input);
    }
    retries(draft, target);
    target.ignoring(List.of("RoleArn")).noteUnread(draft);
  }

  private JsonNode template(Draft draft, @Nullable String input) {
    return input == null ? Input.usual("aws.scheduler", arn) : Input.template(input, arn, draft);
  }

  private void group(ObjectNode target, @Nullable String group) {
    if (group != null) {
      target.put("groupId", Input.withVariables(group, arn));
    }
  }

  /** Converts the universal target, whose input is the parameters of SendMessage. */
  private void sendMessage(Draft draft, String input) {
    Members message = Members.of(Input.json(input));
    String queue = message.required("QueueUrl");
    JsonNode body = Input.template(message.required("MessageBody"), arn, draft);
    ObjectNode target = draft.target(queue, body, how);
    group(target, message.text("MessageGroupId"));
    attributes(target, message.get("MessageAttributes"));
    draft.note("the stack's AllowedTargets must allow the queue " + queue);
    message.ignoring(List.of("MessageDeduplicationId")).noteUnread(draft);
  }

  private void attributes(ObjectNode target, JsonNode attributes) {
    if (attributes.size() > MOST_ATTRIBUTES) {
      throw new NotCarried("it has more than 4 message attributes; move some into the body");
    }
    for (var attribute : attributes.properties()) {
      JsonNode value = attribute.getValue().path("StringValue");
      if (!value.isTextual()) {
        throw new NotCarried("the message attribute " + attribute.getKey() + " is not a string");
      }
      target
          .withObjectProperty("attributes")
          .put(attribute.getKey(), Input.withVariables(value.textValue(), arn));
    }
  }

  /**
   * Converts a target that is not a queue. The launch request describes the target, so that a
   * worker can invoke it.
   */
  private void invocation(Draft draft, String to, Members target, @Nullable String input) {
    ObjectNode template = Json.object().put("target", Literals.escaped(to));
    template.set("input", template(draft, input));
    for (String kind :
        List.of(
            "EcsParameters",
            "EventBridgeParameters",
            "KinesisParameters",
            "SageMakerPipelineParameters")) {
      JsonNode parameters = target.get(kind);
      if (!parameters.isMissingNode()) {
        template.set(kind, Literals.escaped(parameters));
      }
    }
    String role = target.text("RoleArn");
    if (role != null) {
      template.put("role", Literals.escaped(role));
    }
    draft.target(null, template, how);
    draft.note("a worker of the queue must invoke " + to);
  }

  private static void retries(Draft draft, Members target) {
    Members policy = target.object("RetryPolicy");
    Long age = policy.whole("MaximumEventAgeInSeconds");
    if (age != null) {
      draft
          .document()
          .putObject("timeout")
          .put("after", Duration.ofSeconds(age).toString())
          .put("action", "discard");
    }
    policy.noteUnread(draft);
  }
}
