package dev.carillon.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Job;
import dev.carillon.client.JobFilter;
import dev.carillon.client.Namespace;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the waiting jobs of a namespace whose target queue, or whose pool's, does not exist. */
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
    Set<String> schedules =
        Stream.of(Job.State.PENDING_CONSTRAINT, Job.State.READY)
            .flatMap(this::in)
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
        "create the queue, or change target.queue of the schedule or queue of the pool");
  }

  private Stream<Job> in(Job.State state) {
    JobFilter waiting = JobFilter.unfinished().withState(state);
    return namespace.jobs(waiting, MOST_EXAMINED, null).items().stream();
  }

  private static boolean lacksItsQueue(Job job) {
    return !job.transitions().isEmpty()
        && Objects.toString(job.transitions().get(job.transitions().size() - 1).reason(), "")
            .contains(REASON);
  }

  private String named(String schedule) {
    try {
      JsonNode document = namespace.schedule(schedule).document();
      String pool = document.path("pool").asText("");
      String queue =
          switch (pool) {
            case "" -> document.at("/target/queue").asText();
            case "match" -> "of the pool";
            default -> "of the pool " + pool;
          };
      return "the queue " + queue + " of the schedule " + schedule;
    } catch (CarillonException.NotFound deleted) {
      return "the queue of the deleted schedule " + schedule;
    }
  }
}
