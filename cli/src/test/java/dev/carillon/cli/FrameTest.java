package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where commands go, and what they say when something is wrong; with recorded answers. */
class FrameTest {

  private static final String NONE = "{\"schedules\": [], \"next\": null}";

  private static final String DOCUMENT =
      "trigger: {type: manual}\ntarget: {queue: work, template: {}}\n";

  private static final String STORED =
      """
      {"namespace": "default", "name": "b", "generation": 1, "etag": "1", "state": "SUSPENDED",
       "createdAt": "2030-01-01T00:00:00.000Z", "createdBy": "ann",
       "updatedAt": "2030-01-01T00:00:00.000Z", "schedule": {"trigger": {"type": "manual"}}}
      """;

  private Stub stub;

  @BeforeEach
  void start() throws IOException {
    stub = new Stub().answers(200, NONE);
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shedules list | did you mean schedules?",
        "schedules lits | did you mean list?",
        "schedules list --sate ACTIVE | did you mean --state",
        "schedules list --state HAPPY | --state",
        "schedules | carillon schedules",
        "schedules show | NAME",
        "jobs show | JOB",
      })
  void wrongUsageNamesTheRightOne(String line, String said) {
    Result result = Call.to(stub.uri()).run(line);

    assertThat(result.code()).isEqualTo(64);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("carillon: ").contains(said).contains("--help");
    assertThat(result.err().lines()).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void helpIsDataAndListsTheCommands() {
    Result help = Call.to(stub.uri()).run("--help");
    assertThat(help.code()).isZero();
    assertThat(help.out()).contains("schedules", "pools", "apply", "doctor");
    assertThat(Call.to(stub.uri()).run("schedules list --help").out()).contains("--namespace");
    assertThat(Call.to(stub.uri()).run("--version").out()).startsWith("carillon ");
  }

  /** It is no value of the option before it, either. */
  @ParameterizedTest
  @CsvSource({
    "schedules suspend a --reason --help, Expected parameter for option '--reason'",
    "schedules suspend a --reason -h, Expected parameter for option '--reason'",
    "schedules show --help, Usage: carillon schedules show",
    "schedules list -o json -h, Usage: carillon schedules list",
    "schedules --help, Usage: carillon schedules",
    "apply -h, Usage: carillon apply",
    "import --version, carillon of a build directory"
  })
  void helpIsSaidWithoutACall(String line, String said) {
    Result result = Call.to(stub.uri()).run(line);
    assertThat(result.out() + result.err()).contains(said);
    assertThat(stub.requests).isEmpty();
  }

  @Test
  void theHelpRenderedInAdvanceIsThatOfTheCommands() throws IOException {
    FakeTerminal screen = new FakeTerminal(true, 0);
    String rendered = new Call().on(screen).run("-h").out();
    if (System.getProperty("cli.help", "").equals("write")) {
      Files.writeString(Path.of("src/main/resources/dev/carillon/cli/help.txt"), rendered);
    }
    assertThat(new Call().on(screen).run("--help").out())
        .as("write it by: mvn -pl cli -am test -Dtest=FrameTest -Dcli.help=write")
        .isEqualTo(rendered)
        .contains("\u001B[");
    assertThat(new Call().run("--help").out()).isEqualTo(new Call().run("-h").out());
  }

  @Test
  void withoutAnEngineItSaysHowToStartOne() {
    URI absent = stub.uri();
    stub.close();
    Result result = Call.to(absent).run("schedules list");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().lines())
        .containsExactly(
            "carillon: no answer from " + absent,
            "  start an engine by './carillon local', or name a deployment by --stack or --url");
  }

  @Test
  void aStackTraceIsShownOnlyOnRequest() {
    stub.close();
    assertThat(Call.to(stub.uri()).run("schedules list").err()).doesNotContain("\tat ");
    assertThat(Call.to(stub.uri()).run("schedules list --verbose").err()).contains("\tat ");
  }

  @Test
  void aDenialNamesActionAndResource() throws IOException {
    try (Stub denying = new Stub().answers(403, "{\"message\": \"Forbidden\"}")) {
      Result result = Call.to(denying.uri()).run("schedules show a");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("not allowed: GET /v1/namespaces/default/schedules/a: Forbidden")
          .contains("execute-api:Invoke on arn:aws:execute-api:REGION:ACCOUNT:API/live/GET/v1/");
    }
  }

  @Test
  void aRequestWithoutCredentialsIsRefusedOnce() throws IOException {
    try (Stub refusing = new Stub().answers(401, "{\"message\": \"Unauthorized\"}")) {
      Result result = Call.to(refusing.uri()).run("schedules resume a");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("not allowed: POST /v1/namespaces/default/schedules/a/resume");
      assertThat(refusing.requests).hasSize(1);
    }
  }

  @Test
  void anotherServiceAtTheAddressIsSaidToBeSo() throws IOException {
    try (Stub other = new Stub().answers(200, "<html>")) {
      assertThat(Call.to(other.uri()).run("status").err()).contains("another service answers");
    }
  }

  @Test
  void aStoredScheduleThatCannotBeReadIsNamedAndTheOthersArePlanned(@TempDir Path files)
      throws IOException {
    Files.writeString(files.resolve("a.yaml"), DOCUMENT);
    Files.writeString(files.resolve("b.yaml"), DOCUMENT);
    try (Stub partly =
        new Stub()
            .answers(500, "{\"detail\": \"the stored item has no trigger\"}")
            .answers(404, "{\"detail\": \"there is no schedule b\"}")
            .answers(200, STORED)) {
      Result result = Call.to(partly.uri()).run("apply --dry-run -f " + files);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).contains("+ create default/b").doesNotContain("default/a");
      assertThat(result.err())
          .contains("a.yaml:1: the stored schedule default/a cannot be read")
          .contains("the stored item has no trigger", "1 to create");
      assertThat(partly.requests).hasSize(3);
    }
  }

  @Test
  void aBusyServiceSaysWhenToTryAgain() throws IOException {
    try (Stub busy = new Stub().answers(503, "{\"detail\": \"busy\"}")) {
      assertThat(Call.to(busy.uri()).run("status").err()).contains("busy").contains("in 1 s");
    }
  }

  @Test
  void optionsPrecedeVariablesAndTheContext(@TempDir Path home) throws IOException {
    config(
        home,
        """
        # Mine.
        current: there
        contexts:
          there: {url: "%s", namespace: sales}
        """
            .formatted(stub.uri()));
    Call call = new Call().home(home);

    call.run("schedules list");
    assertThat(stub.requests).last().asString().contains("/namespaces/sales/");
    call.in("team").run("schedules list");
    assertThat(stub.requests).last().asString().contains("/namespaces/team/");
    call.run("schedules list -n other");
    assertThat(stub.requests).last().asString().contains("/namespaces/other/");
    call.run("-n before schedules list");
    assertThat(stub.requests).last().asString().contains("/namespaces/before/");
  }

  @Test
  void aContextIsUsedListedAndShown(@TempDir Path home) throws IOException {
    Path file = config(home, "# Mine.\ncontexts:\n  prod: {stack: carillon, region: eu-west-1}\n");
    Call call = new Call().home(home);

    assertThat(call.run("context list").lines())
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).matches("local +\\* +http://localhost:8080 *"))
        .anySatisfy(line -> assertThat(line).matches("prod +stack carillon +eu-west-1 *"));
    assertThat(call.run("context use prod").code()).isZero();
    assertThat(file).content().contains("# Mine.").contains("current: \"prod\"");
    assertThat(call.run("context show").out()).contains("carillon").contains("eu-west-1");
    assertThat(call.run("context use local").code()).isZero();
    assertThat(file).content().contains("current: \"local\"").doesNotContain("\"prod\"");
    assertThat(call.run("context use absent").err()).contains("no context 'absent'", "prod");
    assertThat(call.run("context show --context prod -o name").lines()).containsExactly("prod");
  }

  private static Path config(Path home, String text) throws IOException {
    Path file = home.resolve(".config/carillon/config.yaml");
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void aFaultOfTheConfigurationIsNamed(@TempDir Path home) throws IOException {
    config(home, "current: a\nkontexts: {}\n");
    Result result = new Call().home(home).run("status");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("config.yaml: ", "kontexts", "contexts: {NAME");
  }

  @ParameterizedTest
  @CsvSource({"nowhere, not the URL", "ftp://host, not the URL", "http://, not the URL"})
  void anAddressThatIsNoneIsRefused(String url, String said) {
    assertThat(Call.to(url).run("status").err()).contains(said).contains("http://localhost:8080");
  }

  @Test
  void aStackIsFoundByItsOutput() throws IOException {
    String outputs =
        """
        <DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
          <DescribeStacksResult><Stacks><member><Outputs>
            <member><OutputKey>Tables</OutputKey><OutputValue>a,b</OutputValue></member>
            <member><OutputKey>ApiUrl</OutputKey><OutputValue>%s</OutputValue></member>
          </Outputs></member></Stacks></DescribeStacksResult>
        </DescribeStacksResponse>
        """
            .formatted(stub.uri());
    try (Stub formation = new Stub().answers(200, outputs)) {
      Result result = stack(formation).run("schedules list --stack prod --region eu-west-1");

      assertThat(result.err()).isEqualTo("none in namespace default\n");
      assertThat(formation.requests.get(0)).contains("Action=DescribeStacks", "StackName=prod");
      assertThat(formation.authorization).contains("/eu-west-1/cloudformation/aws4_request");
      assertThat(stub.authorization).contains("/eu-west-1/execute-api/aws4_request");
    }
  }

  @Test
  void aStackThatCannotBeReadIsNamed() throws IOException {
    String error =
        "<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id prod does not"
            + " exist</Message></Error></ErrorResponse>";
    try (Stub formation = new Stub().answers(400, error)) {
      Result result = stack(formation).run("status --stack prod --region eu-west-1");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("stack prod", "eu-west-1", "does not exist", "cloudformation:DescribeStacks");
    }
  }

  @Test
  void aStackOfSomethingElseIsRefused() throws IOException {
    try (Stub formation = new Stub().answers(200, "<DescribeStacksResponse/>")) {
      assertThat(stack(formation).run("status --stack prod --region eu-west-1").err())
          .contains("no output ApiUrl");
    }
  }

  /** The SDK reads its credentials from system properties. */
  private static Call stack(Stub formation) {
    System.setProperty("aws.accessKeyId", "AKIDEXAMPLE");
    System.setProperty("aws.secretAccessKey", "secret");
    return new Call().with("AWS_ENDPOINT_URL_CLOUDFORMATION", formation.uri().toString());
  }

  @Test
  void aUrlAndAStackExcludeEachOther() {
    assertThat(Call.to(stub.uri()).run("status --url http://localhost --stack a").err())
        .contains("give one of them");
  }

  @Test
  void completionIsAScriptForBothShells() {
    assertThat(new Call().run("completion bash").out()).contains("schedules").contains("complete ");
    assertThat(new Call().run("completion zsh").out()).contains("compinit");
    assertThat(new Call().run("completion fish").code()).isEqualTo(64);
  }
}
