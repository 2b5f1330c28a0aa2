package dev.carillon.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file says is read as it is written, or refused. */
class SourceFileTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: &x 7\nb: *x\n", "a: &x {c: 1}\nb: [1, *x]\n"})
  void anAliasIsRefusedWithItsLine(String text) throws IOException {
    Path file = write("a.yaml", text);

    assertThatThrownBy(() -> SourceFile.read(file))
        .isInstanceOf(FaultyFiles.class)
        .hasMessageStartingWith(file + ":2: ")
        .hasMessageEndingWith("the alias *x is not supported; write the value itself");
  }

  @Test
  void aStarInAStringIsNoAlias() throws IOException {
    assertThat(SourceFile.read(write("a.yaml", "a: '*x'\n")).tree().path("a").asText())
        .isEqualTo("*x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.yaml", "a.json"})
  void aNumberKeepsItsZeroes(String name) throws IOException {
    assertThat(SourceFile.read(write(name, "{\"a\": 1.50}")).tree().path("a").decimalValue())
        .hasToString("1.50");
  }
}
