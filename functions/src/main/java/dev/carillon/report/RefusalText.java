package dev.carillon.report;

import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.job.Job;
import dev.carillon.run.Operation;
import dev.carillon.run.Operations;
import dev.carillon.time.Timestamps;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The text that explains to a worker or caller why a report or request was refused, and what to do.
 */
public final class RefusalText {

  private RefusalText() {}

  public static String of(Job job, Refusal why) {
    return "the job is " + job.state() + " in attempt " + job.attempt() + remedy(job, why);
  }

  private static String remedy(Job job, Refusal why) {
    return switch (why) {
      case SUPERSEDED -> ": the attempt has ended or another worker has it; delete the message";
      case NOT_YET -> " and cannot be claimed now; leave the message in its queue";
      case STALE -> ", and the token is not that of its claim; stop the work";
      case UNKNOWN_OPERATION ->
          " and does not have these operations; name those in the answer to its claim";
      case NOT_TRACKED ->
          " and is not tracked; add \"tracking\": {} to its schedule for the next jobs";
      case BUSY -> ": its request is being sent or its end announced; repeat the call";
      case SENT_UNTRACKED ->
          ": its request was sent, and its target is not tracked; report its end with an event of"
              + " type PROGRAM_STATUS";
      case ENDED -> " and has ended; use launch for a new job";
      case NOT_FAILED ->
          "; only a job that was launched and ended FAILED, CANCELLED or TIMED_OUT can be retried."
              + " Use launch for a new job";
      case UNWANTED -> unwanted(job);
    };
  }

  private static String unwanted(Job job) {
    return job.id().isOfBackfill()
        ? ", and its backfill has counted its end, or its schedule was changed, suspended or deleted"
            + " since; start a backfill from before "
            + Timestamps.text(job.scheduledFor())
            + " to this instant"
        : ", and its schedule was changed, suspended or deleted since; use launch for a new job";
  }

  /** The faults of a report about operations that the job does not have. */
  public static List<Fault> unknownOperations(Job job, Collection<String> given) {
    Operations operations = Objects.requireNonNull(job.run()).operations();
    List<String> known = operations.all().stream().map(Operation::id).toList();
    String remedy =
        known.isEmpty()
            ? "the job has no operations; leave the member out"
            : known.stream()
                .map(Faults::quoted)
                .collect(Collectors.joining(", ", "its operations are ", ""));
    return given.stream()
        .filter(id -> !known.contains(id))
        .map(
            id ->
                new Fault(
                    Faults.member("/operations", id),
                    Faults.quoted(id) + " is not an operation of the job; " + remedy))
        .toList();
  }
}
