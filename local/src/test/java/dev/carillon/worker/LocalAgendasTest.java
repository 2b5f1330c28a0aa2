package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.JobSelection;
import dev.carillon.client.LaunchNow;
import dev.carillon.client.OperationProgress;
import dev.carillon.client.OperationState;
import dev.carillon.client.Pull;
import dev.carillon.client.PulledJob;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Policies.Operation;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.document.Json;
import dev.carillon.worker.PooledTeam.Way;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Agendas: a schedule with the trigger manual is their template, each launch is an agenda of a
 * customer, and workers pull them from the pool.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class LocalAgendasTest {

  /** A worker sends a heartbeat every few seconds. */
  private static final Tracking TRACKING =
      new Tracking(
          Duration.ofMinutes(15),
          Duration.ofMinutes(1),
          Duration.ofSeconds(10),
          Duration.ofHours(1));

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("read", "mediaInfo", List.of()),
          new Operation("encode", "transcode", List.of("read")));

  private final PooledTeam pooled = new PooledTeam();

  private static LaunchNow agenda(String linkId) {
    return LaunchNow.plain()
        .withPriority(2)
        .withProperties(Map.of("linkId", linkId))
        .withOperations(OPERATIONS);
  }

  private Worker start(Handler handler) {
    pooled.namespace.put(pooled.encode(TRACKING).build(Trigger.manual()));
    return pooled.worker(Way.PULL).handle("encoder", handler).start();
  }

  @Test
  void aTemplateIsLaunchedForACustomerWithOperationsOfItsOwn() throws InterruptedException {
    BlockingQueue<OperationProgress> received = new LinkedBlockingQueue<>();
    Handler handler =
        job -> {
          received.addAll(job.agenda());
          job.operation("read", OperationState.SUCCEEDED);
          job.operation("encode", OperationState.SUCCEEDED);
          job.output(Map.of("customersPriority", job.priority()));
        };
    try (Worker worker = start(handler)) {
      Job ended = pooled.awaitState(pooled.arrive("acme", agenda("order-81")), State.SUCCEEDED);
      assertThat(worker.denial()).isEmpty();
      assertThat(ended.customer()).isEqualTo("acme");
      assertThat(ended.output()).isEqualTo(Json.object().put("customersPriority", 2));
    }
    assertThat(received)
        .extracting(OperationProgress::type)
        .containsExactly("mediaInfo", "transcode");
    var progress = pooled.namespace.progress("order-81");
    assertThat(progress.jobs()).isEqualTo(Map.of("SUCCEEDED", 1));
    assertThat(progress.operations()).isEqualTo(Map.of("SUCCEEDED", 2));
  }

  @Test
  void theProgressOfALinkIsThatOfItsAgendasTogether() throws InterruptedException {
    Handler handler =
        job -> {
          job.operation("read", OperationState.SUCCEEDED);
          job.operation("encode", OperationState.RUNNING);
          pooled.untilFinished().handle(job);
          job.operation("encode", OperationState.SUCCEEDED);
        };
    try (Worker worker = start(handler)) {
      pooled.arrive("acme", agenda("order-81"));
      assertThat(pooled.begin(1)).containsExactly("acme1");
      pooled.arrive("acme", agenda("order-81"));
      pooled.arrive("beta", agenda("order-82"));
      await(
          () -> {
            var progress = pooled.namespace.progress("order-81");
            return progress.jobs().equals(Map.of("RUNNING", 1, "READY", 1))
                && progress.operations().equals(Map.of("SUCCEEDED", 1, "RUNNING", 1, "WAITING", 2));
          });
      pooled.finish(3);
      await(() -> pooled.namespace.progress("order-81").jobs().equals(Map.of("SUCCEEDED", 2)));
      assertThat(worker.denial()).isEmpty();
    }
  }

  @Test
  void aLinkIsCancelledWhetherItsAgendasRunOrWait() throws InterruptedException {
    try (Worker worker = start(pooled.untilFinished())) {
      String running = pooled.arrive("acme", agenda("order-81"));
      assertThat(pooled.begin(1)).containsExactly("acme1");
      String waiting = pooled.arrive("acme", agenda("order-81"));
      String other = pooled.arrive("beta", agenda("order-82"));
      assertThat(pooled.namespace.runs().cancel(JobSelection.ofLink("order-81")).changed())
          .isEqualTo(2);
      assertThat(pooled.state(waiting)).isEqualTo(State.CANCELLED);
      pooled.awaitState(running, State.CANCELLED);
      assertThat(pooled.begin(1)).containsExactly("beta1");
      pooled.finish(1);
      pooled.awaitState(other, State.SUCCEEDED);
      assertThat(worker.denial()).isEmpty();
    }
    assertThat(pooled.begun).isEmpty();
  }

  @Test
  void anAgendaThatWaitsTooLongExpires() throws InterruptedException {
    pooled.namespace.put(
        pooled
            .encode(TRACKING)
            .setTimeout(
                new Policies.Timeout(Duration.ofSeconds(2), Policies.Timeout.Action.DISCARD))
            .build(Trigger.manual()));
    pooled.pause();
    pooled.awaitState(pooled.arrive("acme", agenda("order-81")), State.TIMED_OUT);
    pooled.awaitStatus(status -> status.waiting().jobs() == 0);
    pooled.resume();
    pooled.finish(1);
    try (Worker worker = start(pooled.untilFinished())) {
      pooled.awaitState(pooled.arrive("acme", agenda("order-81")), State.SUCCEEDED);
      assertThat(worker.denial()).isEmpty();
    }
    assertThat(pooled.begun).containsExactly("acme2");
  }

  @Test
  void aFailedAgendaIsRetriedWhereItFailed() throws InterruptedException {
    BlockingQueue<Map<String, OperationState>> received = new LinkedBlockingQueue<>();
    Handler handler =
        job -> {
          received.add(job.operations());
          if (job.attempt() == 1) {
            job.operation("read", OperationState.SUCCEEDED);
            job.operation("encode", OperationState.FAILED);
            throw new FatalJobException("no such codec");
          }
          job.operation("encode", OperationState.SUCCEEDED);
        };
    try (Worker worker = start(handler)) {
      String jobId = pooled.arrive("acme", agenda("order-81"));
      pooled.awaitState(jobId, State.FAILED);
      // The retry is refused until the end of the first attempt is announced.
      await(() -> pooled.namespace.runs().retry(JobSelection.ofLink("order-81")).changed() == 1);
      assertThat(pooled.awaitState(jobId, State.SUCCEEDED).attempt()).isEqualTo(2);
      assertThat(worker.denial()).isEmpty();
    }
    assertThat(received)
        .containsExactly(
            Map.of("read", OperationState.WAITING, "encode", OperationState.WAITING),
            Map.of("read", OperationState.SUCCEEDED, "encode", OperationState.FAILED));
  }

  @Test
  void thePatternOfAPoolTakesItsKindOfAgendas() throws InterruptedException {
    for (String type : List.of("mediaInfo", "transcode")) {
      pooled.namespace.pools().put(type, Json.readObject(pattern(type)));
    }
    pooled.namespace.put(
        pooled
            .encode(TRACKING)
            .setPool("match")
            .setTarget(Target.ofPool(Map.of("type", "${payload.type}")))
            .build(Trigger.manual()));
    for (String type : List.of("mediaInfo", "transcode", "mediaInfo")) {
      String jobId = pooled.launch(LaunchNow.plain().withPayload(Map.of("type", type)));
      pooled.awaitState(jobId, State.READY);
    }
    // A job is READY before its pool can choose it.
    pooled.awaitWaiting("mediaInfo", 2);
    pooled.awaitWaiting("transcode", 1);
    assertThat(pulled("mediaInfo", 5)).containsExactly("mediaInfo", "mediaInfo");
    assertThat(pulled("transcode", 5)).containsExactly("transcode");
  }

  private static String pattern(String type) {
    return "{\"match\": {\"type\": [\"" + type + "\"]}}";
  }

  private List<String> pulled(String pool, int count) {
    return pooled.namespace.runs().next(pool, new Pull("w", count, 0, "once")).stream()
        .map(job -> Json.readObject(job.body()).path("type").asText())
        .toList();
  }

  /** On a busy machine, the short time-outs of the claims can end further attempts. */
  @Test
  void aPullerGetsAsManyAsItAsksForAndWhatItDropsIsTakenBack() throws InterruptedException {
    Duration soon = Duration.ofSeconds(1);
    pooled.namespace.put(
        pooled
            .encode(Team.SHORT)
            .setRetry(new Retry(9, soon, BigDecimal.ONE, soon))
            .build(Trigger.manual()));
    List<String> jobs =
        List.of(
            pooled.arrive("acme", LaunchNow.plain()),
            pooled.arrive("beta", LaunchNow.plain()),
            pooled.arrive("core", LaunchNow.plain()));
    pooled.awaitStatus(status -> status.waiting().jobs() == 3);
    List<PulledJob> dropped =
        pooled.namespace.runs().next(PooledTeam.ENCODE, new Pull("dead", 2, 0, "once"));
    assertThat(dropped).extracting(PulledJob::jobId).containsExactly(jobs.get(0), jobs.get(1));
    BlockingQueue<String> taken = new LinkedBlockingQueue<>();
    Handler handler = job -> taken.add(job.body(JsonNode.class).get("name").asText());
    try (Worker worker = pooled.worker(Way.PULL).handle("encoder", handler).start()) {
      for (String jobId : jobs) {
        pooled.awaitState(jobId, State.SUCCEEDED);
      }
      assertThat(worker.denial()).isEmpty();
    }
    assertThat(taken).contains("acme1", "beta1", "core1");
    assertThat(Stream.of(0, 1).map(one -> pooled.namespace.job(jobs.get(one)).attempt()))
        .allMatch(attempt -> attempt > 1);
  }
}
