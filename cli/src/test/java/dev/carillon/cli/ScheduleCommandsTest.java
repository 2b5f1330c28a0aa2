package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands for schedules. */
@Timeout(600)
class ScheduleCommandsTest extends EngineCommands {

  @Test
  void schedulesAreListedInEachFormat() throws IOException {
    store("first", YEARLY);
    store("second", YEARLY.replace("ACTIVE", "SUSPENDED").replace("exporter", "other"));

    assertThat(good("schedules list").lines())
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).matches("NAME +STATE +TRIGGER +NEXT FIRE *"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches(
                        "first +ACTIVE +cron 0 0 3 1 1 \\? +20..-01-01 04:00:00 \\(in .*\\) *"));
    assertThat(good("schedules list --utc").out()).contains("-01-01 03:00:00");
    assertThat(good("schedules list -o wide").out()).contains("exporter", "work");
    assertThat(good("schedules list -o name").lines()).containsExactly("first", "second");
    assertThat(json("schedules list").get(1).path("name").asText()).isEqualTo("second");
    assertThat(good("schedules list -o yaml").out()).contains("  name: first");
    assertThat(good("schedules list -o name --state suspended").lines()).containsExactly("second");
    assertThat(good("schedules list -o name --program exporter").lines()).containsExactly("first");
    assertThat(good("schedules list -o name --tag team=none").lines()).isEmpty();
    assertThat(good("schedules list -o name --trigger-type cron --app x").lines()).isEmpty();
    Result page = good("schedules list -o name --limit 1");
    assertThat(page.lines()).containsExactly("first");
    assertThat(page.err()).contains("--limit 0");
    assertThat(good("schedules list -o name --limit 0").lines()).hasSize(2);
  }

  @Test
  void aTableFitsTheScreenAndHasColoursOnlyThere() throws IOException {
    store("a-schedule-with-a-very-long-name-that-no-narrow-screen-can-show", YEARLY);

    Result narrow = call.on(new FakeTerminal(true, 60)).run("schedules list");
    assertThat(narrow.out()).contains("\u001b[32mACTIVE").contains("…");
    assertThat(narrow.out().replaceAll("\u001b\\[[0-9;]*m", "").lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(60));
    assertThat(call.with("NO_COLOR", "1").run("schedules list").out()).doesNotContain("\u001b");
  }

  @Test
  void aScheduleIsShownSuspendedResumedAndDeleted() throws IOException {
    store("a", YEARLY);

    assertThat(good("schedules show a").out()).contains("ACTIVE", "expression: 0 0 3 1 1 ?");
    assertThat(json("schedules show a").path("schedule").path("program").asText())
        .isEqualTo("exporter");
    JsonNode suspended = json("schedules suspend a --mode hold --until PT2H --reason cleaning");
    assertThat(suspended.path("suspended").path("mode").asText()).isEqualTo("hold");
    assertThat(suspended.path("suspended").path("until").asText()).isNotEmpty();
    assertThat(good("schedules show a").out()).contains("SUSPENDED", "cleaning", "(in ");
    assertThat(call.run("schedules suspend a --until soon").err()).contains("--until", "tomorrow");
    assertThat(json("schedules resume a").path("state").asText()).isEqualTo("ACTIVE");

    Result unasked = call.run("schedules delete a");
    assertThat(unasked.code()).isEqualTo(1);
    assertThat(unasked.err()).contains("--yes");
    FakeTerminal screen = new FakeTerminal(true, 0, "n", "y");
    assertThat(call.on(screen).run("schedules delete a").code()).isEqualTo(1);
    assertThat(call.run("schedules delete a").code()).isZero();
    assertThat(screen.questions).hasSize(2).first().asString().contains("Delete a?");
    Result absent = call.run("schedules show a");
    assertThat(absent.code()).isEqualTo(1);
    assertThat(absent.err()).startsWith("carillon: there is no schedule");
  }

  @Test
  void firesArePreviewedAndSkipped() throws IOException {
    store("a", YEARLY);

    Result preview = good("schedules preview a --count 2");
    assertThat(preview.lines()).hasSize(3);
    assertThat(preview.err()).contains("03:00");
    assertThat(good("schedules preview a --from 2030-01-01 --count 1 --utc").out())
        .contains("2030-01-01 03:00:00");
    JsonNode next = json("schedules preview a --count 1").get(0).path("scheduledFor");
    assertThat(json("schedules skip a").path("skipped")).isEqualTo(next);
  }

  @Test
  void aPastRangeIsBackfilledWithABar() throws IOException {
    store("a", UNLIMITED);
    String range = "schedules backfill a --from 2020-06-01 --to 2023-06-01T00:00:00Z";

    Result dry = good(range + " --dry-run");
    assertThat(dry.err()).contains("3 fires");
    assertThat(dry.lines()).hasSize(4);
    Result done = call.on(new FakeTerminal(true, 80)).run(range + " --wait --concurrency 3");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.out()).contains("COMPLETED", "LAUNCHED 3");
    assertThat(done.err()).contains("100%").contains("backfill ");
    FakeTerminal errorsOnly = new FakeTerminal(false, 0);
    errorsOnly.errorsAreShown = true;
    call.on(errorsOnly);
    assertThat(good(range + " --wait -o json").err()).contains("100%");
    Result exported = good("export");
    assertThat(exported.err()).contains("export", "exported 1 entry of");
    assertThat(exported.lines()).hasSize(1);
    call.on(new FakeTerminal(false, 0));
    Result plain = good(range + " --wait --concurrency 3");
    assertThat(plain.err()).matches("backfill \\S+ of \\S+/a has begun\n");
  }
}
