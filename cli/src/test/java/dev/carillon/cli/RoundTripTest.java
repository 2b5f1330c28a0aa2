package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.schedule.Json;
import dev.carillon.exports.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code export} writes, {@code import} stores again whole. */
class RoundTripTest {

  private static final long SEED = 20261123;

  private static String url;

  @TempDir private Path folder;

  @BeforeAll
  static void startEngine() throws InterruptedException {
    url = Engine.shared().http().toString();
  }

  private static Call.Result run(String line) {
    return Call.to(url).run(line);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String lines(List<Entry> entries) {
    return entries.stream().map(it -> Json.write(it.json()) + "\n").collect(Collectors.joining());
  }

  @Test
  void documentsComeBackEqual() throws IOException {
    // Of the generated apps, those are exported that a schedule names.
    assertThat(comeBackEqual("few", 30, 20)).isBetween(120, 130);
  }

  @Test
  @Tag("proof")
  void aThousandDocumentsComeBackEqual() throws IOException {
    assertThat(comeBackEqual("many", 600, 400)).isEqualTo(1_080);
  }

  /** Moves documents of two namespaces to two others, and returns how many entries they have. */
  private int comeBackEqual(String name, int one, int other) throws IOException {
    String a = name + "-a";
    String b = name + "-b";
    String c = name + "-c";
    String d = name + "-d";
    List<Entry> generated = Generated.of(SEED, a, one);
    generated.addAll(Generated.of(SEED + 1, b, other));
    int entries = generated.size();
    // Shuffled by name, so that the import must find the order itself.
    String given = lines(generated).lines().sorted().collect(Collectors.joining("\n"));

    Call.Result stored = run("import carillon " + file("given.ndjson", given) + " --apply --yes");
    assertThat(stored.err()).endsWith(entries + " stored\n");
    assertThat(stored.code()).isZero();

    Call.Result first = run("export " + a + " " + b);
    assertThat(first.err())
        .isEqualTo("exported %d entries of %s, %s\n".formatted(first.lines().size(), a, b));
    String moved =
        first
            .out()
            .replace("\"" + a + "\"", "\"" + c + "\"")
            .replace("\"" + b + "\"", "\"" + d + "\"");
    Path file = file("moved.ndjson", moved);
    assertThat(run("import carillon " + file + " --apply --yes").code()).isZero();

    assertThat(run("export " + c + " " + d).out()).isEqualTo(moved);
    // A repetition changes nothing.
    assertThat(run("import carillon " + file + " --apply --yes").code()).isZero();
    assertThat(run("export " + c + " " + d).out()).isEqualTo(moved);
    return first.lines().size();
  }
}
