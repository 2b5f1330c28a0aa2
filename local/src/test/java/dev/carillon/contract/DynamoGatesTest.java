package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.constraint.Gauge;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.Tables;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Done;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class DynamoGatesTest extends GatesContract {

  private static final Duration RETENTION = Duration.ofDays(90);
  private static final GateKey PROGRAM = GateKey.ofProgram("default", "exporter");

  private final Tables tables = Servers.tables();
  private final Gates gates = gates(Servers.dynamoDb());
  private final Jobs jobs =
      new DynamoJobs(Servers.dynamoDb(), tables, 3, RETENTION, Servers.fanout());

  private Gates gates(DynamoDbClient client) {
    return new DynamoGates(client, tables, 3, RETENTION, Servers.fanout());
  }

  @Override
  Gates gates() {
    return gates;
  }

  @Override
  Jobs jobs() {
    return jobs;
  }

  private static Step taking() {
    Gate unused = Gate.unused(PROGRAM);
    Job job =
        NewJob.launchingFire(JobId.ofFire(REPORT, 1, NOW), 2, "exporter", NOW, NOW.plusSeconds(15))
            .through(GateTicket.through(List.of(PROGRAM), true, NOW));
    Counted slots = new Counted(true, 0, Duration.ZERO);
    return Step.of(
        null,
        job,
        List.of(new Change(unused, unused.taken(job.id(), slots, NOW))),
        List.of(),
        List.of());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aStepWhoseAnswerWasLostIsASuccess(int lost) {
    Gates lossy = gates(Servers.dynamoDb(List.of(), new LostAnswers(lost)));
    Step step = taking();

    assertThat(lossy.commit(step)).isEqualTo(new Done());
    assertThat(lossy.commit(step)).isEqualTo(new JobLost(step.jobs().get(0).after()));
  }

  @Test
  void anUpdateOfSlotsWhoseAnswerWasLostIsASuccess() {
    Gates lossy = gates(Servers.dynamoDb(List.of(), new LostAnswers(1)));
    Gate full = full(gates);
    JobId job = JobId.ofFire(REPORT, 1, NOW);
    Counted slots = new Counted(true, 0, Duration.ZERO);
    assertThat(lossy.update(full, full.taken(job, slots, NOW))).isTrue();

    lossy = gates(Servers.dynamoDb(List.of(), new LostAnswers(1)));
    Gate held = gates.finding(gates.find(List.of(PROGRAM)).get(PROGRAM), List.of(job));
    assertThat(lossy.update(held, held.freed(job))).isTrue();
    assertThat(lossy.update(held, held.freed(job))).isFalse();
    assertThat(gates.slotsApart(PROGRAM)).isEmpty();
  }

  @Test
  void anUpdateWhoseAnswerWasLostIsASuccess() {
    Gates lossy = gates(Servers.dynamoDb(List.of(), new LostAnswers(1)));
    Gate unused = Gate.unused(PROGRAM);

    assertThat(lossy.update(unused, unused.succeeded(NOW))).isTrue();
    assertThat(lossy.update(unused, unused.succeeded(NOW))).isFalse();
  }

  @Test
  void aFirstReportWhoseAnswerWasLostIsASuccess() {
    Gates lossy = gates(Servers.dynamoDb(List.of(), new LostAnswers(1)));
    Gate unused = Gate.unused(GateKey.ofResource("default", "disk"));
    Gate reported = unused.reported(new Gauge(BigDecimal.ONE, null, NOW, "me"), NOW);

    assertThat(lossy.update(unused, reported)).isTrue();
    assertThat(lossy.update(unused, reported)).isFalse();
    assertThat(gates.resources("default", 10, null).items()).containsExactly(reported.stored());
  }

  @Test
  void aStepThatMetATransactionIsTriedAgain() {
    Gates troubled = gates(Servers.dynamoDb(List.of(new Trouble(3))));

    assertThat(troubled.commit(taking())).isEqualTo(new Done());
  }
}
