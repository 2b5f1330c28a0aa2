package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.document.Json;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.Requests.NotAllowed;
import dev.carillon.launch.Requests.Ready;
import dev.carillon.launch.Requests.Result;
import dev.carillon.launch.Requests.Unsendable;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Target;
import dev.carillon.trigger.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests of a job of 00:09. This deployment reserves queue "checks" and allows all others. */
class RequestsTest {

  private static final String QUEUES = "arn:aws:sqs:eu-west-1:123456789012:";
  private static final Instant LONG_BEFORE = Instant.parse("2018-01-01T00:00:00Z");

  private final Launch launch = Launch.ofText("go");
  private final Requests requests =
      new Requests(
          new TargetPolicy(
              "eu-west-1", "123456789012", "", List.of("*"), List.of(QUEUES + "checks")));
  private Instant since = LONG_BEFORE;

  private Compiled compiled() {
    Definition definition = new Definition(launch.id, 7, Json.object(), since, since, "ann", since);
    return new Compiled(definition, launch.schedule());
  }

  private Result result() {
    return requests.of(compiled(), launch.job());
  }

  private String body(Job job) {
    return ((Ready) requests.of(compiled(), job)).request().body();
  }

  private Job ofBackfill() {
    Job fire = launch.job();
    JobId id = JobId.ofBackfill(new BackfillId(launch.id, "x1"), 7, launch.scheduledFor);
    return new Job(
        id,
        fire.version(),
        fire.state(),
        fire.origin(),
        fire.precedence(),
        fire.delivery(),
        fire.waitsFor(),
        null,
        null,
        List.of());
  }

  // ---- queues

