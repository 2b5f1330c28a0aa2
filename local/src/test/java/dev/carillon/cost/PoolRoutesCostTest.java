package dev.carillon.cost;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.carillon.contract.Servers;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.Tables;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.lambda.Carillon;
import dev.carillon.local.meter.Meter;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The requests and units of the routes of pools, as docs/operate/costs.md has them. */
class PoolRoutesCostTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final PoolId ENCODE = new PoolId("default", "encode");

  private final Tables tables = Servers.tables();
  private final Pools pools = new DynamoPools(Servers.dynamoDb(), tables, 1, Servers.fanout());
  private final Meter meter = new Meter();
  private final Carillon carillon =
      Carillon.of(
          Servers.environment(tables), Servers.dynamoDb(List.of(meter)), Servers.sqs(), () -> NOW);

  @BeforeEach
  void storeThePool() {
    call("PUT", "{\"queue\": \"carillon-target-encode\"}", 201);
    meter.reset();
  }

  private void call(String method, String body, int status) {
    var answer =
        carillon
            .api()
            .handle(
                new APIGatewayProxyRequestEvent()
                    .withHttpMethod(method)
                    .withResource("/v1/namespaces/{ns}/pools/{pool}")
                    .withPathParameters(Map.of("ns", "default", "pool", "encode"))
                    .withBody(body));
    assertThat(answer.getStatusCode()).as(answer.getBody()).isEqualTo(status);
  }

  private void expect(Map<String, Integer> requests, double readUnits, double writeUnits) {
    assertThat(meter.requests()).isEqualTo(requests);
    assertThat(meter.readUnits()).isEqualTo(readUnits);
    assertThat(meter.writeUnits()).isEqualTo(writeUnits);
  }

  @Test
  void aChangeReadsAndWritesTheDefinitionAndPlansAChoice() {
    call("PUT", "{\"paused\": true}", 200);
    expect(Map.of("BatchGetItem", 4, "PutItem", 1, "UpdateItem", 1), 3, 2);
  }

  @Test
  void anEqualDefinitionIsReadAndPlansAChoice() {
    call("PUT", "{\"queue\": \"carillon-target-encode\", \"depth\": 100}", 200);
    expect(Map.of("BatchGetItem", 4, "UpdateItem", 1), 3, 1);
  }

  @Test
  void aDeletionAlsoAsksTheIndexForSchedules() {
    call("DELETE", null, 204);
    expect(Map.of("BatchGetItem", 4, "Query", 1, "DeleteItem", 1, "UpdateItem", 1), 3.5, 2);
  }

  @Test
  void theStatusCostsOneUnitForEachItemAndThePageOfWaitingJobs() {
    PoolState begin = PoolState.begin(ENCODE);
    pools.update(begin, begin.next(Map.of(), List.of(), 1));
    pools.claimed(ENCODE, 1);
    pools.put(List.of(ready(1)));
    call("GET", null, 200);
    expect(Map.of("BatchGetItem", 3, "Query", 1), 4, 0);
  }

  @Test
  void aThousandWaitingJobsAreOneMoreRequest() {
    List<ReadyJob> jobs = IntStream.range(0, 1_000).mapToObj(PoolRoutesCostTest::ready).toList();
    pools.put(jobs);
    call("GET", null, 200);
    assertThat(meter.requests()).isEqualTo(Map.of("BatchGetItem", 3, "Query", 2));
    assertThat(meter.readUnits()).isBetween(25.0, 30.0);
  }

  private static ReadyJob ready(int number) {
    ScheduleId schedule = new ScheduleId("default", "encode-videos");
    Instant since = NOW.plusMillis(number);
    JobId job = JobId.ofLaunchNow(schedule, 1, since, "xyz12");
    return new ReadyJob(ENCODE, 5, "customer-" + number % 50, since, job);
  }
}
