package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Fifo;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FifoJudgeTest {

  private static final ScheduleSpec STANDARD =
      new ScheduleSpec(1, Join.ANY, List.of(new At(0)), false);

  private final List<Launch> launches = new ArrayList<>();

  private FifoJudgeTest sent(double second, int attempt, String group, String backfill) {
    String body = "{\"v\": 1, \"at\": \"2026-03-01T10:00:00Z\", \"trigger\": {}}";
    long at = LimitHistory.at(second);
    launches.add(
        Launch.read(new Arrival(at, "j", attempt, "s", body, at, false, backfill, at, group)));
    return this;
  }

  private List<Kind> found(ScheduleSpec spec) {
    Operation put =
        new Operation(
            "s", History.Kind.PUT, 1, spec, LimitHistory.at(0), LimitHistory.at(0), true, null);
    List<Finding> findings = new ArrayList<>();
    Schedule schedule = Schedule.of("s", List.of(put), Map.of("s", launches));
    new FifoJudge(schedule, findings).judge();
    return findings.stream().map(Finding::kind).toList();
  }

  @Test
  void aQueueTakesAnAttemptOnceWithinFiveMinutes() {
    ScheduleSpec spec = STANDARD.toFifo(new Fifo("g"));
    sent(1, 1, "g", "").sent(2, 2, "g", "").sent(302, 2, "g", "");
    assertThat(found(spec)).isEmpty();
    sent(303, 2, "g", "");
    assertThat(found(spec)).containsExactly(Kind.DOUBLED);
  }

  @Test
  void theGroupIsThatOfTheDocument() {
    assertThat(sent(1, 1, "", "").found(STANDARD.toFifo(new Fifo("")))).isEmpty();
    assertThat(sent(400, 1, "s", "").found(STANDARD.toFifo(new Fifo("")))).isEmpty();
    assertThat(sent(800, 1, "x", "").found(STANDARD.toFifo(new Fifo("")))).contains(Kind.UNASKED);
  }

  @Test
  void aGroupMayNameThePriority() {
    ScheduleSpec spec = STANDARD.toFifo(new Fifo("p-${priority}"));
    assertThat(sent(1, 1, "p-5", "").sent(400, 1, "p-9", "b1").found(spec)).isEmpty();
    assertThat(sent(800, 1, "p-9", "").found(spec)).containsExactly(Kind.UNASKED);
  }

  @Test
  void aStandardQueueHasNoGroup() {
    assertThat(sent(1, 1, "g", "").found(STANDARD)).containsExactly(Kind.UNASKED);
  }
}
