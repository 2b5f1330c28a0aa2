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
import org.jspecify.annotations.Nullable;

/**
 * Reads a target from a schedule document: the target of its launches, or the target of its
 * callbacks.
 */
final class TargetReader {

  static final String ON_END = "onEnd";

  private static final int MOST_ATTRIBUTES = 4;
  private static final TextForm QUEUE = TextForm.line(512);
  private static final TextForm ATTRIBUTE = TextForm.lines(1_024);
  private static final TextForm GROUP_ID = TextForm.line(256);

  private final Faults faults;
  private final Scope scope;

  private TargetReader(Faults faults, Scope scope) {
    this.faults = faults;
    this.scope = scope;
  }

  /** The target of the launches. */
  static Target ofLaunches(Fields document, Faults faults) {
    Fields target = document.requiredObject("target");
    boolean isPooled = document.has("pool");
    if (isPooled && target.has("queue")) {
      target.refuse(
          "queue", "the schedule has a pool, so its target has no queue; remove queue or pool");
    }
    return new TargetReader(faults, Scope.LAUNCH).read(target, isPooled ? null : queue(target));
  }

  /** The target of the callbacks; null if the document wants none. */
  static @Nullable Target ofCallbacks(Fields document, Faults faults) {
    return document.has(ON_END)
        ? new TargetReader(faults, Scope.END).read(document.object(ON_END))
        : null;
  }

  private Target read(Fields target) {
    return read(target, queue(target));
  }

  private Target read(Fields target, @Nullable String queue) {
    target.allowOnly(List.of("queue", "template", "attributes", "groupId"));
    return new Target(
        queue,
        template(target),
        attributes(target),
        Templates.optionalText(target, "groupId", GROUP_ID, scope));
  }

  private static String queue(Fields target) {
    String queue = target.text("queue", QUEUE);
    if (queue.contains("${")) {
      target.refuse("queue", "a queue cannot contain variables; give the name of one queue");
    }
    return queue;
  }

  private JsonNode template(Fields target) {
    JsonNode template = target.get("template");
    if (template.isMissingNode()) {
      target.refuse("template", "give the message to send: an object, a list or a text");
      return NullNode.getInstance();
    }
    if (template.isTextual() && template.textValue().isEmpty()) {
      target.refuse("template", "SQS accepts no empty message; give at least one character");
    }
    target.include("template", new Template(template).faults(scope));
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
      read.put(name, Templates.text(attributes, name, ATTRIBUTE, scope));
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
