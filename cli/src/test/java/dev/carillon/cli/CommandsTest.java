package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a local engine. */
@Timeout(600)
class CommandsTest {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private static final String YEARLY =
      """
      program: exporter
      tags: {team: data}
      trigger: {type: cron, expression: "0 0 3 1 1 ?"}
      constraints: [{type: concurrency, max: 1}]
      target: {queue: work, template: {at: "${scheduledFor}"}}
      state: ACTIVE
      """;

  @TempDir private Path directory;
  private Call call;

  @BeforeEach
  void connect() throws InterruptedException {
    call = Call.to(Engine.shared().http()).in("commands-" + NAMESPACES.incrementAndGet());
  }

  private void store(String name, String document) throws IOException {
    Path file = Files.writeString(directory.resolve(name + ".yaml"), document);
    assertThat(call.run("apply --yes -f " + file).code()).isZero();
  }

  private Result good(String line) {
    Result result = call.run(line);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private JsonNode json(String line) {
    return Json.read(good(line + " -o json").out(), JsonNode.class);
  }

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
  void aJobIsLaunchedShownExplainedAndWatched() throws IOException {
    store("a", YEARLY);

    String id = good("schedules launch a --payload {\"by\":\"ann\"} -o name").lines().get(0);
    assertThat(json("jobs list a").get(0).path("jobId").asText()).isEqualTo(id);
    assertThat(good("jobs list --program exporter -o name").lines()).containsExactly(id);
    assertThat(good("programs jobs exporter -o name").lines()).containsExactly(id);
    assertThat(call.run("jobs list a --link l").err()).contains("jobs list SCHEDULE");
    assertThat(good("jobs show " + id).out()).contains(id, "History");
    assertThat(good("jobs explain " + id).out()).contains("Summary");
    assertThat(good("schedules explain a").out()).contains("Summary", "Limits", "concurrency");
    assertThat(good("programs list -o name").lines()).containsExactly("exporter");
    assertThat(json("programs list").path(0).path("schedules").asInt()).isEqualTo(1);
    assertThat(good("programs show exporter").out()).contains("a  ACTIVE", "concurrency");
  }

  @Test
  void aWatchedJobIsPrintedUntilItsEnd() throws IOException {
    store("a", YEARLY.replace("constraints: [{type: concurrency, max: 1}]", ""));
    String id = good("schedules launch a -o name").lines().get(0);

    Result watched = good("jobs watch " + id);
    assertThat(watched.lines()).last().asString().contains("LAUNCHED");
  }

  @Test
  void aWaitingJobIsCancelled() throws IOException {
    store("a", YEARLY.replace("type: concurrency, max: 1", "type: delay, duration: PT1H"));
    String id = good("schedules launch a -o name").lines().get(0);

    assertThat(good("jobs explain " + id).out()).contains("delay");
    assertThat(good("jobs cancel " + id).out()).contains(id, "CANCELLED");
    assertThat(call.run("jobs watch " + id).code()).isEqualTo(1);
    assertThat(call.run("jobs retry " + id).code()).isEqualTo(1);
  }

  @Test
  void manyWaitingJobsAreListedCountedAndCancelled() throws IOException {
    store("a", YEARLY.replace("type: concurrency, max: 1", "type: delay, duration: PT1H"));
    String link = " --property linkId=l1 --customer acme -o name";
    String first = good("schedules launch a" + link).lines().get(0);
    String second = good("schedules launch a" + link).lines().get(0);
    List<String> waiting = List.of();
    while (waiting.size() < 2) {
      waiting = good("jobs list --customer acme -o name").lines();
    }
    assertThat(good("jobs list -o name").lines()).contains(first, second);
    assertThat(good("jobs list --link l1 -o name").lines())
        .containsExactlyInAnyOrder(first, second);
    assertThat(good("jobs list --customer other -o name").lines()).isEmpty();

    assertThat(json("jobs cancel --link l1 --dry-run").path("matched").asInt()).isEqualTo(2);
    assertThat(good("jobs list --customer acme -o name").lines()).hasSize(2);
    assertThat(call.run("jobs cancel --link l1").err()).contains("Cancel 2 jobs?", "--yes");
    JsonNode cancelled = json("jobs cancel --schedule a --yes");
    assertThat(cancelled.path("changed").asInt()).isEqualTo(2);
    assertThat(good("jobs list --customer acme -o name").lines()).isEmpty();
    assertThat(good("jobs list --link l1 --state CANCELLED -o name").lines()).hasSize(2);
    assertThat(call.run("jobs cancel").err()).contains("--schedule, --program and --link");
    assertThat(call.run("jobs retry " + first + " --program p").err()).contains("give the ids");
    assertThat(json("jobs retry --program exporter --yes").path("matched").asInt()).isZero();
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
    store("a", YEARLY.replace("constraints: [{type: concurrency, max: 1}]", ""));
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
    assertThat(exported.err()).contains("export", "exported 1 entries");
    assertThat(exported.lines()).hasSize(1);
    call.on(new FakeTerminal(false, 0));
    Result plain = good(range + " --wait --concurrency 3");
    assertThat(plain.err()).isEmpty();
  }

  @Test
  void calendarsAndResourcesAreStoredListedAndDeleted() throws IOException {
    Path file = Files.writeString(directory.resolve("off.yaml"), "dates: [2030-12-25]\n");

    assertThat(good("calendars put off " + file).out()).contains("2030-12-25");
    assertThat(good("calendars list -o name").lines()).containsExactly("off");
    assertThat(good("calendars show off -o yaml").out()).contains("2030-12-25");
    assertThat(good("calendars delete off --yes").err()).contains("deleted calendar");
    assertThat(good("resources put disk 12.5 --ttl PT1H").out()).contains("12.5");
    assertThat(good("resources list").out()).contains("disk", "12.5");
    assertThat(good("resources show disk").out()).contains("Expires");
    assertThat(good("resources delete disk --yes").err()).contains("deleted resource");
    assertThat(good("resources list").err()).contains("none in namespace");
  }

  @Test
  void poolsAreStoredListedPausedResumedAndDeleted() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("encode.yaml"),
            "queue: encode\ndepth: 20\nweights: {acme: 3}\nmaxInFlight: {default: 5}\n");

