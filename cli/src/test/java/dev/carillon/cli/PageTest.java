package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/cli.md, in their order, on a local engine. */
@Timeout(600)
class PageTest {

  private static final Path PAGE = Path.of("../docs/cli.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern JOB = Pattern.compile("[\\w.-]+~[\\w.~-]+");

  /** They end with 1 or 2 if they find something. */
  private static final Set<String> FINDERS = Set.of("status", "doctor", "diff");

  @TempDir private Path directory;
  private String job = "JOB_ID";

  @Test
  void eachExampleOfThePageRuns() throws IOException, InterruptedException {
    Call call = Call.to(Engine.shared().http()).in("page");
    call.with("CARILLON_CONFIG", directory.resolve("config.yaml").toString());
    List<MatchResult> blocks = BLOCK.matcher(Files.readString(PAGE)).results().toList();
    assertThat(blocks).hasSizeGreaterThan(10);
    for (MatchResult block : blocks) {
      if (block.group(1).equals("yaml")) {
        write(block.group(2));
      } else {
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
    assertThat(words.get(0)).isEqualTo("carillon");
    Result result = call.run(words.subList(1, words.size()));
    int worst = FINDERS.contains(words.get(1)) ? 2 : 0;
    assertThat(result.code()).as("%s: %s", line, result.err()).isBetween(0, worst);
    JOB.matcher(result.out()).results().findFirst().ifPresent(id -> job = id.group());
  }

  private List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (MatchResult word : WORD.matcher(line).results().toList()) {
      String text = word.group(1) == null ? word.group(2) : word.group(1);
      boolean isPath = isWritten(text, words);
      words.add(isPath ? directory.resolve(text).toString() : text.replace("JOB_ID", job));
    }
    return words;
  }

  /** Whether a word names a file of the page; {@code schedules} is also a command. */
  private boolean isWritten(String text, List<String> before) {
    return before.size() > 1 && !text.startsWith("{") && Files.exists(directory.resolve(text));
  }
}
