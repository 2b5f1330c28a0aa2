package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.Result;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code import} and {@code export}. */
class ImportTest {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private static final String CRONTAB =
      """
      CRON_TZ=Europe/Berlin
      # The night's report
      0 3 * * * report --all
      @reboot warm-up
      """;

  @TempDir private Path folder;
  private Call call;
  private Path crontab;

  @BeforeEach
  void connect() throws IOException, InterruptedException {
    call = Call.to(Engine.shared().http()).in("import-" + NAMESPACES.incrementAndGet());
    crontab = write("deploy.crontab", CRONTAB);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void whatIsLeftOutIsNamedAndFailsUnlessTheRestIsWanted() {
    Result result = call.run("import crontab " + crontab + " --queue work");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("report-all").contains("cron 0 3 * * *");
    assertThat(result.err())
        .contains(
            crontab
                + ":4: left out: @reboot warm-up: @reboot has no equivalent, because Carillon"
                + " has no machine that starts")
        .endsWith("1 converted, 1 left out\n");
    assertThat(call.run("import crontab " + crontab + " --queue work --partial").code()).isZero();
  }

  @Test
  void nothingIsStoredIfSomethingIsLeftOut() {
    Result whole = call.run("import crontab " + crontab + " --queue work --apply --yes");
    assertThat(whole.code()).isEqualTo(1);
    assertThat(whole.err()).contains("nothing was stored; --partial stores the rest");
    assertThat(call.run("schedules list -o name").out()).isEmpty();

    Result part = call.run("import crontab " + crontab + " --queue work --apply --yes --partial");
    assertThat(part.code()).as(part.err()).isZero();
    assertThat(call.run("schedules list -o name").out()).isEqualTo("report-all\n");
    assertThat(call.run("schedules show report-all -o yaml").out())
        .contains("description: The night's report");
  }

  @Test
  void importAsksBeforeItStoresUnlessTheCallerAgreesInAdvance() {
    String line = "import crontab " + crontab + " --queue work --partial --apply";
    Result unasked = call.run(line);
    assertThat(unasked.code()).isNotZero();
    assertThat(unasked.err())
        .contains("Store 1 item (1 created, 0 replaced)? There is no terminal to ask; give --yes");

    Call.FakeTerminal screen = new Call.FakeTerminal(true, 0, "n", "y");
    call.on(screen);
    Result declined = call.run(line);
    assertThat(declined.code()).isEqualTo(1);
    assertThat(declined.err()).doesNotContain("stored");
    assertThat(call.run("schedules list -o name").out()).isEmpty();

    assertThat(call.run(line).code()).isZero();
    assertThat(screen.questions)
        .hasSize(2)
        .containsOnly("Store 1 item (1 created, 0 replaced)? [y/N] ");
    assertThat(call.run("schedules list -o name").out()).isEqualTo("report-all\n");
    call.on(new Call.FakeTerminal(false, 0));
    assertThat(call.run(line).err()).contains("Store 1 item (0 created, 1 replaced)?");
  }

  @Test
  void aNoteThatRepeatsIsSaidOnce() throws IOException {
    Path mails = write("mails.crontab", "MAILTO=ops\n0 1 * * * a\n0 2 * * * b\n");
    Result result = call.run("import crontab " + mails + " --queue work");
    assertThat(result.err()).contains(mails + ": 2 items: ").endsWith("\n2 converted\n");
  }

  @Test
  void applyReadsWhatImportPrints() throws IOException {
    Result printed = call.run("import crontab " + crontab + " --queue work --partial -o yaml");
    Path file = write("converted.yaml", printed.out());
    Result applied = call.run("apply -f " + file + " --yes");
    assertThat(applied.code()).as(applied.err()).isZero();
    assertThat(call.run("schedules list -o name").out()).isEqualTo("report-all\n");
    assertThat(call.run("diff -f " + file).code()).isZero();
  }

  @Test
  void aRefusalOfTheServerIsNamedAndTheRestIsStored() throws IOException {
    Path never = write("never.crontab", "0 0 31 2 * never\n0 1 * * * daily\n");
    Result result = call.run("import crontab " + never + " --queue work --apply --yes");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .contains("/never: /trigger/expression: ")
        .contains("it never fires")
        .endsWith("1 stored, 1 not stored\n");
    assertThat(call.run("schedules list -o name").out()).isEqualTo("daily\n");
  }

  @Test
  void queuesOfOtherRegionsAndAccountsAreAllowedLocally() throws IOException {
    Path orders =
        write(
            "orders.json",
            """
            {"Name": "orders", "ScheduleExpression": "rate(1 day)", "State": "ENABLED",
             "Target": {"Arn": "arn:aws:sqs:eu-west-1:123456789012:orders", "Input": "{}"}}
            """);
    Result result = call.run("import eventbridge " + orders + " --apply --yes");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(call.run("schedules launch orders -o name").code()).isZero();

    Path scan = Path.of("src/test/resources/import/bridge/scan.json");
    Result bridge = call.run("import bridge " + scan + " --apply --yes --partial");
    assertThat(bridge.code()).as(bridge.err()).isZero();
    assertThat(bridge.err()).doesNotContain("not stored:");
  }

  @Test
  void startAndEndDatesAreStoredAsACalendar() throws IOException {
    Path season =
        write(
            "season.json",
            """
            {"Name": "season", "ScheduleExpression": "rate(1 day)", "State": "ENABLED",
             "StartDate": "2089-12-01T08:00:00Z", "EndDate": "2090-01-01T00:00:00Z",
             "Target": {"Arn": "arn:aws:lambda:eu-west-1:1:function:f"}}
            """);
    Result printed = call.run("import eventbridge " + season + " --queue work -o yaml");
    Path file = write("season.yaml", printed.out());
    Result plan = call.run("apply -f " + file + " --yes");
    assertThat(plan.code()).as(plan.err()).isZero();
    assertThat(plan.out()).contains("+ create calendar import-", "/season-dates\n");
    assertThat(call.run("diff -f " + file).code()).isZero();
    Path other = write("other.yaml", printed.out().replace("season", "other"));
    assertThat(call.run("diff -f " + file + " " + other).code()).isEqualTo(2);

    Result result = call.run("import eventbridge " + season + " --queue work --apply --yes");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(call.run("calendars list -o name").out()).isEqualTo("season-dates\n");
    assertThat(call.run("schedules show season -o json").out())
        .contains("\"nextFire\" : \"2089-12-01T08:00:00");
  }

  @Test
  void faultsOfFilesAreOneLine() throws IOException {
    Path broken = write("broken.json", "{\n  \"Rules\": [,]\n}");
    Result result = call.run("import eventbridge " + broken);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).startsWith("carillon: " + broken + ":2: ").hasLineCount(1);

    assertThat(call.run("import crontab " + folder.resolve("missing")).err())
        .isEqualTo(
            "carillon: "
                + folder.resolve("missing")
                + ": it cannot be read; name an existing file that you can read\n");
    assertThat(call.run("import cobol " + broken).code()).isEqualTo(64);
    assertThat(call.run("import crontab").code()).isEqualTo(64);
  }

