package dev.carillon.campaign;

import dev.carillon.campaign.Episode.Outcome;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.system.Tampering;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A report on a failed episode. It has the findings, a small set of fault kinds that reproduces
 * them, and the last trace lines about the subject of the first finding.
 */
final class FailureReport {

  private static final int MAX_LINES = 80;

  private FailureReport() {}

  static String of(long seed, Tampering tampering) {
    try (Workers workers = new Workers()) {
      return of(seed, tampering, workers);
    }
  }

  private static String of(long seed, Tampering tampering, Workers workers) {
    Outcome first = Episode.random(seed, workers, tampering, Set.of(), true);
    if (first.verdict().findings().isEmpty()) {
      return NeighbourEpisode.random(seed, workers, tampering).report(seed);
    }
    Finding.Kind kind = first.verdict().findings().get(0).kind();
    Set<FaultKind> disabled = EnumSet.noneOf(FaultKind.class);
    Outcome fewest = first;
    for (FaultKind candidate : first.injected().keySet()) {
      Set<FaultKind> more = EnumSet.of(candidate);
      more.addAll(disabled);
      Outcome without = Episode.random(seed, workers, tampering, more, true);
      if (without.verdict().findings().stream().anyMatch(found -> found.kind() == kind)) {
        disabled = more;
        fewest = without;
      }
    }
    return text(seed, first, fewest, disabled);
  }

  private static String text(long seed, Outcome first, Outcome fewest, Set<FaultKind> disabled) {
    StringBuilder text = new StringBuilder("seed ").append(seed).append(":\n");
    first.verdict().findings().forEach(finding -> text.append("  ").append(finding).append('\n'));
    text.append("with these kinds of faults disabled: ").append(disabled).append("\n");
    fewest.verdict().findings().forEach(found -> text.append("  ").append(found).append('\n'));
    text.append("injected faults: ").append(fewest.injected()).append('\n');
    Finding finding = fewest.verdict().findings().get(0);
    List<String> lines =
        fewest.trace().lines().stream().filter(line -> concerns(line, finding)).toList();
    int from = Math.max(0, lines.size() - MAX_LINES);
    lines.subList(from, lines.size()).forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private static boolean concerns(String line, Finding finding) {
    String job = finding.jobId();
    return line.contains("user: ") || line.contains(job == null ? finding.about() : job);
  }
}