    assertThat(good("pools put encode " + file).out()).contains("acme: 3");
    assertThat(good("pools list -o name").lines()).containsExactly("encode");
    assertThat(good("pools list").lines().get(1)).matches("encode +ACTIVE +encode +20 +fair *");
    assertThat(good("pools show encode").out())
        .containsPattern("In the queue +0 of 20\n")
        .containsPattern("In flight +0\n")
        .containsPattern("Waiting +0 jobs of 0 customers\n");
    assertThat(good("pools pause encode --reason move").out())
        .containsPattern("State +PAUSED\n")
        .containsPattern("Reason +move\n")
        .contains("acme: 3");
    assertThat(good("pools show encode -o json").out()).contains("\"paused\" : true");
    assertThat(good("pools resume encode").out())
        .containsPattern("State +ACTIVE\n")
        .doesNotContain("move");
    assertThat(good("pools delete encode --yes").err()).contains("deleted pool");
    assertThat(good("pools list").err()).contains("none in namespace");
  }

  @Test
  void eventsAreSent() throws IOException {
    assertThat(good("events send --type done --payload {\"a\":1} --id e1").lines())
        .containsExactly("EVENT", "e1");
    Path file =
        Files.writeString(
            directory.resolve("events.yaml"),
            "- {id: x, eventType: done, payload: {}}\n- {id: y, eventType: done, payload: {}}\n");
    assertThat(good("events send " + file + " -o name").lines()).containsExactly("x", "y");
    assertThat(call.run("events send").err()).contains("--type");
    assertThat(call.run("events send --type a --payload 1").err()).contains("not a JSON object");
  }

  @Test
  void anAppIsDeployedShownAndDeleted() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("app.yaml"),
            "programs: [exporter]\nschedules:\n  nightly:\n" + YEARLY.indent(4));

    assertThat(good("apps deploy exports " + file + " --dry-run").out()).contains("nightly");
    assertThat(call.run("apps show exports").code()).isEqualTo(1);
    assertThat(json("apps deploy exports " + file).path("created").get(0).asText())
        .isEqualTo("nightly");
    assertThat(good("apps show exports").out()).contains("exporter", "nightly");
    assertThat(call.run(List.of("apps", "deploy", "exports", "absent.yaml")).err())
        .contains("absent.yaml:1: it cannot be read");
    assertThat(good("apps delete exports --yes").err()).contains("deleted app");
    assertThat(good("schedules list -o name").lines()).isEmpty();
  }

  @Test
  void aProgramIsDeletedWithItsSchedules() throws IOException {
    store("a", YEARLY);
    assertThat(good("programs delete exporter --yes").out()).contains("Deleted");
    assertThat(good("schedules list -o name").lines()).isEmpty();
  }

  @Test
  void theStatusShowsQueuesAndJobs() {
    Result status = call.run("status");
    assertThat(status.out()).contains("Queues", "ingest: ", "Oldest due");
    assertThat(Json.read(call.run("status -o json").out(), JsonNode.class).has("troubles"))
        .isTrue();
  }

  @Test
  void aWatchedStatusIsShownAgainUntilItIsInterrupted() {
    FakeTerminal screen = new FakeTerminal(true, 80);
    screen.onPause = Thread.currentThread()::interrupt;
    Result status = call.on(screen).run("status --watch");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(status.out()).contains("\u001b[H\u001b[2J").contains("Queues");
  }
}
