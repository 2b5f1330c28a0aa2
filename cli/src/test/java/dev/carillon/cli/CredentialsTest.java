package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.connection.Connection;
import dev.carillon.cli.connection.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The region and the credentials that sign a request. */
@DisabledIfEnvironmentVariable(
    named = "AWS_ACCESS_KEY_ID",
    matches = ".+",
    disabledReason = "these credentials would precede those of profiles")
class CredentialsTest {

  private static final String PROFILES =
      """
      [profile sales]
      aws_access_key_id = SALES
      aws_secret_access_key = secret
      [profile ops]
      aws_access_key_id = OPS
      aws_secret_access_key = secret
      region = eu-north-1
      """;

  private static final String CONTEXTS =
      """
      current: prod
      contexts:
        prod: {stack: carillon, region: eu-west-1, profile: sales}
        own: {stack: carillon, profile: ops}
      """;

  @TempDir private Path directory;
  private final Map<String, String> before = new HashMap<>();
  private Stub formation;
  private Call call;

  @BeforeEach
  void configure() throws IOException {
    String profiles = Files.writeString(directory.resolve("aws"), PROFILES).toString();
    set("aws.configFile", profiles);
    set("aws.sharedCredentialsFile", directory.resolve("none").toString());
    set("aws.accessKeyId", "");
    set("aws.secretAccessKey", "");
    formation = new Stub().answers(400, "<Message>no stack</Message>");
    Path contexts = Files.writeString(directory.resolve("config.yaml"), CONTEXTS);
    call =
        new Call()
            .with("CARILLON_CONFIG", contexts.toString())
            .with("AWS_ENDPOINT_URL_CLOUDFORMATION", formation.uri().toString());
  }

  @AfterEach
  void restore() {
    formation.close();
    before.forEach(CredentialsTest::put);
  }

  private void set(String property, String value) {
    before.putIfAbsent(property, System.getProperty(property, ""));
    put(property, value);
  }

  private static void put(String property, String value) {
    if (value.isEmpty()) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  /** The SDK finds credentials in properties as it finds those in variables. */
  private void setKeys() {
    set("aws.accessKeyId", "KEYS");
    set("aws.secretAccessKey", "secret");
  }

  private void assertSigned(String line, String key, String region) {
    call.run(line);
    assertThat(formation.authorization).contains("=" + key + "/").contains("/" + region + "/");
  }

  @Test
  void variablesPrecedeTheContextAndOptionsPrecedeVariables() {
    assertSigned("status", "SALES", "eu-west-1");
    call.with("AWS_PROFILE", "ops").with("AWS_REGION", "us-east-1");
    assertSigned("status", "OPS", "us-east-1");
    assertThat(call.run("context show -o json").out()).contains("\"ops\"", "\"us-east-1\"");
    assertSigned("status --profile sales --region eu-west-3", "SALES", "eu-west-3");
    call.with("AWS_PROFILE", "").with("AWS_REGION", "");
    assertSigned("status", "SALES", "eu-west-1");
  }

  @Test
  void theRegionIsThatOfTheProfileIfNothingElseNamesOne() {
    assertSigned("status --context own", "OPS", "eu-north-1");
  }

  @Test
  void keysPrecedeTheProfileOfTheVariableOnly() {
    setKeys();
    assertSigned("status", "SALES", "eu-west-1");
    call.with("AWS_PROFILE", "ops");
    assertSigned("status", "KEYS", "eu-west-1");
    assertSigned("status --profile ops", "OPS", "eu-west-1");
    assertSigned("status --stack other --context local --region eu-west-2", "KEYS", "eu-west-2");
  }

  @Test
  void theAddressOfAnApiNamesItsRegion() {
    String url = "https://abc.execute-api.eu-west-1.amazonaws.com/live";
    Settings settings = new Settings(url, null, "us-east-1", null, null);
    assertThat(Connection.of(settings, true, Map.of()).region()).isEqualTo("eu-west-1");
  }
}
