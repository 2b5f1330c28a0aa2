package dev.carillon.launch;

import dev.carillon.document.MessageLimits;
import dev.carillon.job.Job;
import dev.carillon.schedule.Schedule;
import dev.carillon.template.MessageText;
import dev.carillon.template.Template;
import dev.carillon.template.UnsendableException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Renders the launch request of a job. Deterministic: the same job and attempt always give the same
 * request.
 */
public final class LaunchRenderer {

  private LaunchRenderer() {}

  /**
   * @param job a job whose customer and priority are resolved
   */
  public static Rendering render(Schedule schedule, Job job, String queueArn, JobTimes times) {
    Set<String> notes = new LinkedHashSet<>();
    Variables variables = new Variables(schedule, job, times);
    Consumer<String> note = notes::add;
    try {
      String body = body(schedule, variables, note);
      Map<String, String> attributes = MessageAttributes.of(schedule, job, variables, note);
      checkSize(body, attributes);
      String groupId = groupId(schedule, job, queueArn, variables, note);
      LaunchRequest request =
          new LaunchRequest(job.id(), job.attempt(), queueArn, body, attributes, groupId);
      return new Rendering.Rendered(request, List.copyOf(notes));
    } catch (UnsendableException unsendable) {
      return new Rendering.Unsendable(unsendable.reason());
    }
  }

  private static String body(Schedule schedule, Variables variables, Consumer<String> notes) {
    String body = new Template(schedule.target().template()).render(variables, notes);
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
      Schedule schedule, Job job, String queueArn, Variables variables, Consumer<String> notes) {
    String template = schedule.target().groupId();
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
