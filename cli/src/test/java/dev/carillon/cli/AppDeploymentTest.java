package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A deployment deletes only the schedules that the user wants to lose. */
@Timeout(600)
class AppDeploymentTest extends EngineCommands {

  private static final String NONE = "programs: [exporter]\nschedules: {}\n";

  @BeforeEach
  void deploy() throws IOException {
    Path file = write("programs: [exporter]\nschedules:\n  nightly:\n" + YEARLY.indent(4));
    good("apps deploy exports " + file);
  }

  private Path write(String app) throws IOException {
    return Files.writeString(directory.resolve("app.yaml"), app);
  }

  private void assertDeployed(String... schedules) {
    assertThat(good("schedules list -o name").lines()).containsExactly(schedules);
  }

  @Test
  void aFileThatDoesNotUpdateSchedulesDeletesNone() throws IOException {
    good("apps deploy exports " + write(NONE + "updateSchedules: false\n"));
    assertDeployed("nightly");
  }

  @Test
  void schedulesAreDeletedOnlyAfterAQuestion() throws IOException {
    Path file = write(NONE);
    Result unasked = call.run("apps deploy exports " + file);
    assertThat(unasked.code()).isEqualTo(1);
    assertThat(unasked.err()).contains("nightly", "--yes");
    assertDeployed("nightly");

    FakeTerminal screen = new FakeTerminal(true, 0, "no", "yes");
    call.on(screen);
    assertThat(call.run("apps deploy exports " + file).code()).isEqualTo(1);
    assertDeployed("nightly");
    good("apps deploy exports " + file);
    assertDeployed();
    assertThat(screen.questions)
        .containsOnly("Deploy the app exports, and delete its schedules nightly? [y/N] ");
  }

  @Test
  void withYesSchedulesAreDeletedWithoutAQuestion() throws IOException {
    good("apps deploy exports " + write(NONE) + " --yes");
    assertDeployed();
  }

  @Test
  void aScheduleThatIsNoObjectIsAFaultOfTheFile() throws IOException {
    Path file = write("programs: [exporter]\nschedules:\n  hourly: null\n  a/b: [1]\n");
    Result refused = call.run("apps deploy exports " + file + " --yes");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains(file + ":3: /schedules/hourly: null is not the document of a schedule; give an")
        .contains(file + ":4: /schedules/a~1b: [1] is not the document of a schedule; give an");
    assertDeployed("nightly");
  }

  @Test
  void aProgramThatIsNoStringIsAFaultOfTheFile() throws IOException {
    Path file = write("schedules: {}\nprograms:\n- exporter\n- 2030\n- null\n");
    Result refused = call.run("apps deploy exports " + file + " --yes");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains(file + ":4: /programs/1: 2030 is not a string; write the name in quotes")
        .contains(file + ":5: /programs/2: null is not a string; write the name in quotes");
    assertDeployed("nightly");
  }

  @Test
  void aFileWithMembersThatAnAppDoesNotHaveIsRefused() throws IOException {
    Path file = write(NONE + "updateSchedule: false\na/b: 1\n");
    Result unknown = call.run("apps deploy exports " + file + " --yes");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err())
        .contains(file + ":3: /updateSchedule: an app has no such member")
        .contains(file + ":4: /a~1b: an app has no such member");

    write(NONE + "updateSchedules: never\n");
    assertThat(call.run("apps deploy exports " + file + " --yes").err())
        .contains(file + ":3: /updateSchedules: \"never\" is neither true nor false");
    assertDeployed("nightly");
  }
}
