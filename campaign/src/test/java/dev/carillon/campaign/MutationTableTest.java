package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of results lists each mutation by its name in the code. */
class MutationTableTest {

  @Test
  void thePageListsEachMutation() {
    assertThat(FirstShown.mutations())
        .containsExactlyElementsOf(
            Stream.concat(
                    Arrays.stream(Mutation.values()).map(mutation -> mutation.what),
                    Arrays.stream(NeighbourMutation.values()).map(mutation -> mutation.what))
                .toList());
  }
}
