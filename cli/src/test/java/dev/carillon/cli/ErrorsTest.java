package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An error is one or two lines, in the words of the command line, with what to do. */
@Timeout(600)
class ErrorsTest {

  private static final String DOCUMENT =
      """
      trigger: {type: cron, expression: "0 * * * * ?"}
      target: {queue: work, template: x}
      """;

  @TempDir private Path folder;
  private Call call;

  @BeforeEach
  void connect() throws InterruptedException {
    call = Call.to(Engine.shared().http()).in("errors");
  }

  private Result failed(int code, String line) {
    Result result = call.run(line);
    assertThat(result.code()).as(result.err()).isEqualTo(code);
    assertThat(result.err()).startsWith("carillon: ").doesNotContain("java.", "Exception");
    assertThat(result.err().lines()).hasSizeLessThanOrEqualTo(2);
    return result;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "import cron file | 'cron' is not a KIND; give one of crontab, eventbridge, | did you mean cronjob or crontab?",
        "import quarz file | 'quarz' is not a KIND | did you mean quartz?",
        "schedules list --state HAPPY | 'HAPPY' is not a value of --state; give one of ACTIVE, | --help",
        "schedules list -o jsn | 'jsn' is not a value of --output; give one of table, | did you mean json?",
        "resources put disk abc | 'abc' is not a VALUE; give a number | --help",
        "resources put disk 1 --ttl long | 'long' is not a value of --ttl; give a duration like PT1H | --help",
        "schedules preview a --count many | 'many' is not a value of --count; give a whole number | --help",
        "schedules suspend a --mode drian | 'drian' is not a value of --mode; give one of discard, drain, backlog, hold | did you mean drain?",
        "locl | there is no command 'locl' | did you mean './carillon local' of a checkout?",
        "bnech | there is no command 'bnech' | did you mean './carillon bench' of a checkout?",
        "local | there is no command 'local' | did you mean './carillon local' of a checkout?",
        "polls list | there is no command 'polls' | did you mean pools?",
        "schedules apply -f x | there is no command 'apply' | did you mean 'carillon apply'?",
        "jobs diff | there is no command 'diff' | did you mean 'carillon diff'?"
      })
  void wrongWordsAreNamedWithRightOnes(String line, String what, String remedy) {
    assertThat(failed(64, line).err()).contains(what, remedy);
  }

  @ParameterizedTest
  @CsvSource({
    "schedules show absent, schedules list",
    "calendars show absent, calendars list",
    "pools show absent, pools list",
    "jobs cancel --schedule absent, 'carillon schedules list'",
    "jobs retry --schedule absent, 'carillon schedules list'",
    "jobs list absent, 'carillon schedules list'",
    "programs delete absent --yes, 'carillon programs list'",
    "apps show absent, 'carillon schedules list --app absent'",
    "jobs show default~absent~00001~0mmkk5o7k~mxlrlu, --namespace"
  })
  void whatIsNotFoundIsLookedForInTheList(String line, String remedy) {
    assertThat(failed(1, line).err()).contains("check the name and --namespace", remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jobs cancel | give the ids of jobs, or one of --schedule, --program and --link",
        "jobs retry --dry-run | give the ids of jobs, or one of --schedule, --program and --link",
        "jobs retry --schedule a --program b | give one of --schedule, --program and --link",
        "jobs retry j1 --dry-run | --dry-run and --state go with --schedule",
        "jobs list a --program b | give SCHEDULE or --program",
        "schedules launch t --priority 11 | --priority: 11 is not within 0 to 9",
        "schedules launch t --payload {'a' | --payload: '{'a'' is not JSON",
        "schedules suspend t --until foo | --until: 'foo' is not an instant",
        "events send | name a FILE with events, or give --type",
        "events send x.json --id a | --id and --payload go with --type",
        "events send --type a --payload 1 | --payload: '1' is not a JSON object",
        "apply -f x.yaml --prune | give --prune and --app NAME together",
        "status --url nowhere | 'nowhere' is not the URL of an API",
        "status --url http://localhost --stack a | give one of them"
      })
  void optionsThatDoNotFitAreWrongUsage(String line, String what) {
    assertThat(failed(64, line).err()).contains(what);
  }

  @Test
  void refusalsNameOptions() throws IOException {
    Path file = Files.writeString(folder.resolve("a.yaml"), DOCUMENT);
    assertThat(call.run("apply --yes -f " + file).code()).isZero();
    assertThat(failed(1, "schedules backfill a --from 2021-01-01 --to 2021-01-21").err())
        .contains("--confirm: the range has", "give --confirm to launch");
    assertThat(failed(1, "schedules backfill a --from 2022-01-01 --to 2021-01-01").err())
        .startsWith("carillon: --")
        .doesNotContain(" /");
  }

  @Test
  void aPayloadThatBeginsLikeJsonMustBeJson() {
    assertThat(call.run(List.of("schedules", "launch", "a", "--payload", "{bad")).err())
        .isEqualTo(
            "carillon: --payload: '{bad' is not JSON; quote its names, and close its brackets\n");
  }

  @Test
  void aTextThatIsNotWholeIsRefusedWithItsPlace() throws IOException {
    String fault = ": the text contains an unpaired surrogate, which is not a character; remove it";
    Path file =
        Files.writeString(
            folder.resolve("half.json"),
            "{\"trigger\": {\"type\": \"manual\"},\n\"target\": {\"queue\": \"work\", \"template\": \"\\ud800\"}}");

    assertThat(call.run("apply --yes -f " + file).err())
        .contains("half.json:2: /target/template" + fault + "\n");
    Files.writeString(file, Files.readString(file).replace("\\ud800", "x"));
    assertThat(call.run("apply --yes -f " + file).code()).isZero();
    assertThat(failed(1, "schedules launch half --payload \"\\udc00\"").err())
        .isEqualTo("carillon: --payload" + fault + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedules show a/b | 'a/b' is not a valid name",
        "schedules delete a%20b --yes | 'a%20b' is not a valid name",
        "schedules show .. | '..' is not a valid name",
        "calendars show a/b | 'a/b' is not a valid name",
        "pools show a/b | 'a/b' is not a valid name",
        "programs show a/b | 'a/b' is not a valid name",
        "resources show ä | 'ä' is not a valid name",
        "apps show a/b | 'a/b' is not a valid name"
      })
  void aNameThatNoObjectCanHaveIsRefusedWithTheRule(String line, String what) {
    assertThat(failed(1, line).err())
        .isEqualTo(
            "carillon: "
                + what.replace('\'', '"')
                + "; give 1 to 64 letters, digits, \".\", \"_\" or \"-\", but not only dots\n");
  }

  @Test
  void aNamespaceThatCannotExistIsWrongUsage() {
    String said =
        "carillon: \"bad ns\" is not a valid name of a namespace; give 1 to 32 letters, digits,"
            + " \"_\" or \"-\"\n";
    for (String line : List.of("schedules list", "apply -f absent", "export")) {
      Result result = call.in("bad ns").run(line);
      assertThat(result.err()).isEqualTo(said);
      assertThat(result.code()).isEqualTo(64);
    }
  }

  @Test
  void aFileHasOneDocument() throws IOException {
    Path two = Files.writeString(folder.resolve("two.yaml"), DOCUMENT + "---\n" + DOCUMENT);
    Result diff = call.run("diff -f " + two);
    assertThat(diff.err())
        .isEqualTo(
            "carillon: files have faults:\n"
                + two
                + ":4: a second document begins here; give one document or one list in"
                + " each file\n");
    assertThat(call.run("apply --yes -f " + two).err()).contains("nothing was changed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "apply --yes -f absent",
        "diff -f absent",
        "apps deploy a absent",
        "calendars put c absent",
        "events send absent",
        "import quartz absent",
        "pools put p absent",
        "simulate absent"
      })
  void aFileThatIsAbsentIsNamedWithoutALine(String line) {
    Result result = call.run(line);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().replace("carillon: ", "").lines())
        .last()
        .isEqualTo("absent: it cannot be read; name an existing file that you can read");
  }

  @Test
  void aContextThatIsNotThereIsAddedToAFile() {
    Result result = call.home(folder).run("context use prod");
    assertThat(result.err())
        .contains("there is no context 'prod', but local")
        .contains("add it to " + folder.resolve(".config/carillon/config.yaml"));
  }

  @Test
  void aFaultWithoutAPlaceHasNoColonBeforeIt() throws IOException {
    String whole =
        "{\"detail\": \"d\", \"errors\": [{\"pointer\": \"\", \"detail\": \"the body is none\"}]}";
    try (Stub stub = new Stub().answers(400, whole)) {
      assertThat(Call.to(stub.uri()).run("schedules resume a").err())
          .isEqualTo("carillon: the body is none\n");
    }
  }

  @Test
  void theOtherSchedulesAreDeletedIfOneIsMissing() throws IOException {
    for (String name : List.of("x", "y")) {
      Path file = Files.writeString(folder.resolve(name + ".yaml"), DOCUMENT);
      assertThat(call.in("errors-delete").run("apply --yes -f " + file).code()).isZero();
    }
    Result result = call.run("schedules delete x missing y --yes");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .contains("deleted errors-delete/x", "there is no schedule errors-delete/missing")
        .contains("deleted errors-delete/y");
    assertThat(call.run("schedules list -o name").out()).isEmpty();
  }
}