  @Test
  void aLineOfAnExportThatIsNoneIsLeftOut() throws IOException {
    Path lines =
        write(
            "lines.ndjson",
            """
            {"kind": "schedule", "namespace": "x", "name": "y"}
            {"kind": "queue", "namespace": "x", "name": "y", "document": {}}
            not JSON

            {"kind": "schedule", "namespace": "x", "name": "y", "document": {"state": "COMPLETED"}}
            """);
    Result result = call.run("import carillon " + lines + " --apply --yes");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .contains(lines + ":1: left out: a line: \"document\" is missing; give an object")
        .contains(lines + ":2: left out: a line: \"kind\" is \"queue\"")
        .contains(lines + ":3: left out: a line: the JSON is not a JsonNode")
        .contains(lines + ":5: left out: schedule x/y: it is COMPLETED");
  }

  @Test
  void printedDocumentsHaveNoSuspensionsAndThatIsSaid() throws IOException {
    Path lines =
        write(
            "lines.ndjson",
            """
            {"kind": "schedule", "namespace": "x", "name": "a", "document": {"trigger": {"type": "manual"}, "target": {"queue": "work", "template": "x"}, "state": "SUSPENDED"}, "suspended": {"mode": "hold", "reason": "cleaning", "until": null}}
            {"kind": "schedule", "namespace": "x", "name": "b", "document": {"trigger": {"type": "manual"}, "target": {"queue": "work", "template": "x"}, "state": "ACTIVE"}}
            """);
    Result printed = call.run("import carillon " + lines + " -o yaml");
    assertThat(printed.code()).isZero();
    assertThat(printed.out()).contains("state: SUSPENDED").doesNotContain("cleaning");
    assertThat(printed.err()).contains("only --apply stores 1 suspension (mode, reason and end)\n");
  }

