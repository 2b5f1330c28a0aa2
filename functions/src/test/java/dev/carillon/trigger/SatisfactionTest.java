package dev.carillon.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.trigger.Trigger.And;
import dev.carillon.trigger.Trigger.At;
import dev.carillon.trigger.Trigger.Manual;
import dev.carillon.trigger.Trigger.Or;
import dev.carillon.trigger.Trigger.Partition;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SatisfactionTest {

  private static final Trigger P = new Partition("d1", 3);
  private static final Trigger Q = new Partition("d2", 1);
  private static final Trigger P_AND_Q = new And(List.of(P, Q));
  private static final Trigger P_OR_Q = new Or(List.of(P, Q));
  private static final Trigger P_AND_P = new And(List.of(P, P));

  /** The counts of leaves that expect three of d1 or one of d2. */
  private static boolean isSatisfied(Trigger trigger, long announcedForD1, long announcedForD2) {
    List<LeafCount> leaves =
        trigger.leaves().stream()
            .map(Partition.class::cast)
            .map(leaf -> counted(leaf, leaf.equals(P) ? announcedForD1 : announcedForD2))
            .toList();
    return Satisfaction.isSatisfied(trigger, leaves);
  }

  private static LeafCount counted(Partition leaf, long actual) {
    return new LeafCount(leaf.expected(), actual, null);
  }

  @Test
  void threePartitionsOfOneDatasetSatisfyTriggersThatNameOnlyIt() {
    assertThat(isSatisfied(P, 2, 0)).isFalse();
    assertThat(isSatisfied(P, 2 + 1, 0)).isTrue();
    assertThat(isSatisfied(P_AND_Q, 3, 0)).isFalse();
    assertThat(isSatisfied(P_OR_Q, 3, 0)).isTrue();
    assertThat(isSatisfied(P_AND_P, 3, 0)).isTrue();
  }

  @Test
  void onePartitionOfTheOtherDatasetSatisfiesTheOrOnly() {
    assertThat(isSatisfied(P, 0, 1)).isFalse();
    assertThat(isSatisfied(P_AND_Q, 0, 1)).isFalse();
    assertThat(isSatisfied(P_OR_Q, 0, 1)).isTrue();
    assertThat(isSatisfied(P_AND_Q, 3, 1)).isTrue();
  }

  @Test
  void eachLeafOfANestedTriggerUsesItsOwnCount() {
    Trigger at = new At(Instant.parse("2026-05-01T00:00:00Z"));
    Trigger trigger =
        new Or(List.of(new And(List.of(P, Q)), new And(List.of(new Or(List.of(P, Q)), at))));
    assertThat(satisfiedLeaves(trigger, 0)).isFalse();
    assertThat(satisfiedLeaves(trigger, 0, 1)).isTrue();
    assertThat(satisfiedLeaves(trigger, 0, 2)).isFalse();
    assertThat(satisfiedLeaves(trigger, 2, 3)).isFalse();
    assertThat(satisfiedLeaves(trigger, 3, 4)).isTrue();
    assertThat(satisfiedLeaves(trigger, 2, 4)).isTrue();
    assertThat(satisfiedLeaves(trigger, 0, 4)).isFalse();
  }

  private static boolean satisfiedLeaves(Trigger trigger, Integer... numbers) {
    List<Integer> satisfied = List.of(numbers);
    return Satisfaction.isSatisfied(
        trigger,
        IntStream.range(0, trigger.leaves().size())
            .mapToObj(number -> new LeafCount(1, satisfied.contains(number) ? 1 : 0, null))
            .toList());
  }

  @Test
  void manualIsNeverSatisfiedWhateverItCounted() {
    List<LeafCount> leaves = List.of(new LeafCount(0, 1, null));
    assertThat(Satisfaction.isSatisfied(new Manual(), leaves)).isFalse();
  }

  @Test
  void countsOfAnotherTriggerAreAnError() {
    assertThatThrownBy(() -> Satisfaction.isSatisfied(P, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
