package dev.carillon.demo;

import dev.carillon.demo.Script.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The launches that must arrive.
 *
 * @param fires the fires by schedule; empty for schedules without a time leaf
 * @param outcomes the launches that events and manual requests must cause
 */
record Expectation(Map<String, List<Instant>> fires, List<Outcome> outcomes) {

  boolean isMetBy(List<Launch> launches) {
    return missing(launches).isEmpty();
  }

  long of(String schedule) {
    return fires.getOrDefault(schedule, List.of()).size()
        + outcomes.stream().filter(outcome -> outcome.schedule().equals(schedule)).count();
  }

  /** The missing launches, one sentence each. */
  List<String> missing(List<Launch> launches) {
    List<String> missing = new ArrayList<>();
    fires.forEach((name, times) -> addLost(missing, name, times, launches));
    List<Outcome> left = new ArrayList<>(outcomes);
    launches.stream()
        .filter(launch -> !launch.isTimed())
        .forEach(launch -> left.remove(new Outcome(launch.schedule(), launch.why())));
    left.forEach(
        outcome ->
            missing.add(
                outcome.schedule()
                    + " was not launched, but this should have launched it: "
                    + outcome.why()));
    return missing;
  }

  private static void addLost(
      List<String> missing, String name, List<Instant> times, List<Launch> launches) {
    TreeSet<Instant> lost = new TreeSet<>(times);
    launches.stream()
        .filter(launch -> launch.isTimed() && launch.schedule().equals(name))
        .forEach(launch -> lost.remove(launch.scheduledFor()));
    if (!lost.isEmpty()) {
      missing.add(name + " was not launched for " + lost);
    }
  }

  /** The launches that were early or arrived more than once, one sentence each. */
  List<String> wrong(List<Launch> launches) {
    List<String> wrong = new ArrayList<>();
    launches.stream()
        .filter(Launch::isEarly)
        .forEach(launch -> wrong.add(launch.job() + " was launched early"));
    launches.stream()
        .collect(Collectors.groupingBy(Launch::job, Collectors.counting()))
        .forEach(
            (job, times) -> {
              if (times > 1) {
                wrong.add(job + " arrived " + times + " times");
              }
            });
    return wrong;
  }
}
