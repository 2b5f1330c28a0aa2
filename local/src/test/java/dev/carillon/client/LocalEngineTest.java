package dev.carillon.client;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.client.Job.State;
import dev.carillon.client.schedule.Constraint;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Schedule;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The library against the real API, in a local engine. */
@Timeout(600)
class LocalEngineTest {

  private static LocalEngine engine;
  private static CarillonClient carillon;

  @BeforeAll
  static void start() throws InterruptedException {
    engine = Engine.shared();
    carillon = CarillonClient.local(engine.http());
  }

  @Test
  void theExampleOfTheReadmeRuns() throws Exception {
    Example.run(engine.http());

    Namespace team = carillon.namespace("default");
    assertThat(team.app("exports").schedules()).containsExactly("nightly", "on-data");
    await(() -> haveEnded(team, "on-data") && haveEnded(team, "nightly"));
    assertThat(team.jobs("on-data", State.LAUNCHED, 10, null).items()).hasSize(1);
    StoredSchedule nightly = team.schedule("nightly");
    assertThat(nightly.state()).isEqualTo(StoredSchedule.State.ACTIVE);
    assertThat(nightly.schedule().trigger()).isEqualTo(Trigger.cron("0 0 5 * * ?"));
    assertThatThrownBy(() -> team.schedule("wrong")).isInstanceOf(CarillonException.NotFound.class);
  }

  /** The example replaces one of the schedules, which can cancel its job before it is launched. */
  private static boolean haveEnded(Namespace team, String schedule) {
    List<Job> jobs = team.jobs(schedule).items();
    return !jobs.isEmpty()
        && jobs.stream()
            .allMatch(job -> job.state() == State.LAUNCHED || job.state() == State.CANCELLED);
  }

  @Test
  void theReadmeShowsTheCodeThatRuns() throws IOException {
    String readme = Files.readString(Path.of("../client/README.md"));
    String code = Files.readString(Path.of("src/test/java/dev/carillon/client/Example.java"));
    String example = code.substring(code.indexOf("// begin") + 9, code.indexOf("    // end"));
    assertThat(readme).contains("```java\n" + example.replaceAll("(?m)^ {4}", "") + "```");
  }

  @Test
  void theLifeOfASchedule() {
    Namespace team = carillon.namespace("life");
    Schedule schedule =
        Schedules.builder("report")
            .setTags(Map.of("team", "data"))
            .setTarget(Target.of("reports", "${jobId}"))
            .setState(Policies.State.ACTIVE)
            .build(Trigger.cron("0 0 3 1 1 ?"));

    StoredSchedule created = team.create(schedule);
    assertThat(created.generation()).isEqualTo(1);
    assertThat(created.nextFire()).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
    assertThat(created.createdBy()).isNotEmpty();
    assertThatThrownBy(() -> team.create(schedule)).isInstanceOf(CarillonException.Stale.class);
    assertThat(team.put(schedule)).isEqualTo(created);
    assertThat(team.put(created.schedule()).etag()).isEqualTo(created.etag());

    Instant until = Instant.parse("2090-01-01T00:00:00Z");
    StoredSchedule kept = team.suspend("report", SuspendMode.BACKLOG, "maintenance", until);
    assertThat(kept.suspended().mode()).isEqualTo(SuspendMode.BACKLOG);
    assertThat(kept.suspended().until()).isEqualTo(until);
    StoredSchedule suspended = team.suspend("report", SuspendMode.DISCARD, null);
    assertThat(suspended.suspended().until()).isNull();
    assertThat(suspended.state()).isEqualTo(StoredSchedule.State.SUSPENDED);
    assertThat(suspended.suspended().reason()).isEqualTo("maintenance");
    assertThatThrownBy(() -> team.skip("report")).isInstanceOf(CarillonException.Conflict.class);
    assertThat(team.resume("report").suspended()).isNull();
    Skipped skipped = team.skip("report");
    assertThat(skipped.fire()).isEqualTo(created.nextFire());
    assertThat(team.job(skipped.jobId()).state()).isEqualTo(State.SKIPPED);
    assertThat(team.explain("report").state()).isEqualTo("ACTIVE");
    Instant later = Instant.parse("2030-06-01T00:00:00Z");
    assertThat(team.preview(schedule, later, 2)).isEqualTo(team.preview("report", later, 2));
    assertThat(team.preview("report", later, 2).fires())
        .extracting(Preview.Fire::scheduledFor)
        .containsExactly(
            Instant.parse("2031-01-01T03:00:00Z"), Instant.parse("2032-01-01T03:00:00Z"));

    assertThatThrownBy(() -> team.replace(schedule, "\"0\""))
        .isInstanceOf(CarillonException.Stale.class);
    team.delete("report");
    assertThatThrownBy(() -> team.delete("report")).isInstanceOf(CarillonException.NotFound.class);
  }

