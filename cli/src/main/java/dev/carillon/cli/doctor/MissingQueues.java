package dev.carillon.cli.doctor;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Job;
import dev.carillon.client.JobFilter;
import dev.carillon.client.Namespace;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the waiting jobs of a namespace whose target queue does not exist. */
final class MissingQueues {

  private static final String CHECK = "missing target queues";

  /** The reason that the service records for such a launch. */
  private static final String REASON = "the queue does not exist";

  private static final int MOST_EXAMINED = 200;

  private final Namespace namespace;

  MissingQueues(Namespace namespace) {
    this.namespace = namespace;
  }

  Finding examine() {
    JobFilter waiting = JobFilter.unfinished().withState(Job.State.PENDING_CONSTRAINT);
    Set<String> schedules =
        namespace.jobs(waiting, MOST_EXAMINED, null).items().stream()
            .filter(MissingQueues::lacksItsQueue)
            .map(Job::schedule)
            .collect(Collectors.toCollection(TreeSet::new));
    if (schedules.isEmpty()) {
      return Finding.ok(CHECK, "none");
    }
    String named =
        schedules.stream()
            .limit(ScheduleChecks.MOST_NAMED)
            .map(this::named)
            .collect(Collectors.joining("; "));
    return Finding.wrong(
        CHECK,
        named + (schedules.size() > ScheduleChecks.MOST_NAMED ? "; …" : ""),
        "create the queue, or change target.queue of the schedule");
  }

  private static boolean lacksItsQueue(Job job) {
    return !job.transitions().isEmpty()
        && Objects.toString(job.transitions().get(job.transitions().size() - 1).reason(), "")
            .contains(REASON);
  }

  private String named(String schedule) {
    try {
      String queue = namespace.schedule(schedule).document().at("/target/queue").asText();
      return "the queue " + queue + " of the schedule " + schedule;
    } catch (CarillonException.NotFound deleted) {
      return "the queue of the deleted schedule " + schedule;
    }
  }
}
