package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingPlaceTest {

  private static final ScheduleId SCHEDULE = new ScheduleId("default", "report");

  @Test
  void eachPlaceIsReadBack() {
    assertThat(WaitingPlace.parse(WaitingPlace.startOf(3).text()))
        .isEqualTo(WaitingPlace.startOf(3));
    List<Subject> jobs =
        List.of(JobId.ofEvents(SCHEDULE, 1, Instant.EPOCH, 7), new CollectingJobId(SCHEDULE));
    for (Subject job : jobs) {
      WaitingPlace place = WaitingPlace.after(2, new Wakeup(job, Wait.NEVER, 9));
      assertThat(WaitingPlace.parse(place.text())).isEqualTo(place);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "x 5",
        "-1 5",
        "123456 5",
        "1 5 3",
        "1 5 3 nothing",
        "1 5 10 default~report~00001~0loyw3v28",
        "1 5 3 default#program:exporter",
        "1 5 3 default~report~00001~0loyw3v28#run1",
        "1 5 3 default/report#suspension",
        "1 1234567890123456"
      })
  void anotherTextIsRefused(String text) {
    assertThatThrownBy(() -> WaitingPlace.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