  @Test
  void aBackfillIsPreviewedBegunFollowedAndCancelled() throws InterruptedException {
    Namespace team = carillon.namespace("past");
    team.put(
        Schedules.builder("nightly")
            .setTarget(Target.of("nights", Map.of("date", "${yesterdaysDate}")))
            .setState(Policies.State.ACTIVE)
            .build(Trigger.cron("0 0 3 * * ?")));
    Instant from = Instant.parse("2025-01-01T03:00:00Z");
    BackfillRange range = BackfillRange.of(from, from.plus(Duration.ofDays(30)));
    BackfillPreview preview = team.previewBackfill("nightly", range);
    assertThat(preview.fires()).isEqualTo(30);
    assertThat(preview.first().get(0)).isEqualTo(from.plus(Duration.ofDays(1)));

    Backfill begun = team.backfill("nightly", range.withConcurrency(4));
    await(() -> team.backfill("nightly", begun.backfillId()).state() == Backfill.State.COMPLETED);

    Backfill over = team.backfill("nightly", begun.backfillId());
    assertThat(over.ended()).containsEntry("LAUNCHED", 30L);
    assertThat(over.launched()).isEqualTo(30);
    assertThat(over.next()).isNull();
    assertThat(team.jobs("nightly").items())
        .hasSize(30)
        .allMatch(job -> job.jobId().endsWith("~b" + begun.backfillId()) && job.priority() == 9);
    team.cancelBackfill("nightly", begun.backfillId());
    assertThat(team.backfill("nightly", begun.backfillId())).isEqualTo(over);
    BackfillRange seconds =
        BackfillRange.of(from, from.plus(Duration.ofDays(40_000))).withConcurrency(100);
    assertThatThrownBy(() -> team.backfill("nightly", seconds))
        .isInstanceOf(CarillonException.Invalid.class);
  }

  @Test
  void listsJobsAndEvents() throws InterruptedException {
    Namespace team = carillon.namespace("lists");
    for (String name : List.of("a", "b", "c")) {
      team.put(
          Schedules.builder(name)
              .setProgram(name.equals("c") ? "other" : "etl")
              .setTarget(Target.of("lists", Map.of("n", "${events[0].payload.n}")))
              .setState(Policies.State.ACTIVE)
              .build(Trigger.event("orders").times(2)));
    }
    assertThat(team.schedules(ScheduleFilter.all().withProgram("etl")).map(StoredSchedule::name))
        .containsExactly("a", "b");
    Page<StoredSchedule> first = team.schedules(ScheduleFilter.all(), 2, null);
    assertThat(first.items()).hasSize(2);
    assertThat(team.schedules(ScheduleFilter.all(), 2, first.next()).items())
        .extracting(StoredSchedule::name)
        .containsExactly("c");

    Event event = Event.of("orders", Map.of("n", 1)).withId("order-1");
    assertThat(team.send(event, event)).containsExactly("order-1", "order-1");
    await(() -> !team.jobs("a").items().isEmpty());
    Job open = team.jobs("a").items().get(0);
    assertThat(open.state()).isEqualTo(State.PENDING_TRIGGER);
    assertThat(open.scheduledFor()).isNull();
    assertThat(open.priority()).isNull();
    assertThat(open.attempt()).isNull();
    assertThat(team.explainJob(open.jobId()).summary()).contains("waits for its trigger");

    team.send(Event.of("orders", Map.of("n", 2)));
    await(() -> !team.jobs("a", State.LAUNCHED, 1, null).items().isEmpty());
    Job job = team.job(team.jobs("a", State.LAUNCHED, 1, null).items().get(0).jobId());
    assertThat(job.program()).isEqualTo("etl");
    assertThat(job.launchedAt()).isNotNull();
    assertThat(job.transitions()).extracting(Job.Transition::state).endsWith(State.LAUNCHED);
  }

