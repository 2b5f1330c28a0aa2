package dev.carillon.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdsTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  // ---- what the id of a job says about it

  private static final BackfillId BACKFILL = new BackfillId(REPORT, "x1");

  private static JobId job(String origin) {
    return switch (origin) {
      case "fire" -> JobId.ofFire(REPORT, 1, NOON);
      case "events" -> JobId.ofEvents(REPORT, 1, NOON, 7);
      case "launch-now" -> JobId.ofLaunchNow(REPORT, 1, NOON, "abcd");
      case "backfill" -> JobId.ofBackfill(BACKFILL, 1, NOON);
      default -> throw new IllegalArgumentException(origin);
    };
  }

  @ParameterizedTest
  @CsvSource({
    // origin, is that of a fire, is manual, is of a backfill, suffix
    "fire,       true,  false, false, ''",
    "events,     false, false, false, e7",
    "launch-now, false, true,  false, mabcd",
    "backfill,   false, false, true,  bx1"
  })
  void theIdOfAJobShowsItsOrigin(
      String origin, boolean isFire, boolean isManual, boolean isOfBackfill, String suffix) {
    JobId job = job(origin);
    assertThat(job.isFire()).isEqualTo(isFire);
    assertThat(job.isManual()).isEqualTo(isManual);
    assertThat(job.isOfBackfill()).isEqualTo(isOfBackfill);
    assertThat(job.backfill().orElse(null)).isEqualTo(isOfBackfill ? BACKFILL : null);
    assertThat(job.suffix()).isEqualTo(suffix);
  }

  // ---- names of programs

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // the program as a schedule of namespace "sales" names it | bare name | fault
        "export         | export | -",
        "sales/export   | export | -",
        "other/export   | export | name one of \"sales\"",
        "/export        | export | name one of \"sales\"",
        "sales/         | ''     | after the \"/\" give 1 to 64",
        "sales/a/b      | a/b    | after the \"/\" give 1 to 64",
        "other/a/b      | a/b    | name one of \"sales\"",
        "a b            | ''     | give 1 to 64",
        "-              | ''     | \"program\" is missing; give 1 to 64"
      })
  void aProgramIsNamedWithOrWithoutItsNamespace(
      @Nullable String given, String bare, @Nullable String fault) {
    ObjectNode document = Json.object();
    if (given != null) {
      document.put("program", given);
    }
    Faults faults = new Faults();
    assertThat(ProgramName.read(Fields.of(document, "", faults), "program", "sales"))
        .isEqualTo(bare);
    assertThat(faults.found()).hasSize(fault == null ? 0 : 1);
    assertThat(faults.found())
        .extracting(Fault::detail)
        .allSatisfy(detail -> assertThat(detail).contains(fault));
  }

  @Test
  void aNumberIsNoNameOfAProgram() {
    Faults faults = new Faults();
    ObjectNode document = Json.object().put("program", 7);
    assertThat(ProgramName.read(Fields.of(document, "", faults), "program", "sales")).isEmpty();
    assertThat(faults.found()).hasSize(1);
  }

  // ---- pages

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, true", "report, true", "'a b', false", "'', false"})
  void aPageTokenHasTheFormOfTheKeys(@Nullable String token, boolean isAccepted) {
    if (isAccepted) {
      assertThatCode(() -> Page.requireToken(token, TextForm.NAME_PATTERN))
          .doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> Page.requireToken(token, TextForm.NAME_PATTERN))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("next is not a page token");
    }
  }

  // ---- items that cannot be read

  /** Returns the keys that it was asked for, unless one of them is damaged. */
  private static List<String> read(Collection<String> keys) {
    Set<String> damaged = new HashSet<>(keys);
    damaged.retainAll(Set.of("b", "c", "x"));
    if (!damaged.isEmpty()) {
      throw new UnreadableItems(damaged, new IllegalStateException("damaged"));
    }
    return List.copyOf(keys);
  }

  @ParameterizedTest
  @CsvSource({
    // keys, read, unreadable
    "a d,     a d, ''",
    "a b c d, a d, b c",
    "b,       '',  b"
  })
  void theOtherItemsAreReadWithoutThoseThatCannotBeRead(
      String keys, String read, String unreadable) {
    Set<String> refused = new HashSet<>();
    List<String> found = UnreadableItems.readable(List.of(keys.split(" ")), refused, IdsTest::read);
    assertThat(String.join(" ", found)).isEqualTo(read);
    assertThat(String.join(" ", new TreeSet<>(refused))).isEqualTo(unreadable);
  }

  @Test
  void theFaultNamesTheItems() {
    assertThatThrownBy(() -> read(List.of("a", "b")))
        .isInstanceOfSatisfying(
            UnreadableItems.class, fault -> assertThat(fault.keys()).isEqualTo(Set.of("b")))
        .hasMessage("the stored items [b] cannot be read");
  }
}
