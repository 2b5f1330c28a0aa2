package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of pages, in their order, on a local engine; each page has a namespace. */
@Timeout(600)
class PageTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern JOB = Pattern.compile("[\\w.-]+~[\\w.~-]+");
  private static final Pattern BACKFILL = Pattern.compile("(?m)^Backfill +(\\w+)$");

  /** What other tests run, because it takes an engine of its own. */
  private static final Set<String> OF_THE_ENGINE = Set.of("local", "demo", "bench");

  /** They end with 1 or 2 if they find something. */
  private static final Set<String> FINDERS = Set.of("status", "doctor", "diff");

  @TempDir private Path directory;
  private String job = "JOB_ID";
  private String backfill = "BACKFILL_ID";

  @ParameterizedTest
  @ValueSource(strings = {"docs/cli.md", "README.md", "docs/guide/five-minutes.md"})
  void eachExampleOfThePageRuns(String page) throws IOException, InterruptedException {
    Call call = Call.to(Engine.shared().http()).in(page.replaceAll("\\W", "-"));
    call.with("CARILLON_CONFIG", directory.resolve("config.yaml").toString());
    List<MatchResult> blocks =
        BLOCK.matcher(Files.readString(ROOT.resolve(page))).results().toList();
    assertThat(blocks).hasSizeGreaterThan(4);
    for (MatchResult block : blocks) {
      if (block.group(1).equals("yaml") && block.group(2).startsWith("# ")) {
        write(block.group(2));
      } else if (block.group(1).equals("sh")) {
        block.group(2).lines().forEach(line -> run(call, line));
      }
    }
    assertThat(job).isNotEqualTo("JOB_ID");
  }

  private void write(String text) {
    Path file = directory.resolve(text.lines().findFirst().orElseThrow().replace("# ", ""));
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException fault) {
      throw new AssertionError(fault);
    }
  }

  private void run(Call call, String line) {
    List<String> words = words(line);
    boolean isCommand = words.size() > 1 && words.get(0).matches("(\\./)?carillon");
    if (!isCommand || OF_THE_ENGINE.contains(words.get(1))) {
      return;
    }
    boolean asks = words.contains("delete") && !words.contains("--yes");
    FakeTerminal terminal = asks ? new FakeTerminal(true, 80, "y") : new FakeTerminal(false, 0);
    Result result = call.on(terminal).run(words.subList(1, words.size()));
    assertThat(terminal.questions).as(line).hasSize(asks ? 1 : 0);
    int worst = FINDERS.contains(words.get(1)) ? 2 : 0;
    assertThat(result.code()).as("%s: %s", line, result.err()).isBetween(0, worst);
    JOB.matcher(result.out()).results().findFirst().ifPresent(id -> job = id.group());
    BACKFILL.matcher(result.out()).results().findFirst().ifPresent(id -> backfill = id.group(1));
  }

  private List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (MatchResult word : WORD.matcher(line).results().toList()) {
      String text = word.group(1) == null ? word.group(2) : word.group(1);
      boolean isPath = words.size() > 1 && !text.startsWith("{");
      words.add(isPath ? path(text) : known(text));
    }
    return words;
  }

  /** A file of the page or of the checkout, if a word names one; else the word. */
  private String path(String text) {
    if (Files.exists(directory.resolve(text))) {
      return directory.resolve(text).toString();
    }
    boolean isExample =
        text.matches("(examples|docs/scenarios)/.*") && Files.exists(ROOT.resolve(text));
    return isExample ? ROOT.resolve(text).toString() : known(text);
  }

  private String known(String text) {
    return text.replace("JOB_ID", job).replace("BACKFILL_ID", backfill);
  }
}
