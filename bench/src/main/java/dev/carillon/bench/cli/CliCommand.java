package dev.carillon.bench.cli;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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

/** Measures how long commands take, alternating with a bare JVM. */
@Command(
    name = "cli",
    description = {
      "Time of './carillon --help' and './carillon schedules list', launcher included, and its ratio"
          + " to 'java Hello' of the same round. The list comes from a local engine that is idle."
    })
public final class CliCommand implements Callable<Integer> {

  private static final String BARE = "java Hello";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "15",
      description = "Rounds that count; one more goes before. Default: 15.")
  private int rounds;

  @Mixin private Output output;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  private CliCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException, URISyntaxException {
    if (rounds < 1) {
      throw new CannotRun("--rounds is " + rounds + "; at least 1 is needed");
    }
    try (LocalEngine engine =
        LocalEngine.start(new LocalEngine.Options(LocalEngine.TEMPLATE, 0, 0, 0, null))) {
      engine.awaitReady();
      Map<String, List<Double>> millis = measured(commands(engine), output.progress());
      List<Double> bare = millis.getOrDefault(BARE, List.of());
      Results results = output.results();
      millis.forEach((command, all) -> results.add(line(command, all, bare)));
    }
    return 0;
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

  private Map<String, List<Double>> measured(Map<String, List<String>> commands, Progress progress)
      throws IOException, InterruptedException {
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (Map.Entry<String, List<String>> command : commands.entrySet()) {
        double took = run(command.getValue());
        // The first round builds, makes the archive of classes, and reads files from the disk.
        if (round > 0) {
          millis.computeIfAbsent(command.getKey(), it -> new ArrayList<>()).add(took);
        }
      }
      progress.say("round %d of %d", round, rounds);
    }
    return millis;
  }

  private static double run(List<String> command) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    int code = process.waitFor();
    long took = System.nanoTime() - start;
    if (code != 0) {
      throw new CannotRun(String.join(" ", command) + " ended with " + code);
    }
    return took / (double) Duration.ofMillis(1).toNanos();
  }

  private static StartUp line(String command, List<Double> millis, List<Double> bare) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < millis.size(); round++) {
      ratios.add(millis.get(round) / bare.get(round));
    }
    return new StartUp(command, millis.size(), median(millis), median(ratios));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int upper = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(upper)
        : (sorted.get(upper - 1) + sorted.get(upper)) / 2;
  }
}
