package dev.carillon.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which slots a gate's item takes, and which become items of their own. */
class SlotsTest {

  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  private static Slot slot(int number) {
    JobId job = JobId.ofFire(new ScheduleId("default", "s"), 1, AT.plusSeconds(number));
    return new Slot(job, AT.plusSeconds(number));
  }

  private static JobId job(int number) {
    return slot(number).job();
  }

  private static Slots with(Slots before, int... numbers) {
    Slots after = before;
    for (int number : numbers) {
      after = after.with(slot(number));
    }
    return after;
  }

  @Test
  void theFirstSlotsArePartOfTheGate() {
    Slots slots = with(Slots.none(3), 3, 1, 2, 2);
    assertThat(slots.inline()).containsExactly(slot(1), slot(2), slot(3));
    assertThat(slots.changesItems()).isFalse();
    assertThat(slots.size()).isEqualTo(3);
  }

  @Test
  void furtherSlotsAreItemsOfTheirOwn() {
    Slots slots = with(Slots.none(2), 1, 2, 4, 3, 4);
    assertThat(slots.inline()).containsExactly(slot(1), slot(2));
    assertThat(slots.added()).containsExactly(slot(4), slot(3));
    assertThat(slots.size()).isEqualTo(4);
    assertThat(slots.itemChanges()).isEqualTo(2);
    assertThat(slots.holds(job(4))).isTrue();

    Slots stored = slots.stored();
    assertThat(stored).isEqualTo(new Slots(2, slots.inline(), 2, Set.of(), List.of(), List.of()));
    assertThat(stored.holds(job(4))).isFalse();
    assertThat(stored.canHoldUnseen(job(4))).isTrue();
    assertThat(stored.canHoldUnseen(job(1))).isFalse();
    assertThat(stored.finding(List.of(job(4))).holds(job(4))).isTrue();
  }

  /** Waiting jobs need a place in the gate's item as well. */
  @Test
  void whileSomeHaveItemsTwoPlacesOfTheGateStayFree() {
    Slots full = with(Slots.none(3), 1, 2, 3, 4).stored();
    Slots less = full.without(job(1));
    assertThat(with(less, 5).added()).containsExactly(slot(5));
    Slots least = less.without(job(2)).without(job(3));
    assertThat(with(least, 5, 6).inline()).containsExactly(slot(5));
    assertThat(with(least, 5, 6).added()).containsExactly(slot(6));
    Slots none = least.finding(List.of(job(4))).without(job(4)).stored();
    assertThat(with(none, 5, 6, 7).inline()).hasSize(3);
  }

  @Test
  void aSlotIsFreedWhereItIs() {
    Slots slots = with(with(Slots.none(1), 1, 2, 3).stored(), 4).finding(List.of(job(2)));
    assertThat(slots.without(job(1)).inline()).isEmpty();
    assertThat(slots.without(job(2)).removed()).containsExactly(job(2));
    assertThat(slots.without(job(2)).size()).isEqualTo(3);
    assertThat(slots.without(job(2)).holds(job(2))).isFalse();
    assertThat(slots.without(job(2)).canHoldUnseen(job(2))).isFalse();
    assertThat(slots.without(job(2)).without(job(2)).size()).isEqualTo(3);
    assertThat(slots.without(job(4)).itemChanges()).isZero();
    assertThat(slots.without(job(4)).size()).isEqualTo(3);
  }

  /** Whether it holds one must be read first. */
  @Test
  void aJobThatIsNotKnownToHoldASlotFreesNone() {
    Slots slots = with(Slots.none(1), 1, 2).stored();
    assertThat(slots.without(job(2))).isSameAs(slots);
    assertThat(slots.without(job(9))).isSameAs(slots);
  }

  /** The tables can have been restored to different instants. */
  @Test
  void theNumberOfItemsIsNeverNegative() {
    Slots slots = Slots.of(List.of(), 0).finding(List.of(job(1)));
    assertThat(slots.without(job(1)).size()).isZero();
    assertThat(with(slots, 1)).isSameAs(slots);
  }
}
