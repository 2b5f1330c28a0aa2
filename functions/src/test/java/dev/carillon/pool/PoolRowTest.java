package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolRowTest {

  private static final String FIRE = "s~00001~kadm7cqo8";

  private static ReadyJob ready(String customer, long millis) {
    return new ReadyJob(ID, 5, customer, NOON.plusMillis(millis), PooledJobs.id(8));
  }

  private static Stream<Arguments> rows() {
    return Stream.of(
        Arguments.of(ready("acme", 0), "ready#5#acme#001893499200000#" + local()),
        Arguments.of(ready("", 1), "ready#5##001893499200001#" + local()),
        Arguments.of(new Served(ID, 0, "acme", 7), "ready#0#acme#"),
        Arguments.of(new Newcomer(ID, 9, "acme"), "new#9#acme#"),
        Arguments.of(new Newcomer(ID, 9, ""), "new#9##"),
        Arguments.of(
            new InFlight(ID, "acme", NOON, PooledJobs.id(8)),
            "flight#acme#001893499200000#" + local()));
  }

  private static String local() {
    return PooledJobs.id(8).toString().substring("default~".length());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRowIsReadFromItsKey(PoolRow row, String key) {
    assertThat(row.key()).isEqualTo(key);
    long round = row instanceof Served served ? served.round() : 0;
    assertThat(PoolRow.parse(ID, key, round)).isEqualTo(row);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ready#",
        "ready#5",
        "ready#5#acme",
        "ready#5#acme#001893499200000",
        "ready#5#acme#001893499200000#" + FIRE + "#more",
        "ready#5#acme#001893499200000#no job",
        "ready#urgent#acme#",
        "new#5#acme",
        "new#5#acme##",
        "flight#acme#001893499200000",
        "flight#acme#001893499200000#" + FIRE + "#more",
        "other#5#acme#",
        "other#5#acme#001893499200000#" + FIRE
      })
  void anotherKeyIsRefused(String key) {
    assertThatThrownBy(() -> PoolRow.parse(ID, key, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "acme,     acme",
    "Acme-2.b, Acme-2.b",
    "a_z,      a_z",
    "a b,      a%20b",
    "a#b,      a%23b",
    "50%,      50%25",
    "ä,        ä",
    "日,        日",
    "😀,        😀"
  })
  void aCustomersNameIsEncodedInTheKey(String customer, String encoded) {
    String key = new Newcomer(ID, 5, customer).key();
    assertThat(key).isEqualTo("new#5#" + encoded + "#");
    assertThat(PoolRow.parse(ID, key, 0)).isEqualTo(new Newcomer(ID, 5, customer));
  }

  /** A store takes half of a surrogate pair as a question mark. */
  @Test
  void aNameWithHalfAPairIsEncodedAsItIsStored() {
    assertThat(new Newcomer(ID, 5, "a\ud83d").key()).isEqualTo("new#5#a%3F#");
  }

  @ParameterizedTest
  @ValueSource(strings = {"日", "😀", "#"})
  void aKeyWithTheLongestNamesHasAtMost1024Bytes(String character) {
    JobId job = JobId.ofFire(new ScheduleId("n", "s".repeat(64)), 1, NOON);
    String customer = character.repeat(128 / character.length());
    String key = new ReadyJob(ID, 9, customer, NOON, job).key();
    assertThat(key.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1_024);
  }

  /** The longer names begin with the shorter one. */
  @Test
  void allRowsOfOneCustomerStandTogetherByTheirAge() {
    List<PoolRow> inOrder =
        List.of(
            new Served(ID, 5, "a", 3),
            ready("a", -1_000_000_000_000L),
            ready("a", 0),
            ready("a", 1),
            ready("a!", 0),
            ready("a-", 0),
            ready("aa", 0));
    assertThat(inOrder).extracting(PoolRow::key).isSorted();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready#5#acme#", "ready#5#acme#0", "ready#5#acme#~"})
  void theBoundsEncloseTheKeysWithAPrefix(String key) {
    String prefix = PoolRow.of(5, "acme");
    assertThat(prefix).isEqualTo("ready#5#acme#");
    assertThat(key).isGreaterThan(PoolRow.before(prefix)).isLessThan(PoolRow.after(prefix));
    assertThat("ready#5#acme-").isGreaterThan(PoolRow.after(prefix));
  }
}
