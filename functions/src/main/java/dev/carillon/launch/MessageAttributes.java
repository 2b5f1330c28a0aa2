package dev.carillon.launch;

import dev.carillon.job.Job;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Target;
import dev.carillon.template.AttributeName;
import dev.carillon.template.MessageText;
import dev.carillon.template.Template;
import dev.carillon.template.Template.Scope;
import dev.carillon.template.UnsendableException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The message attributes of launch requests: six that Carillon sets, and those of the schedule.
 * Callbacks have the outcome in place of the priority, because SQS accepts no more than ten
 * attributes.
 */
final class MessageAttributes {

  private MessageAttributes() {}

  static Map<String, String> of(
      Schedule schedule,
      Target target,
      Job job,
      Template.Values variables,
      Consumer<String> notes) {
    Map<String, String> attributes = new TreeMap<>(own(target, variables, notes));
    String namespace = schedule.id().namespace();
    attributes.put("carillon-job-id", job.id().toString());
    attributes.put("carillon-attempt", Integer.toString(job.attempt()));
    attributes.put("carillon-schedule", schedule.id().toString());
    attributes.put("carillon-program", namespace + "/" + job.program());
    attributes.put("carillon-scheduled-for", TriggerInformation.text(job.scheduledFor()));
    if (variables.scope() == Scope.END) {
      attributes.put("carillon-outcome", job.state().name());
    } else {
      attributes.put("carillon-priority", Integer.toString(job.priority()));
    }
    return attributes;
  }

  private static Map<String, String> own(
      Target target, Template.Values variables, Consumer<String> notes) {
    Map<String, String> own = new TreeMap<>();
    target
        .attributes()
        .forEach(
            (name, template) -> {
              AttributeName.fault(name).ifPresent(fault -> unsendable(name, fault));
              String value = Template.ofText(template).render(variables, notes);
              MessageText.firstForbidden(value)
                  .ifPresent(character -> unsendable(name, Template.forbidden(character)));
              if (value.isEmpty()) {
                notes.accept("the attribute " + name + " was omitted because its value is empty");
              } else {
                own.put(name, value);
              }
            });
    return own;
  }

  private static void unsendable(String name, String fault) {
    throw new UnsendableException("the attribute " + name + ": " + fault);
  }
}
