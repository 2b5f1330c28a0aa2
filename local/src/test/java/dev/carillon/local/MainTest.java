package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.command.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "local --unknown",
        "local --port",
        "local --port x",
        "local --data d --in-memory",
        "local surplus",
        "simulate"
      })
  void wrongUsageEndsWith64(String line) {
    assertThat(Main.execute(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "local --prot 8081 | there is no option --prot; give one of --port, --sqs-port,",
        "local --port abc | 'abc' is not a value of --port; give a whole number",
        "local surplus | 'surplus' is an unexpected argument",
        "simulate -o jsn x | 'jsn' is not a value of --output; give one of table, wide, json, yaml",
        "locl | there is no command 'locl'; give one of local, demo, simulate"
      })
  void wrongWordsAreNamedWithRightOnes(String line, String said) {
    StringWriter err = new StringWriter();
    int code = Main.commandLine().setErr(new PrintWriter(err)).execute(line.split(" "));
    assertThat(code).isEqualTo(64);
    assertThat(err.toString()).startsWith("carillon: " + said).contains("--help").hasLineCount(2);
  }

  @Test
  void anEmptyDirectoryIsNone() {
    assertThat(Main.execute("local", "--data", "")).isEqualTo(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "local --help", "simulate --help"})
  void helpEndsWithZero(String line) {
    assertThat(Main.execute(line.split(" "))).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "local --help", "simulate --help"})
  void aFileOfArgumentsIsNotRead(String words, @TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("words"), words);
    assertThat(Main.execute("@" + file)).isEqualTo(64);
    assertThat(Main.execute("local", "@" + file)).isEqualTo(64);
  }

  @Test
  void aTakenPortEndsWithOne() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      assertThat(Main.execute("local", "--port", port)).isEqualTo(1);
    }
  }

  @Test
  void aDataDirectoryInUseEndsWithOne(@TempDir Path directory) throws IOException {
    try (DataDirectory taken = DataDirectory.take(directory)) {
      assertThat(taken.database()).startsWithRaw(directory);
      assertThat(Main.execute("local", "--port", "0", "--data", directory.toString())).isEqualTo(1);
    }
  }
}
