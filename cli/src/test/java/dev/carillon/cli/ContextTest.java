package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A context is made the current one in configuration files of any form. */
class ContextTest {

  private static final String CONTEXTS = "contexts:\n  prod: {stack: carillon}\n";

  @TempDir private Path home;
  private Path file;
  private Call call;

  @BeforeEach
  void configure() {
    file = home.resolve("config.yaml");
    call = new Call().with("CARILLON_CONFIG", file.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "---\n",
        "# Mine.\n\n---\n",
        "%YAML 1.2\n--- # all of them\n",
        "---\r\n",
        "---\ncurrent: local\n",
        "current: local # for now\n",
        ""
      })
  void theOtherContextsStayBesideTheCurrentOne(String beginning) throws IOException {
    Files.writeString(file, beginning + CONTEXTS);
    assertThat(call.run("context use prod").err()).isEqualTo("the context is now prod\n");
    assertThat(call.run("context show -o name").lines()).containsExactly("prod");
    assertThat(call.run("context list -o name").lines()).containsExactly("local", "prod");
    assertThat(file).content().endsWith(CONTEXTS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{contexts: {prod: {stack: carillon}}}\n",
        "--- {contexts: {prod: {stack: carillon}}}\n",
        "{\ncurrent: local,\ncontexts: {prod: {stack: carillon}}}\n",
        "current:\n  local\ncontexts: {prod: {stack: carillon}}\n"
      })
  void aFileThatTheLineDoesNotFitStaysAsItIs(String content) throws IOException {
    Files.writeString(file, content);
    Result result = call.run("context use prod");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .startsWith("carillon: " + file + ": the line 'current: \"prod\"' does not fit into it; ")
        .hasLineCount(1);
    assertThat(file).hasContent(content);
  }

  @Test
  void theFirstUseWritesTheFile() {
    assertThat(call.run("context use local").code()).isZero();
    assertThat(file).hasContent("current: \"local\"\n");
  }
}