  @Test
  void appsAreDeployedComparedAndDeleted() {
    Namespace team = carillon.namespace("apps");
    Schedule report =
        Schedules.builder("report")
            .setProgram("etl")
            .setTarget(Target.of("reports", Map.of()))
            .build(Trigger.manual());
    App app = App.of("sales", List.of("etl"), List.of(report));

    Deployment made = team.deploy(app);
    assertThat(made.difference().created()).containsExactly("report");
    assertThat(made.app().programs()).containsExactly("etl");
    assertThat(made.app()).isEqualTo(team.app("sales"));
    assertThat(team.compare(App.of("sales", List.of("etl"), List.of())).deleted())
        .containsExactly("report");
    team.deleteApp("sales");
    assertThatThrownBy(() -> team.app("sales")).isInstanceOf(CarillonException.NotFound.class);
    assertThatThrownBy(() -> team.schedule("report"))
        .isInstanceOf(CarillonException.NotFound.class);
  }

  @Test
  void jobsWaitForTheReportedValueOfAResource() throws InterruptedException {
    Namespace team = carillon.namespace("gauges");
    team.put(
        Schedules.builder("copy")
            .setTarget(Target.of("copies", Map.of()))
            .addConstraint(Constraint.resourceAtLeast("disk", BigDecimal.TEN))
            .setState(Policies.State.ACTIVE)
            .build(Trigger.manual()));
    ResourceGauge full = team.report("disk", BigDecimal.ONE, Duration.ofHours(1));
    assertThat(full.expiresAt()).isEqualTo(full.reportedAt().plus(Duration.ofHours(1)));
    Launched launched = team.launch("copy");
    await(() -> team.resource("disk").waiting() == 1);

    team.report("disk", new BigDecimal("10.5"), null);
    await(() -> team.job(launched.jobId()).state() == State.LAUNCHED);
    assertThat(team.resources(10, null).items()).containsExactly(team.resource("disk"));
    team.deleteResource("disk");
    assertThatThrownBy(() -> team.resource("disk")).isInstanceOf(CarillonException.NotFound.class);
  }

  @Test
  void aProgramShowsItsRunningAndWaitingJobs() throws InterruptedException {
    Namespace team = carillon.namespace("programs");
    for (String name : List.of("a", "b")) {
      team.put(
          Schedules.builder(name)
              .setProgram("etl")
              .setTarget(Target.of("etl", Map.of()))
              .setMaxConcurrentRuns(1)
              .setState(Policies.State.ACTIVE)
              .build(Trigger.manual()));
    }
    Launched first = team.launch("a");
    await(() -> team.job(first.jobId()).state() == State.ENQUEUED);
    Launched second = team.launch("b");
    assertThat(second.heldBy()).hasSize(1);
    await(() -> team.program("etl").gates().get(0).waiting() == 1);
    Program etl = team.program("etl");
    assertThat(etl.schedules()).extracting(Program.Launching::name).containsExactly("a", "b");
    assertThat(etl.limits()).singleElement().returns(false, Program.Limit::open);
    assertThat(etl.gates().get(0).holders())
        .singleElement()
        .returns(first.jobId(), Program.Holder::jobId);
    assertThat(etl.gates().get(0).firstWaiting())
        .singleElement()
        .returns(second.jobId(), Program.Waiting::jobId);
    assertThat(etl.lastRuns()).extracting(Job::jobId).containsExactly(first.jobId());
    assertThat(team.jobsOfProgram("etl", null, 10, null).items())
        .extracting(Job::jobId)
        .containsExactly(second.jobId(), first.jobId());
    assertThat(team.explainJob(second.jobId()).details().at("/gates/0/place").asInt()).isEqualTo(1);
    team.deploy(
        App.of(
            "etl",
            List.of("etl"),
            List.of(
                Schedules.builder("c")
                    .setProgram("etl")
                    .setTarget(Target.of("etl", Map.of()))
                    .build(Trigger.manual()))));
    assertThat(team.deleteProgram("etl"))
        .returns(2, DeletedSchedules::deleted)
        .returns(1, DeletedSchedules::keptByApps);
    assertThat(team.deleteProgram("etl"))
        .returns(0, DeletedSchedules::deleted)
        .returns(1, DeletedSchedules::keptByApps);
  }

  @Test
  void theStatusOfTheWhole() throws InterruptedException {
    await(() -> carillon.status().lastProcessedTime() != null);
    Status status = carillon.status();
    assertThat(status.queues()).containsKeys("ingest", "check", "rejected");
    assertThat(status.troubles()).isEmpty();
  }
}
