package dev.carillon.launch;

import dev.carillon.job.Job;
import dev.carillon.schedule.Schedule;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The message attributes of launch requests: Carillon's six and the schedule's own. */
public final class MessageAttributes {

  private static final String RESERVED_PREFIX = "carillon-";
  private static final Pattern NAME =
      Pattern.compile("(?!(?i:aws|amazon)\\.)[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int LONGEST_NAME = 256;

  private MessageAttributes() {}

  /** Why a schedule's own attribute cannot be called that; empty if it can. */
  public static Optional<String> nameFault(String name) {
    if (name.toLowerCase(Locale.ROOT).startsWith(RESERVED_PREFIX)) {
      return Optional.of(
          "attribute names that begin with carillon- are Carillon's own; choose another name");
    }
    return name.length() <= LONGEST_NAME && NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            "SQS takes no attribute with such a name: use 1 to 256 letters, digits, _, - and single"
                + " dots between them, not beginning with AWS. or Amazon.");
  }

  static Map<String, String> of(
      Schedule schedule, Job job, Variables variables, Consumer<String> notes) {
    Map<String, String> attributes = new TreeMap<>(own(schedule, variables, notes));
    String namespace = schedule.id().namespace();
    attributes.put("carillon-job-id", job.id().toString());
    attributes.put("carillon-attempt", Integer.toString(job.attempt()));
    attributes.put("carillon-schedule", schedule.id().toString());
    attributes.put("carillon-program", namespace + "/" + job.program());
    attributes.put("carillon-scheduled-for", TriggerInformation.text(job.scheduledFor()));
    attributes.put("carillon-priority", Integer.toString(job.priority()));
    return attributes;
  }

  private static Map<String, String> own(
      Schedule schedule, Variables variables, Consumer<String> notes) {
    Map<String, String> own = new TreeMap<>();
    schedule
        .target()
        .attributes()
        .forEach(
            (name, template) -> {
              nameFault(name).ifPresent(fault -> unsendable(name, fault));
              String value = Template.ofText(template).render(variables, notes);
              MessageText.firstForbidden(value)
                  .ifPresent(character -> unsendable(name, Template.forbidden(character)));
              if (value.isEmpty()) {
                notes.accept("the attribute " + name + " was left out, for its value is empty");
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
