package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.aTimer;
import static dev.carillon.contract.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.dynamodb.DynamoTimers;
import dev.carillon.dynamodb.Tables;
import dev.carillon.local.meter.Meter;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoTimersTest extends TimersContract {

  private static final List<Timer> MANY =
      IntStream.range(0, 60).mapToObj(i -> aTimer(schedule("report-" + i), NOW)).toList();

  private final Tables tables = Servers.tables();
  private final Timers timers = timers(4);

  @Override
  Timers timers(int shards) {
    return new DynamoTimers(Servers.dynamoDb(), tables, shards, Servers.fanout());
  }

  @Test
  void itemsThatABatchLeavesUnprocessedAreWrittenAgain() {
    Timers troubled =
        new DynamoTimers(Servers.dynamoDb(List.of(new Trouble(5))), tables, 4, Servers.fanout());

    troubled.put(MANY);

    assertThat(due()).isEqualTo(60);
  }

  @Test
  void itemsThatAreNeverProcessedAreNoSuccess() {
    Timers troubled =
        new DynamoTimers(
            Servers.dynamoDb(List.of(new Trouble(1_000))), tables, 4, Servers.fanout());

    assertThatThrownBy(() -> troubled.put(MANY.subList(0, 25)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void movingATimerTakesTwoWriteUnitsAndTwoRequestsForTwentyFive() {
    Servers.assumeExactCapacity();
    Meter meter = new Meter();
    Timers recorded =
        new DynamoTimers(Servers.dynamoDb(List.of(meter)), tables, 4, Servers.fanout());
    List<Timer> old = MANY.subList(0, 25);
    timers.put(old);

    recorded.put(old.stream().map(timer -> timer.movedTo(NOW.plusSeconds(720))).toList());
    recorded.delete(old);

    assertThat(meter.writeUnits()).isEqualTo(50);
    assertThat(meter.requests()).containsOnlyKeys("BatchWriteItem");
    assertThat(meter.writeRequests()).isEqualTo(2);
  }

  @Test
  void aTimerThatCannotBeReadHidesNothingBehindIt() {
    timers.put(MANY);
    for (int shard = 0; shard < 4; shard++) {
      Map<String, AttributeValue> damaged =
          Map.of(
              "shard", AttributeValue.fromS("" + shard),
              "due", AttributeValue.fromS("000000000000001#nonsense"));
      Servers.dynamoDb().putItem(put -> put.tableName(tables.timers()).item(damaged));
    }

    assertThat(due()).isEqualTo(60);
    assertThat(timers.due(0, NOW, null, 2)).hasSize(2);
  }

  private int due() {
    return IntStream.range(0, 4).map(shard -> timers.due(shard, NOW, null, 1_000).size()).sum();
  }
}
