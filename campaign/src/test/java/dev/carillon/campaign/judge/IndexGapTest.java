package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Condition.Matching;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.ScheduleSpec.Whole;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a schedule whose PUT was answered at second 100 can miss if copies are 3 s behind. */
class IndexGapTest {

  private static final Leaf DATA = new Partitions("d", 1);
  private static final Leaf ALARMS =
      new Whole(new Matching("alarms", 1, new Filter(Filter.Rule.COLOR, "red", 0)));

  private final LimitHistory history = new LimitHistory().withIndexLag(3_000);
  private int versions;

  private ScheduleSpec stored(String schedule, Leaf leaf) {
    ScheduleSpec spec = new ScheduleSpec(++versions, Join.ANY, List.of(leaf), false);
    history.stored(100, schedule, spec);
    return spec;
  }

  private boolean mayHide(ScheduleSpec spec, double sent, String dataset, @Nullable Fact fact) {
    long at = LimitHistory.at(sent);
    Announcement event = new Announcement("e", dataset, 1, at, at, fact);
    long stored = LimitHistory.at(100);
    Span span = new Span(spec, 1, stored, stored, History.NEVER, History.NEVER);
    return new IndexGap(history.history(), "s").mayHide(span, event);
  }

  @Test
  void anEventThatFindsNoOtherScheduleIsSearchedForAgain() {
    ScheduleSpec spec = stored("s", DATA);
    stored("other", new Partitions("e", 1));
    assertThat(mayHide(spec, 101, "d", null)).isFalse();
  }

  @Test
  void anEventThatFindsAnotherScheduleCanMissThisOneWhileCopiesAreBehind() {
    ScheduleSpec spec = stored("s", DATA);
    stored("other", DATA);
    assertThat(mayHide(spec, 102.9, "d", null)).isTrue();
    assertThat(mayHide(spec, 103.1, "d", null)).isFalse();
    history.withIndexLag(0);
    assertThat(mayHide(spec, 101, "d", null)).isFalse();
  }

  @Test
  void anotherScheduleIsFoundByTheKeyWhateverItsFilterSays() {
    ScheduleSpec spec = stored("s", ALARMS);
    Fact blue = new Fact("event:alarms", 0, "blue", null);
    assertThat(mayHide(spec, 101, "", blue)).isFalse();
    stored("other", ALARMS);
    assertThat(mayHide(spec, 101, "", blue)).isTrue();
  }

  @Test
  void theReportOfARunIsNotSearchedForAgain() {
    ScheduleSpec spec = stored("s", DATA);
    assertThat(mayHide(spec, 101, "", new Fact("program:p:SUCCEEDED", 0))).isTrue();
  }
}
