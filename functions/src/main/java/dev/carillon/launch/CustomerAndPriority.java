package dev.carillon.launch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.SqsIdentifier;
import dev.carillon.job.Job;
import dev.carillon.job.Precedence;
import dev.carillon.schedule.Schedule;
import dev.carillon.template.Template;
import dev.carillon.template.UnsendableException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The customer and the priority of a job, fixed when its trigger is satisfied. Values that a
 * launch-now gives override those of the schedule.
 *
 * @param customer null for no customer; a name longer than 128 characters is shortened and gets a
 *     hash
 * @param priority 0 to 9; {@link Precedence#DEFAULT_PRIORITY} if the schedule's template renders to
 *     anything but such a number
 * @param notes remarks for the job's history
 */
public record CustomerAndPriority(@Nullable String customer, int priority, List<String> notes) {

  private static final Pattern PRIORITY = Pattern.compile("[0-9](\\.0+)?");

  public static CustomerAndPriority of(Schedule schedule, Job job, JobTimes times) {
    Set<String> notes = new LinkedHashSet<>();
    Variables variables = new Variables(schedule, job, times);
    Consumer<String> note = notes::add;
    String customer = customer(schedule, job, variables, note);
    int priority = priority(schedule, job, variables, note);
    return new CustomerAndPriority(customer, priority, List.copyOf(notes));
  }

  public Job appliedTo(Job job) {
    return job.withCustomerAndPriority(customer, priority);
  }

  private static @Nullable String customer(
      Schedule schedule, Job job, Variables variables, Consumer<String> notes) {
    JsonNode given = given(job, "customer");
    String template = schedule.customer();
    String customer = "";
    if (given.isTextual()) {
      customer = given.textValue();
    } else if (template != null) {
      customer = rendered(Template.ofText(template), variables, notes);
    }
    return customer.isBlank() ? null : SqsIdentifier.shortened(customer);
  }

  /** The priority. A job of a backfill always has the least urgent priority. */
  private static int priority(
      Schedule schedule, Job job, Variables variables, Consumer<String> notes) {
    if (job.id().isOfBackfill()) {
      return Precedence.LEAST_URGENT;
    }
    JsonNode given = given(job, "priority");
    Template template = new Template(given.isNumber() ? given : schedule.priority());
    String priority = rendered(template, variables, notes).strip();
    if (PRIORITY.matcher(priority).matches()) {
      return priority.charAt(0) - '0';
    }
    notes.accept(
        "the priority is not a whole number from 0 to 9; "
            + Precedence.DEFAULT_PRIORITY
            + " is used instead");
    return Precedence.DEFAULT_PRIORITY;
  }

  private static String rendered(Template template, Variables variables, Consumer<String> notes) {
    try {
      return template.render(variables, notes);
    } catch (UnsendableException unsendable) {
      notes.accept(unsendable.reason());
      return "";
    }
  }

  private static JsonNode given(Job job, String field) {
    ObjectNode launchNow = job.launchNow();
    return launchNow == null ? MissingNode.getInstance() : launchNow.path(field);
  }
}
