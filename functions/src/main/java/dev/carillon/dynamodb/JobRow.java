package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.FLAG;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Forms.URGENT;
import static dev.carillon.dynamodb.Schema.unless;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.gate.Passage;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Occasion;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * A job as an item. Names are short and what follows from the key or is usual is left out: the row
 * of a plain fire costs one write unit as long as it stays below 1 KB.
 */
final class JobRow {

  static final String SCHEDULE = "schedule";
  static final String ITEM = "item";
  static final String PREFIX = "job#";
  static final String STATE = "state";
  static final String VERSION = "v";

  static final AttributeConverter<Occasion> OCCASION =
      Forms.deflated(Occasion.class, OccasionText::write, OccasionText::read);

  static final TableSchema<JobId> KEY =
      Schema.ofKey(
          JobId.class,
          SCHEDULE,
          id -> id.schedule().toString(),
          ITEM,
          id -> PREFIX + id.sortKey(),
          (schedule, item) -> id(ScheduleId.parse(schedule), item.substring(PREFIX.length())));

  private static final AttributeConverter<GateKey> GATE =
      Forms.text(GateKey.class, GateKey::toString, GateKey::parse);

  private static final AttributeConverter<List<GateKey>> GATES =
      Forms.joined(" ", GateKey.class, GateKey::toString, GateKey::parse);

  private static final TableSchema<Passage> PASSAGE =
      Schema.of(
              Passage.class,
              PassageBuilder.class,
              () -> PassageBuilder.builder().gates(List.of()),
              PassageBuilder::build)
          .optional("g", GATES, it -> unless(List.of(), it.gates()), PassageBuilder::gates)
          .optional("s", FLAG, it -> unless(false, it.slotted()), PassageBuilder::slotted)
          .optional("t", MILLIS, Passage::at, PassageBuilder::at)
          .optional("w", GATE, Passage::waitsAt, PassageBuilder::waitsAt)
          .optional("e", NUMBER, Passage::endedBy, PassageBuilder::endedBy)
          .build();

  static final TableSchema<Job> SCHEMA =
      Schema.of(Job.class, Parts.class, Parts::new, Parts::job)
          .flat(KEY, Job::id, Parts::id)
          .with(STATE, Forms.named(JobState.class), Job::state, Parts::state)
          .with(VERSION, NUMBER, Job::version, Parts::version)
          .with("a", NUMBER, Job::activation, Parts::activation)
          .with("p", TEXT, Job::program, Parts::program)
          .with("h", TransitionsText.FORM, Job::transitions, Parts::transitions)
          .optional("t", COUNT, job -> unless(1, job.attempt()), Parts::attempt)
          .optional("c", TEXT, Job::customer, Parts::customer)
          .optional(
              "r", COUNT, job -> unless(Job.DEFAULT_PRIORITY, job.priority()), Parts::priority)
          .optional("x", COUNT, job -> unless(0, job.refusals()), Parts::refusals)
          .optional(
              "f", MILLIS, job -> unless(job.id().at(), job.scheduledFor()), Parts::scheduledFor)
          .optional(
              "g", MILLIS, job -> unless(job.id().at(), job.triggeredAt()), Parts::triggeredAt)
          .optional("l", MILLIS, Job::launchedAt, Parts::launchedAt)
          .optional("u", MILLIS, Job::launchingUntil, Parts::launchingUntil)
          .optional("b", MILLIS, Job::notBefore, Parts::notBefore)
          .optional("q", Forms.document(Passage.class, PASSAGE), Job::passage, Parts::passage)
          .optional("o", OCCASION, Job::occasion, Parts::occasion)
          .optional(
              "n",
              Forms.deflated(ObjectNode.class, Json::write, Json::readObject),
              Job::launchNow,
              Parts::launchNow)
          .optional(
              AttentionRow.AT,
              URGENT,
              job -> Urgent.of(job.attentionAt(), job.priority()),
              (it, urgent) -> it.attentionAt(urgent.at()))
          .build();

  private JobRow() {}

  /** What is left out follows from the id, or is usual. */
  private static final class Parts extends JobBuilder {

    Parts() {
      attempt(1).priority(Job.DEFAULT_PRIORITY);
    }

    Job job() {
      scheduledFor(scheduledFor() == null ? id().at() : scheduledFor());
      triggeredAt(triggeredAt() == null ? id().at() : triggeredAt());
      return build();
    }
  }

  static JobId id(ScheduleId schedule, String sortKey) {
    return JobId.parse(schedule.namespace() + "~" + schedule.name() + "~" + sortKey);
  }

  /**
   * @param retention how long the job is kept after its end, and after the instant of its id
   */
  static Row<Job> of(Job job, int attentionShards, Duration retention) {
    Row<Job> row = AttentionRow.sharded(Row.of(job, SCHEMA), job.id(), attentionShards);
    Instant endedAt = job.endedAt();
    // A fire that was skipped ahead of time must find its row when it is due.
    return endedAt == null
        ? row
        : row.expiring(Collections.max(List.of(endedAt, job.id().at())).plus(retention));
  }
}
