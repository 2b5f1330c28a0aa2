package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.Tables;
import dev.carillon.job.Gates;
import dev.carillon.local.meter.Meter;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoPoolsTest extends PoolsContract {

  private static final Duration RETENTION = Duration.ofDays(90);

  private final Tables tables = Servers.tables();
  private final Pools pools = pools(Servers.dynamoDb());
  private final Gates gates =
      new DynamoGates(Servers.dynamoDb(), tables, 3, RETENTION, Servers.fanout());

  private Pools pools(DynamoDbClient client) {
    return new DynamoPools(client, tables, 3, Servers.fanout());
  }

  @Override
  Pools pools() {
    return pools;
  }

  @Override
  Gates gates() {
    return gates;
  }

  /** Does not receive one answer, after others. */
  private Pools losing(int passing) {
    return pools(Servers.dynamoDb(List.of(), new LostAnswers(passing, 1)));
  }

  @Test
  void writesWithLostAnswersSucceed() {
    StoredPool pool = aPool(ENCODE);
    assertThat(losing(0).save(null, pool)).isTrue();
    assertThat(losing(0).delete(pool)).isTrue();
    PoolState begin = PoolState.begin(ENCODE);
    assertThat(losing(0).update(begin, begin.ordered(Order.FIFO, List.of()))).isTrue();
    PoolRow row = ready(1, "acme", 1);
    losing(0).put(List.of(row));
    assertThat(everyRow()).containsExactly(row);
    losing(0).remove(List.of(row));
    assertThat(everyRow()).isEmpty();
  }

  @Test
  void aClaimWhoseAnswerWasLostCountsOnce() {
    assertThat(losing(0).claimed(ENCODE, 2).claimed()).isEqualTo(2);
    assertThat(losing(0).claimed(ENCODE, 3).claimed()).isEqualTo(5);
    assertThat(pools.activity(ENCODE).claimed()).isEqualTo(5);
  }

  /** The answer to the read arrives, the one to the update does not. */
  @Test
  void aPlanWhoseAnswerWasLostIsTheCallers() {
    assertThat(losing(1).planChoice(ENCODE, NOW)).contains(NOW);
    Instant later = NOW.plusSeconds(5);
    assertThat(losing(1).planChoice(ENCODE, later)).contains(later);
    losing(0).rest(pools.activity(ENCODE));
    assertThat(pools.activity(ENCODE).isAwake()).isFalse();
  }

  @Test
  void rowsThatCannotBeReadAreLeftOutAndHideNoOther() {
    List<ReadyJob> jobs = IntStream.rangeClosed(1, 4).mapToObj(it -> ready(1, "a", it)).toList();
    pools.put(jobs);
    for (int number = 0; number < 6; number++) {
      store("ready#1#a#00000000000000" + number + "#!", Map.of());
    }
    store("ready#1#a#", Map.of());
    store("ready#1#b#", Map.of("round", AttributeValue.fromS("!")));
    assertThat(everyRow()).isEqualTo(jobs);
    assertThat(pools.rows(ENCODE, PoolRow.READY, PoolRow.after(PoolRow.READY), 2))
        .isEqualTo(jobs.subList(0, 2));
  }

  private void store(String key, Map<String, AttributeValue> more) {
    Map<String, AttributeValue> item = new HashMap<>(more);
    item.put("gate", AttributeValue.fromS(ENCODE.toString()));
    item.put("item", AttributeValue.fromS(key));
    Servers.dynamoDb().putItem(it -> it.tableName(tables.gates()).item(item));
  }

  @Test
  void eachJobCostsOneWriteUnitWhenItComesAndOneWhenItIsRemoved() {
    List<ReadyJob> jobs =
        IntStream.range(0, 40).mapToObj(it -> ready(1, "a customer " + it, it)).toList();
    Meter meter = meter();
    Pools metered = pools(Servers.dynamoDb(List.of(meter)));
    metered.put(jobs);
    assertThat(meter.writeUnits()).isEqualTo(40);
    assertThat(meter.writeRequests()).isEqualTo(2);
    meter.reset();
    metered.remove(jobs);
    assertThat(meter.writeUnits()).isEqualTo(40);
    assertThat(meter.writeRequests()).isEqualTo(2);
  }

  @Test
  void aStateWithTwentyFiveLeavingJobsCostsAtMostTwoWriteUnits() {
    Meter meter = meter();
    PoolState begin = PoolState.begin(ENCODE);
    PoolState state =
        begin.next(Map.of(1, turns("c24", Map.of()), 2, turns("c9", Map.of())), leaving(25), 25);
    assertThat(pools(Servers.dynamoDb(List.of(meter))).update(begin, state)).isTrue();
    assertThat(meter.writeUnits()).isLessThanOrEqualTo(2);
    assertThat(pools.state(ENCODE)).contains(state);
  }

  @Test
  void aStateWithTheJobsOfTwentyCustomersCostsOneWriteUnit() {
    PoolState begin = PoolState.begin(ENCODE);
    List<ReadyJob> jobs =
        IntStream.range(0, 40)
            .mapToObj(it -> ready(1, "customer-" + Long.toString(1_000_003L * it, 36), it))
            .toList();
    PoolState state = begin.next(Map.of(1, turns("c9", Map.of())), List.of(), 1L << 40);
    for (int minute = 0; minute < 60; minute += 20) {
      state = state.serving(jobs, NOW.plus(Duration.ofMinutes(minute)));
    }
    assertThat(state.served().byCustomer()).hasSize(20);
    Meter meter = meter();
    assertThat(pools(Servers.dynamoDb(List.of(meter))).update(begin, state)).isTrue();
    assertThat(meter.writeUnits()).isEqualTo(1);
    assertThat(meter.largestItem()).isLessThan(700);
    assertThat(pools.state(ENCODE)).contains(state);
  }

  private static List<Leaving> leaving(int count) {
    List<Leaving> leaving = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ReadyJob job = ready(1, "customer number " + 7919 * i, 104_729L * i);
      leaving.add(new Leaving(job, NOW.plusMillis(30_000 + 7L * i), i % 2 == 0, i));
    }
    return leaving;
  }

  @Test
  void aClaimAndAPlanCostOneWriteUnitEachAndTheIndexOnlyChangesWhenThePoolWakesOrRests() {
    Meter meter = meter();
    Pools metered = pools(Servers.dynamoDb(List.of(meter)));
    metered.claimed(ENCODE, 1);
    assertThat(meter.writeUnits()).isEqualTo(1);
    meter.reset();
    metered.planChoice(ENCODE, NOW);
    assertThat(meter.writeUnits()).isEqualTo(2);
    meter.reset();
    metered.planChoice(ENCODE, NOW.minusMillis(1));
    assertThat(meter.writeUnits()).isZero();
    metered.planChoice(ENCODE, NOW.plusSeconds(9));
    assertThat(meter.writeUnits()).isEqualTo(1);
    meter.reset();
    metered.claimed(ENCODE, 1);
    assertThat(meter.writeUnits()).isEqualTo(1);
    meter.reset();
    metered.rest(pools.activity(ENCODE));
    assertThat(meter.writeUnits()).isEqualTo(2);
  }

  private static Meter meter() {
    Servers.assumeExactCapacity();
    return new Meter();
  }
}
