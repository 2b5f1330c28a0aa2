package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharesTest {

  private static final Source A = new Source("team/a");
  private static final Source B = new Source("team/b");

  /** The threads that the queues, A and B use, of eight, and how many more each could use. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 6, 6, 6",
    "1, 0, 0, 5, 6, 6",
    "1, 1, 0, 5, 5, 6",
    "1, 1, 1, 5, 5, 5",
    "6, 0, 0, 0, 1, 1",
    "6, 1, 0, 0, 0, 1",
    "6, 1, 1, 0, 0, 0"
  })
  void aThreadIsKeptForEachSourceThatUsesNone(
      int queues, int a, int b, int ofQueues, int ofA, int ofB) {
    Shares shares = new Shares(8, List.of(Source.QUEUES, A, B));
    use(shares, Source.QUEUES, queues);
    use(shares, A, a);
    use(shares, B, b);
    assertThat(Stream.of(Source.QUEUES, A, B).map(shares::free))
        .containsExactly(ofQueues, ofA, ofB);
  }

  private static void use(Shares shares, Source source, int count) {
    for (int i = 0; i < count; i++) {
      shares.use(source);
    }
  }

  @Test
  void theSourceThatUsesTheFewestComesFirst() {
    Shares shares = new Shares(8, List.of(Source.QUEUES, A));
    use(shares, Source.QUEUES, 3);
    use(shares, A, 1);
    shares.want(Source.QUEUES, true);
    assertThat(shares.isNext(Source.QUEUES)).isTrue();

    shares.want(A, true);
    assertThat(shares.isNext(Source.QUEUES)).isFalse();
    assertThat(shares.isNext(A)).isTrue();

    use(shares, A, 2);
    assertThat(shares.isNext(Source.QUEUES)).isTrue();
    assertThat(shares.isNext(A)).isTrue();
  }

  @Test
  void aThreadThatIsReleasedIsFree() {
    Shares shares = new Shares(1, List.of(A));
    shares.use(A);
    assertThat(shares.isNext(A)).isFalse();
    shares.release(A, 1);
    assertThat(shares.isNext(A)).isTrue();
  }
}
