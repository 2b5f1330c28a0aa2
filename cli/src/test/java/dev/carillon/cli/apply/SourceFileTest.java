package dev.carillon.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a:\\n  b: */5 * * * * | 2: column 7: while scanning an alias: unexpected character found /(47); put the value in quotes",
        "a: !x!y z | 1: column 4: while parsing a node: found undefined tag handle !x!; put the value in quotes",
        "a: @daily | 1: column 4: while scanning for the next token: found character '@' that cannot start any token. (Do not use @ for indentation); put the value in quotes",
        "a: {b: ${jobId}} | 1: column 9: while parsing a flow mapping: expected ',' or '}', but got {; put the value in quotes",
        "a: [${jobId}] | 1: column 6: while parsing a flow sequence: expected ',' or ']', but got {; put the value in quotes",
        "a: [1 | 1: column 6: while parsing a flow sequence: expected ',' or ']', but got <stream end>",
        "a: b: c | 1: column 5: mapping values are not allowed here",
        "a:\\n\\tb: 1 | 2: column 1: while scanning for the next token: found character '\\\\t(TAB)' that cannot start any token. (Do not use \\\\t(TAB) for indentation); use spaces instead of tabs"
      })
  void aFaultOfTheSyntaxIsNamedWithItsPlaceAndARemedy(String text, String fault)
      throws IOException {
    Path file = write("a.yaml", text.translateEscapes());

    assertThatThrownBy(() -> SourceFile.read(file))
        .isInstanceOf(FaultyFiles.class)
        .hasMessage(file + ":" + fault.translateEscapes());
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
