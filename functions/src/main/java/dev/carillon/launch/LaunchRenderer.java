package dev.carillon.launch;

import dev.carillon.document.MessageLimits;
import dev.carillon.document.SqsIdentifier;
import dev.carillon.job.Job;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Target;
import dev.carillon.template.MessageText;
import dev.carillon.template.Template;
import dev.carillon.template.Template.Scope;
import dev.carillon.template.UnsendableException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Renders the launch request of a job, and its callback. It is deterministic: the same job and
 * attempt always give the same message.
 */
public final class LaunchRenderer {

  private LaunchRenderer() {}

  /**
   * @param job a job whose customer and priority are resolved
   */
  public static Rendering render(Schedule schedule, Job job, String queueArn, JobTimes times) {
    Variables variables = new Variables(schedule, job, times);
    return render(schedule, schedule.target(), job, queueArn, variables);
  }

  /**
   * Renders the message that says how a job has ended.
   *
   * @param job a job that has ended, with its customer and priority
   * @param onEnd what the schedule sends as its callback
   */
  public static Rendering callback(
      Schedule schedule, Target onEnd, Job job, String queueArn, JobTimes times) {
    return render(schedule, onEnd, job, queueArn, new EndVariables(schedule, job, times));
  }

  private static Rendering render(
      Schedule schedule, Target target, Job job, String queueArn, Template.Values variables) {
    Set<String> notes = new LinkedHashSet<>();
    Consumer<String> note = notes::add;
    boolean isCallback = variables.scope() == Scope.END;
    try {
      String body = body(target, variables, note);
      Map<String, String> attributes = MessageAttributes.of(schedule, target, job, variables, note);
      checkSize(body, attributes);
      String groupId = groupId(schedule, target, job, queueArn, variables, note);
      LaunchRequest request =
          new LaunchRequest(
              job.id(), job.attempt(), isCallback, queueArn, body, attributes, groupId);
      return new Rendering.Rendered(request, List.copyOf(notes));
    } catch (UnsendableException unsendable) {
      return new Rendering.Unsendable(unsendable.reason());
    }
  }

  private static String body(Target target, Template.Values variables, Consumer<String> notes) {
    String body = new Template(target.template()).render(variables, notes);
    if (body.isEmpty()) {
      throw new UnsendableException(
          "the body is empty, which SQS does not accept; give a template that is never empty");
    }
    MessageText.firstForbidden(body)
        .ifPresent(
            character -> {
              throw new UnsendableException("the body " + Template.forbidden(character));
            });
    return body;
  }

  private static void checkSize(String body, Map<String, String> attributes) {
    int bytes = MessageLimits.bytes(body, attributes);
    if (bytes > MessageLimits.MOST_BYTES) {
      throw new UnsendableException(
          "body and attributes have %d bytes, more than the %d that SQS accepts; send less"
              .formatted(bytes, MessageLimits.MOST_BYTES));
    }
  }

  private static @Nullable String groupId(
      Schedule schedule,
      Target target,
      Job job,
      String queueArn,
      Template.Values variables,
      Consumer<String> notes) {
    String template = target.groupId();
    String rendered = template == null ? "" : Template.ofText(template).render(variables, notes);
    if (!rendered.isBlank()) {
      return SqsIdentifier.fit(rendered);
    }
    String customer = job.customer();
    if (customer != null && !customer.isBlank()) {
      return SqsIdentifier.fit(customer);
    }
    return queueArn.endsWith(QueueArn.FIFO) ? SqsIdentifier.fit(schedule.id().name()) : null;
  }
}
