package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.FLAG;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Forms.URGENT;
import static dev.carillon.dynamodb.Schema.unlessDefault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Callback;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Precedence;
import dev.carillon.job.TriggerState;
import dev.carillon.job.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * A job as an item. Attribute names are short. Values that equal a default or follow from the key
 * are left out. So the item of a plain fire costs one write unit while it stays below 1 KB.
 */
final class JobItem {

  static final String SCHEDULE = "schedule";
  static final String ITEM = "item";
  static final String PREFIX = "job#";
  static final String STATE = "state";
  static final String VERSION = "v";

  static final AttributeConverter<TriggerState> TRIGGER_STATE =
      Forms.deflated(TriggerState.class, TriggerStateText::write, TriggerStateText::read);

  static final TableSchema<JobId> KEY =
      Schema.ofKey(
          JobId.class,
          SCHEDULE,
          id -> id.schedule().toString(),
          ITEM,
          id -> PREFIX + id.sortKey(),
          (schedule, item) -> id(ScheduleId.parse(schedule), item.substring(PREFIX.length())));

  /** The default of what a job waits for. */
  private static final String CHECK = new Wait.Check(null).text();

  private static final AttributeConverter<List<GateKey>> GATES =
      Forms.joined(" ", GateKey.class, GateKey::toString, GateKey::parse);

  private static final TableSchema<GateTicket> TICKET =
      Schema.of(
              GateTicket.class,
              GateTicketBuilder.class,
              GateTicketBuilder::builder,
              GateTicketBuilder::build)
          .with("g", GATES, GateTicket::gates, GateTicketBuilder::gates)
          .optional("s", FLAG, it -> unlessDefault(false, it.slotted()), GateTicketBuilder::slotted)
          .with("t", MILLIS, GateTicket::at, GateTicketBuilder::at)
          .optional("e", NUMBER, GateTicket::endedBy, GateTicketBuilder::endedBy)
          .build();

  private static final TableSchema<Callback> CALLBACK =
      Schema.of(
              Callback.class,
              CallbackBuilder.class,
              CallbackBuilder::builder,
              CallbackBuilder::build)
          .optional("x", COUNT, it -> unlessDefault(0, it.refusals()), CallbackBuilder::refusals)
          .optional("s", MILLIS, Callback::sentAt, CallbackBuilder::sentAt)
          .optional("e", TEXT, Callback::trouble, CallbackBuilder::trouble)
          .build();

  static final TableSchema<Job> SCHEMA =
      Schema.of(Job.class, Parts.class, Parts::new, Parts::build)
          .flat(KEY, Job::id, (it, id) -> it.job.id(id))
          .with(STATE, Forms.named(JobState.class), Job::state, (it, state) -> it.job.state(state))
          .with(VERSION, NUMBER, Job::version, (it, version) -> it.job.version(version))
          .with("a", NUMBER, Job::activation, (it, number) -> it.origin.activation(number))
          .with("p", TEXT, Job::program, (it, program) -> it.origin.program(program))
          .with("h", TransitionsText.FORM, Job::transitions, (it, all) -> it.job.transitions(all))
          .optional(
              "t", COUNT, job -> unlessDefault(1, job.attempt()), (it, n) -> it.delivery.attempt(n))
          .optional("c", TEXT, Job::customer, (it, name) -> it.precedence.customer(name))
          .optional(
              "r",
              COUNT,
              job -> unlessDefault(Precedence.DEFAULT_PRIORITY, job.priority()),
              (it, priority) -> it.precedence.priority(priority))
          .optional(
              ListedJob.LINK,
              TEXT,
              ListedJob::linkOf,
              (it, link) -> it.precedence.linkId(ListedJob.linkId(link)))
          .written(ListedJob.UNFINISHED, TEXT, ListedJob::unfinishedOf)
          .optional(
              "x",
              COUNT,
              job -> unlessDefault(0, job.refusals()),
              (it, n) -> it.delivery.refusals(n))
          .optional(
              "f",
              MILLIS,
              job -> unlessDefault(job.id().at(), job.scheduledFor()),
              (it, at) -> it.origin.scheduledFor(at))
          .optional(
              "g",
              MILLIS,
              job -> unlessDefault(job.id().at(), job.triggeredAt()),
              (it, at) -> it.origin.triggeredAt(at))
          .optional("l", MILLIS, Job::launchedAt, (it, at) -> it.delivery.launchedAt(at))
          .optional("run", RunText.FORM, Job::run, (it, run) -> it.delivery.run(run))
          .optional(
              "b",
              Forms.document(Callback.class, CALLBACK),
              Job::callback,
              (it, callback) -> it.delivery.callback(callback))
          .optional("u", TEXT, JobItem::waitsFor, (it, text) -> it.wait = text)
          .optional(
              "q",
              Forms.document(GateTicket.class, TICKET),
              Job::ticket,
              (it, q) -> it.job.ticket(q))
          .optional(
              "o",
              TRIGGER_STATE,
              Job::triggerState,
              (it, triggerState) -> it.job.triggerState(triggerState))
          .optional(
              "n",
              Forms.deflated(ObjectNode.class, Json::write, Json::readObject),
              Job::launchNow,
              (it, given) -> it.origin.launchNow(given))
          .optional(
              AttentionItem.AT,
              URGENT,
              job -> Urgent.of(job.attentionAt(), job.priority()),
              (it, urgent) -> it.attention = urgent.at())
          .build();

  private JobItem() {}

  /**
   * Collects the members of a job that is read from its item. A member without an attribute follows
   * from the id or has a default.
   */
  private static final class Parts {
    private final JobBuilder job = JobBuilder.builder();
    private final OriginBuilder origin = OriginBuilder.builder();
    private final PrecedenceBuilder precedence =
        PrecedenceBuilder.builder().priority(Precedence.DEFAULT_PRIORITY);
    private final DeliveryBuilder delivery = DeliveryBuilder.builder().attempt(1);
    private @Nullable String wait;
    private @Nullable Instant attention;

    Job build() {
      Instant at = job.id().at();
      origin.scheduledFor(origin.scheduledFor() == null ? at : origin.scheduledFor());
      origin.triggeredAt(origin.triggeredAt() == null ? at : origin.triggeredAt());
      return job.origin(origin.build())
          .precedence(precedence.build())
          .delivery(delivery.build())
          .waitsFor(waitsFor())
          .build();
    }

    private @Nullable Wait waitsFor() {
      if (wait == null && job.state().isEnd()) {
        return null;
      }
      return Wait.parse(wait == null ? CHECK : wait, attention);
    }
  }

  private static @Nullable String waitsFor(Job job) {
    return job.waitsFor() == null ? null : unlessDefault(CHECK, job.waitsFor().text());
  }

  static JobId id(ScheduleId schedule, String sortKey) {
    return JobId.parse(schedule.namespace() + "~" + schedule.name() + "~" + sortKey);
  }

  /**
   * @param retention how long the job is kept after its end, or after the instant of its id if that
   *     is later
   */
  static Item<Job> of(Job job, int attentionShards, Duration retention) {
    Item<Job> item = AttentionItem.sharded(Item.of(job, SCHEMA), job.id(), attentionShards);
    Instant endedAt = job.endedAt();
    // The item of a fire that was skipped in advance must still exist when the fire is due.
    return endedAt == null
        ? item
        : item.expiring(Collections.max(List.of(endedAt, job.id().at())).plus(retention));
  }
}
