package dev.carillon.bench.cli;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import dev.carillon.bench.harness.Waiting;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.Namespace;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.local.LocalEngine;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how long commands take. Each call alternates with the start of a bare JVM. */
@Command(
    name = "cli",
    description = {
      "Time of './carillon --help' and './carillon schedules list', launcher included, and the"
          + " ratio to the time of 'java Hello'. The list comes from a warm, idle local engine. On a"
          + " shared machine, compare the processor times: each is the least of all rounds."
    })
public final class CliCommand implements Callable<Integer> {

  private static final String BARE = "java Hello";
  private static final String ARCHIVE = "cli/target/carillon.jsa";
  private static final int WARM_UP_LISTS = 1_000;
  private static final Duration LONGEST_ARCHIVE = Duration.ofMinutes(1);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "15",
      description = "Measured rounds, after one that is not measured. Default: 15.")
  private int rounds;

  @Mixin private Output output;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  private CliCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException, URISyntaxException {
    CannotRun.ifLess(1, "--rounds", rounds);
    try (LocalEngine engine =
        LocalEngine.start(new LocalEngine.Options(LocalEngine.TEMPLATE, 0, 0, 0, null))) {
      engine.awaitReady();
      warmUp(engine);
      Map<String, List<Took>> all = measured(commands(engine), output.progress());
      Results results = output.results();
      List<Took> bare = all.getOrDefault(BARE, List.of());
      all.forEach((command, took) -> results.add(StartUp.of(command, took, bare)));
    }
    return 0;
  }

  /** Brings the engine into the state of one that has run for a while. */
  private static void warmUp(LocalEngine engine) {
    Namespace namespace = CarillonClient.local(engine.http()).namespace("default");
    for (int i = 0; i < WARM_UP_LISTS; i++) {
      namespace.schedules(ScheduleFilter.all(), 1, null);
    }
  }

  private static Map<String, List<String>> commands(LocalEngine engine) throws URISyntaxException {
    String launcher = LocalEngine.TEMPLATE.toAbsolutePath().resolveSibling("carillon").toString();
    if (!Files.isExecutable(Path.of(launcher))) {
      throw new CannotRun(launcher + " is missing; run this from a checkout");
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path classes = Path.of(Hello.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Map<String, List<String>> commands = new LinkedHashMap<>();
    commands.put(BARE, List.of(java, "-cp", classes.toString(), Hello.class.getName()));
    commands.put("--help", List.of(launcher, "--help"));
    commands.put(
        "schedules list",
        List.of(launcher, "schedules", "list", "--url", engine.http().toString()));
    return commands;
  }

  private Map<String, List<Took>> measured(Map<String, List<String>> commands, Progress progress)
      throws IOException, InterruptedException {
    Map<String, List<Took>> all = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (Map.Entry<String, List<String>> command : commands.entrySet()) {
        Took took = Took.by(command.getValue());
        // The first round does not count, because it builds the archive and reads files from the
        // disk.
        if (round > 0) {
          all.computeIfAbsent(command.getKey(), it -> new ArrayList<>()).add(took);
        }
      }
      if (round == 0) {
        awaitArchive();
      }
      progress.say("round %d of %d", round, rounds);
    }
    return all;
  }

  /** Waits for the archive of classes, which the launcher creates in the background of a call. */
  private static void awaitArchive() {
    File archive = LocalEngine.TEMPLATE.toAbsolutePath().resolveSibling(ARCHIVE).toFile();
    Waiting.until(archive + " is empty", LONGEST_ARCHIVE, () -> archive.length() > 0);
  }
}