  @Test
  void anExportKeepsThePhaseOfARateWithoutAnAnchor() throws IOException {
    String document =
        """
        {"kind": "schedule", "namespace": "NAMESPACE", "name": "r", "document": {"trigger": {"type": "or", "triggers": [{"type": "and", "triggers": [{"type": "rate", "every": "PT1H"}, {"type": "event", "key": "k"}]}, {"type": "rate", "every": "PT24H"}, {"type": "rate", "every": "PT24H", "anchor": "2026-01-01T00:00:00Z"}]}, "target": {"queue": "work", "template": "x"}, "state": "ACTIVE"}}
        """;
    String old = "import-phase";
    Path lines = write("lines.ndjson", document.replace("NAMESPACE", old));
    assertThat(call.in(old).run("import carillon " + lines + " --apply --yes").code()).isZero();
    JsonNode stored = Json.read(call.in(old).run("schedules show r -o json").out(), JsonNode.class);
    Instant since = Instant.parse(stored.path("generationSince").asText());

    String exported = call.in(old).run("export").out();
    JsonNode trigger = Json.read(exported.strip(), JsonNode.class).at("/document/trigger");
    assertThat(trigger.at("/triggers/0/triggers/0/anchor").asText()).isEqualTo(since.toString());
    assertThat(trigger.at("/triggers/1/anchor").asText()).isEqualTo(since.toString());
    assertThat(trigger.at("/triggers/2/anchor").asText()).isEqualTo("2026-01-01T00:00:00Z");

    String moved = exported.replace("\"" + old + "\"", "\"import-phase-2\"");
    Path file = write("moved.ndjson", moved);
    assertThat(call.run("import carillon " + file + " --apply --yes").code()).isZero();
    assertThat(call.in("import-phase-2").run("export").out()).isEqualTo(moved);
  }

  @Test
  void anEndedSuspensionIsOverAndAnExpiredGaugeIsNotStored() throws IOException {
    String namespace = "import-ended";
    Path lines =
        write(
            "lines.ndjson",
            """
            {"kind": "schedule", "namespace": "import-ended", "name": "a", "document": {"trigger": {"type": "manual"}, "target": {"queue": "work", "template": "x"}, "state": "SUSPENDED"}, "suspended": {"mode": "hold", "reason": null, "until": "2020-01-01T00:00:00Z"}}
            {"kind": "resource", "namespace": "import-ended", "name": "disk", "document": {"value": 1, "expiresAt": "2020-01-01T00:00:00Z"}}
            """);
    Result result = call.run("import carillon " + lines + " --apply --yes");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .contains("not stored: resource import-ended/disk: its value has expired");
    assertThat(call.in(namespace).run("schedules list -o json").out()).contains("\"ACTIVE\"");
  }
}