  /** A queue is named by its schedule, or by the pool in which the job waits. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // of the schedule, of the pool, queue
        "exports, -,     exports",
        "exports, films, exports",
        "-,       films, films",
        "-,       -,     -"
      })
  void theQueueOfARequest(
      @Nullable String own, @Nullable String ofPool, @Nullable String expected) {
    launch.queue = own;
    Ready ready = (Ready) requests.of(compiled(), launch.job(), ofPool);
    assertThat(ready.request().queueArn())
        .isEqualTo(expected == null ? LaunchRequest.NO_QUEUE : QUEUES + expected);
    assertThat(ready.request().isCallback()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "checks,                                 is reserved for Carillon itself",
    "arn:aws:sqs:us-east-1:123456789012:far, is in the region us-east-1"
  })
  void aQueueThatIsNotAllowedGetsNoRequest(String queue, String reason) {
    launch.queue = queue;
    assertThat(result())
        .isInstanceOfSatisfying(
            NotAllowed.class, refused -> assertThat(refused.reason()).contains(reason));
  }

  @Test
  void theQueueOfAPoolIsNamedInFull() {
    assertThat(requests.queueArn("films")).isEqualTo(QUEUES + "films");
    assertThatThrownBy(() -> requests.queueArn("no queue"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"exports, false", "exports.fifo, true", "fifo, false"})
  void theNameOfAFifoQueueHasASuffix(String name, boolean isFifo) {
    assertThat(QueueArn.parse(QUEUES + name).isFifo()).isEqualTo(isFifo);
  }

  // ---- notes

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // template | customer | priority | note of the job
        "go            | acme         | 5 | -",
        "a${payload.x} | acme         | 5 | ${payload.x} has no value",
        "a${payload.x} | ${payload.x} | 5 | ${payload.x} has no value",
        "a${payload.x} | ${payload.y} | 5 | ${payload.y} has no value; ${payload.x} has no value",
        "go            | ${payload.y} | 5 | ${payload.y} has no value"
      })
  void eachRemarkIsNotedOnce(
      String template, String customer, String priority, @Nullable String note) {
    launch.template = TextNode.valueOf(template);
    launch.scheduleCustomer = customer;
    launch.schedulePriority = TextNode.valueOf(priority);
    assertThat(((Ready) result()).note()).isEqualTo(note);
  }

  @Test
  void aRequestHasTheCustomerAndPriorityOfItsJob() {
    launch.scheduleCustomer = "acme";
    launch.schedulePriority = TextNode.valueOf("3");
    Job complete = launch.job().withCustomerAndPriority("acme", 3);
    Ready ready = (Ready) result();
    assertThat(ready.job()).isEqualTo(complete);
    assertThat(ready.request().groupId()).isEqualTo("acme");
    assertThat(Requests.resolved(compiled(), launch.job())).isEqualTo(complete);
  }

  @Test
  void aRequestWithoutABodyCanNeverBeSent() {
    launch.template = TextNode.valueOf("${payload.x}");
    assertThat(result())
        .isInstanceOfSatisfying(
            Unsendable.class, never -> assertThat(never.reason()).contains("the body is empty"));
  }

  // ---- callbacks

  @ParameterizedTest
  @CsvSource({"ended, true", "checks, false"})
  void aCallbackGoesToItsOwnQueue(String queue, boolean isAllowed) {
    Target onEnd = new Target(queue, TextNode.valueOf("${outcome}"), Map.of(), null);
    Reason reason = Reason.of(ReasonCode.SCHEDULE_DELETED);
    Job ended = launch.job().ended(JobState.CANCELLED, launch.triggeredAt, reason);
    Result result = requests.callback(compiled(), onEnd, ended);
    if (isAllowed) {
      LaunchRequest request = ((Ready) result).request();
      assertThat(request.queueArn()).isEqualTo(QUEUES + "ended");
      assertThat(request.body()).isEqualTo("CANCELLED");
      assertThat(request.isCallback()).isTrue();
    } else {
      assertThat(result).isInstanceOf(NotAllowed.class);
    }
  }

  // ---- fires around that of the job

  /**
   * The schedule fires at 9 minutes past each hour, and at 23:30 of the day before. Its generation
   * began at an instant of that day.
   */
  @ParameterizedTest
  @CsvSource({
    // since, previous fire, previous fire for a backfill
    "22:00,        23:30, 23:30",
    "23:29:59.999, 23:30, 23:30",
    "23:30,        '',    23:30",
    "23:59,        '',    23:30"
  })
  void thePreviousFireIsTheLastOneThatCanBeAJob(String begin, String previous, String ofBackfill) {
    since = dayBefore(begin);
    launch.template = TextNode.valueOf("at ${previousScheduledFor}");
    launch.zone = "UTC";
    launch.trigger =
        new Trigger.Or(
            List.of(
                new Trigger.Rate(Duration.ofHours(1), dayBefore("00:09")),
                new Trigger.At(dayBefore("23:30")),
                Launch.LEAF));
    assertThat(body(launch.job())).isEqualTo("at " + shown(previous));
    assertThat(body(ofBackfill())).isEqualTo("at " + shown(ofBackfill));
  }

  private static Instant dayBefore(String time) {
    return Instant.parse("2018-03-21T%sZ".formatted(time.length() == 5 ? time + ":00" : time));
  }

  private static String shown(String time) {
    return time.isEmpty() ? "" : "2018-03-21T%s:00.000Z".formatted(time);
  }

  @Test
  void aTriggerWithOtherLeavesHasNoPreviousFire() {
    launch.template = TextNode.valueOf("at ${previousScheduledFor}");
    Trigger.At before = new Trigger.At(dayBefore("23:30"));
    launch.trigger = new Trigger.Or(List.of(before, new Trigger.Partition("d", 1)));
    assertThat(body(launch.job())).isEqualTo("at ");
  }

  /** Leaves 1 and 3 fire at 00:09. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void theTriggerOfAFireNamesTheLeavesThatFire(boolean isOfBackfill) {
    launch.template = Launch.json("\"${trigger}\"");
    launch.trigger =
        new Trigger.Or(
            List.of(
                new Trigger.At(launch.scheduledFor.minusMillis(1)),
                Launch.LEAF,
                new Trigger.At(launch.scheduledFor.plusMillis(1)),
                new Trigger.Rate(Duration.ofHours(1), dayBefore("00:09")),
                new Trigger.Rate(Duration.ofHours(1), dayBefore("00:10"))));
    String body = body(isOfBackfill ? ofBackfill() : launch.job());
    assertThat(Launch.json(body).path("leaves").findValuesAsText("leaf")).containsExactly("1", "3");
  }
}
