package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.dynamodb.DynamoApps;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.Tables;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.Schedules.WalkPart;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class DynamoAppsTest extends AppsContract {

  private final Tables tables = Servers.tables();
  private final DynamoApps apps = new DynamoApps(Servers.dynamoDb(), tables, Servers.fanout());

  @Override
  Apps apps() {
    return apps;
  }

  @Test
  void aWriteWhoseAnswerWasLostIsRecognised() {
    App claimed = claimed();
    try (DynamoDbClient client = Servers.dynamoDb(List.of(), new LostAnswers(1))) {
      assertThat(new DynamoApps(client, tables, Servers.fanout()).save(null, claimed)).isTrue();
    }
    App released = claimed.released();
    try (DynamoDbClient client = Servers.dynamoDb(List.of(), new LostAnswers(1))) {
      assertThat(new DynamoApps(client, tables, Servers.fanout()).save(claimed, released)).isTrue();
    }
    assertThat(apps.find(ID)).contains(released);
    try (DynamoDbClient client = Servers.dynamoDb(List.of(), new LostAnswers(1))) {
      assertThat(new DynamoApps(client, tables, Servers.fanout()).delete(released)).isTrue();
    }
    assertThat(apps.find(ID)).isEmpty();
  }

  @Test
  void anAppIsNotReadAsASchedule() {
    apps.save(null, claimed());
    DynamoSchedules schedules =
        new DynamoSchedules(
            Servers.dynamoDb(),
            tables,
            4,
            Duration.ofDays(90),
            () -> Samples.NOW,
            Servers.fanout());
    ListFilter all = new ListFilter(null, null, null, null, null, null);
    assertThat(schedules.list("default", all, 10, null).items()).isEmpty();
    assertThat(schedules.walk(WalkPart.WHOLE, 10, null).items()).isEmpty();
  }
}
