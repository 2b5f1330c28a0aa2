package dev.carillon.cli;

import dev.carillon.cli.session.Terminal;
import dev.carillon.cli.session.World;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;

/** Calls of the command line in this process. */
final class Call {

  private final Map<String, String> environment = new HashMap<>();
  private Path home = Path.of("target/no-home");
  private Clock clock = Clock.system(ZoneOffset.ofHours(1));
  private FakeTerminal terminal = new FakeTerminal(false, 0);
  private Writer output;

  /** What a call did. */
  record Result(int code, String out, String err) {

    List<String> lines() {
      return out.lines().toList();
    }
  }

  /** A terminal whose user gives prepared answers, and that does not wait. */
  static class FakeTerminal implements Terminal {

    private final boolean interactive;
    private final int width;
    private final Deque<String> answers = new ArrayDeque<>();
    final List<String> questions = new ArrayList<>();
    Runnable onPause = Thread::yield;
    boolean errorsAreShown;

    FakeTerminal(boolean interactive, int width, String... answers) {
      this.interactive = interactive;
      this.width = width;
      this.answers.addAll(List.of(answers));
    }

    @Override
    public boolean isInteractive() {
      return interactive;
    }

    @Override
    public boolean hasColours() {
      return interactive;
    }

    @Override
    public int width() {
      return width;
    }

    @Override
    public int widthOfErrors() {
      return interactive || errorsAreShown ? 80 : 0;
    }

    @Override
    public String ask(String question) {
      questions.add(question);
      return answers.poll();
    }

    @Override
    public void pause(Duration length) {
      onPause.run();
    }
  }

  static Call to(Object url) {
    return new Call().with("CARILLON_URL", url.toString());
  }

  Call with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Call without(String variable) {
    environment.remove(variable);
    return this;
  }

  Call in(String namespace) {
    return with("CARILLON_NAMESPACE", namespace);
  }

  Call home(Path directory) {
    home = directory;
    return this;
  }

  Call at(Clock now) {
    clock = now;
    return this;
  }

  Call on(FakeTerminal screen) {
    terminal = screen;
    return this;
  }

  /** Writes the output to a file or pipe, instead of into the result. */
  Call into(Writer file) {
    output = file;
    return this;
  }

  /** Runs a command line; words are separated by one space, and quoted by nothing. */
  Result run(String line) {
    return run(Arrays.asList(line.split(" ")));
  }

  Result run(List<String> words) {
    StringWriter kept = new StringWriter();
    StringWriter err = new StringWriter();
    World world =
        new World(
            new PrintWriter(output == null ? kept : output),
            new PrintWriter(err),
            environment,
            home,
            clock,
            () -> TimeZone.getTimeZone(clock.getZone()),
            terminal);
    int code = CommandLines.execute(world, words.toArray(String[]::new));
    return new Result(code, kept.toString(), err.toString());
  }
}
