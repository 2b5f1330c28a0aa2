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
  void aThousandDocumentsComeBackEqual() throws IOException {
    List<Entry> generated = Generated.of(SEED, "trip-a", 600);
    generated.addAll(Generated.of(SEED + 1, "trip-b", 400));
    // Shuffled by name, so that the import must find the order itself.
    String given = lines(generated).lines().sorted().collect(Collectors.joining("\n"));

    Call.Result stored = run("import carillon " + file("given.ndjson", given) + " --apply");
    assertThat(stored.err()).endsWith("1060 entries to store, 0 not stored or left out\n");
    assertThat(stored.code()).isZero();

    Call.Result first = run("export trip-a trip-b");
    assertThat(first.err()).isEqualTo("exported 1060 entries of trip-a, trip-b\n");
    String moved =
        first.out().replace("\"trip-a\"", "\"trip-c\"").replace("\"trip-b\"", "\"trip-d\"");
    Path file = file("moved.ndjson", moved);
    assertThat(run("import carillon " + file + " --apply").code()).isZero();

    assertThat(run("export trip-c trip-d").out()).isEqualTo(moved);
    // A repetition changes nothing.
    assertThat(run("import carillon " + file + " --apply").code()).isZero();
    assertThat(run("export trip-c trip-d").out()).isEqualTo(moved);
  }
}
