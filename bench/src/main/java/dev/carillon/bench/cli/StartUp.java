package dev.carillon.bench.cli;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How long a command takes, from the start of its process to its end.
 *
 * @param millis the median of the elapsed times
 * @param ratio the median of the ratios to the time of the bare JVM in the same round
 * @param cpuMillis the least processor time
 * @param cpuRatio the ratio of this least processor time to that of the bare JVM
 */
record StartUp(
    String command, int rounds, double millis, double ratio, double cpuMillis, double cpuRatio) {

  static StartUp of(String command, List<Took> all, List<Took> bare) {
    double[] ratios =
        IntStream.range(0, all.size())
            .mapToDouble(round -> all.get(round).millis() / bare.get(round).millis())
            .toArray();
    double[] millis = all.stream().mapToDouble(Took::millis).toArray();
    double cpu = least(all, Took::cpuMillis);
    return new StartUp(
        command,
        all.size(),
        median(millis),
        median(ratios),
        cpu,
        cpu / least(bare, Took::cpuMillis));
  }

  private static double least(List<Took> all, ToDoubleFunction<Took> value) {
    return all.stream().mapToDouble(value).min().orElse(Double.NaN);
  }

  private static double median(double[] values) {
    double[] sorted = Arrays.stream(values).sorted().toArray();
    int upper = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
  }
}
