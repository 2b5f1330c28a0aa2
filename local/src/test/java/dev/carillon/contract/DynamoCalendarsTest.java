package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.dynamodb.DynamoCalendars;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.Tables;
import dev.carillon.id.CalendarId;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.Schedules.WalkPart;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class DynamoCalendarsTest extends CalendarsContract {

  private final Tables tables = Servers.tables();
  private final Calendars calendars = calendars(Servers.dynamoDb());

  private Calendars calendars(DynamoDbClient client) {
    return new DynamoCalendars(client, tables, Servers.fanout());
  }

  @Override
  Calendars calendars() {
    return calendars;
  }

  @Test
  void aWriteWithALostAnswerSucceeds() {
    StoredCalendar calendar = aCalendar(US);
    Calendars lossy = calendars(Servers.dynamoDb(List.of(), new LostAnswers(1)));
    assertThat(lossy.save(null, calendar)).isTrue();
    lossy = calendars(Servers.dynamoDb(List.of(), new LostAnswers(1)));
    assertThat(lossy.delete(calendar)).isTrue();
    assertThat(calendars.find(List.of(US))).isEmpty();
  }

  @Test
  void listsOfSchedulesOmitTheCalendarsInTheirTable() {
    DynamoSchedules schedules =
        new DynamoSchedules(
            Servers.dynamoDb(), tables, 3, Duration.ofDays(90), () -> NOW, Servers.fanout());
    calendars.save(null, aCalendar(new CalendarId("default", "head")));
    calendars.save(null, aCalendar(new CalendarId("default", "def")));
    ListFilter any = new ListFilter(null, null, null, null, null, null);
    assertThat(schedules.list("default", any, 10, null).items()).isEmpty();
    assertThat(schedules.walk(WalkPart.WHOLE, 10, null).items()).isEmpty();
  }
}
