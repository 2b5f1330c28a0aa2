package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.template.AttributeName;
import dev.carillon.template.Template;
import dev.carillon.template.Template.Scope;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the target of a schedule document. */
final class TargetReader {

  private static final int MOST_ATTRIBUTES = 4;
  private static final TextForm QUEUE = TextForm.line(512);
  private static final TextForm ATTRIBUTE = TextForm.lines(1_024);
  private static final TextForm GROUP_ID = TextForm.line(256);

  private final Faults faults;

  TargetReader(Faults faults) {
    this.faults = faults;
  }

  Target read(Fields document) {
    Fields target = document.requiredObject("target");
    target.allowOnly(List.of("queue", "template", "attributes", "groupId"));
    return new Target(
        queue(target),
        template(target),
        attributes(target),
        Templates.optionalText(target, "groupId", GROUP_ID, Scope.LAUNCH));
  }

  private static String queue(Fields target) {
    String queue = target.text("queue", QUEUE);
    if (queue.contains("${")) {
      target.refuse("queue", "a queue cannot contain variables; give the name of one queue");
    }
    return queue;
  }

  private static JsonNode template(Fields target) {
    JsonNode template = target.get("template");
    if (template.isMissingNode()) {
      target.refuse("template", "give the message to send: an object, a list or a text");
      return NullNode.getInstance();
    }
    if (template.isTextual() && template.textValue().isEmpty()) {
      target.refuse("template", "SQS accepts no empty message; give at least one character");
    }
    target.include("template", new Template(template).faults(Scope.LAUNCH));
    return template;
  }

  private Map<String, String> attributes(Fields target) {
    Fields attributes = target.object("attributes");
    List<String> names = attributes.names();
    if (names.size() > MOST_ATTRIBUTES) {
      faults.add(
          target.at("attributes"),
          "there are " + names.size() + " attributes; give at most " + MOST_ATTRIBUTES);
    }
    Map<String, String> read = new TreeMap<>();
    for (String name : names) {
      AttributeName.fault(name)
          .ifPresent(fault -> faults.add(attributes.at(name), Faults.quoted(name) + ": " + fault));
      read.put(name, Templates.text(attributes, name, ATTRIBUTE, Scope.LAUNCH));
    }
    return Collections.unmodifiableMap(read);
  }

  static ObjectNode document(Target target) {
    ObjectNode document = Json.object().put("queue", target.queue());
    document.set("template", target.template());
    ObjectNode attributes = document.putObject("attributes");
    new TreeMap<>(target.attributes()).forEach(attributes::put);
    return document.put("groupId", target.groupId());
  }
}
