package dev.carillon.api;

import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import dev.carillon.id.ProgramName;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.LinkId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that one request changes. Each part that is not null must match. At least one of
 * schedule, program and link is given.
 *
 * @param states the states of the jobs
 * @param from the first {@code scheduledFor}
 * @param to the end of the range of {@code scheduledFor}, exclusive
 */
record JobSelection(
    String namespace,
    @Nullable String schedule,
    @Nullable String program,
    @Nullable String linkId,
    Set<JobState> states,
    @Nullable Instant from,
    @Nullable Instant to) {

  static final List<String> MEMBERS =
      List.of("schedule", "program", "linkId", "state", "from", "to", "dryRun");

  /**
   * @param states the states that the request can name
   * @param usual the states if the request names none
   */
  static JobSelection read(
      Fields body, String namespace, Set<JobState> states, Set<JobState> usual) {
    List<String> names = states.stream().map(JobState::name).toList();
    JobSelection selection =
        new JobSelection(
            namespace,
            body.optionalText("schedule", TextForm.NAME),
            body.has("program") ? ProgramName.read(body, "program", namespace) : null,
            body.optionalText(LinkId.NAME, LinkId.FORM),
            body.has("state")
                ? body.choice("state", names)
                    .map(name -> Set.of(JobState.valueOf(name)))
                    .orElse(usual)
                : usual,
            body.optionalInstant("from"),
            body.optionalInstant("to"));
    selection.check(body);
    return selection;
  }

  private void check(Fields body) {
    if (schedule == null && program == null && linkId == null && !body.isRefused("schedule")) {
      body.refuse(
          "schedule",
          "give \"schedule\", \"program\" or \"linkId\", so that not all jobs of the namespace are meant");
    }
    if (from != null && to != null && !from.isBefore(to) && !body.isRefused("from")) {
      body.refuse("to", "give an instant after \"from\"");
    }
  }

  ScheduleId scheduleId() {
    return new ScheduleId(namespace, Objects.requireNonNull(schedule));
  }

  /** The source that is searched for jobs that have ended. */
  JobSource ended(JobSources sources) {
    if (linkId != null) {
      return sources.linked(namespace, linkId);
    }
    return schedule != null
        ? sources.ofSchedule(scheduleId(), states)
        : sources.ofProgram(namespace, Objects.requireNonNullElse(program, ""), states);
  }

  /** The source that is searched for unfinished jobs. */
  JobSource unfinished(JobSources sources) {
    return linkId == null ? sources.unfinished(namespace) : sources.linked(namespace, linkId);
  }

  boolean matches(Job job) {
    return states.contains(job.state())
        && (schedule == null || schedule.equals(job.id().schedule().name()))
        && (program == null || program.equals(job.program()))
        && (linkId == null || linkId.equals(job.linkId()))
        && (from == null || !job.scheduledFor().isBefore(from))
        && (to == null || job.scheduledFor().isBefore(to));
  }
}
