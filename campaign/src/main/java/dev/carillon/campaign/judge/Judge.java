package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the launches that arrived with those that had to, might and must not be.
 *
 * <p>A fire has to be launched if it was due while its document was certainly active, and for so
 * long after it that every repair had its time; it must not be if it was due when the document was
 * certainly not.
 */
public final class Judge {

  /** Milliseconds that the clocks of functions may be off. */
  static final long SKEW = 2_000;

  /** Milliseconds for which what was being launched when a change returned may still arrive. */
  static final long IN_FLIGHT = 10_000;

  private final History history;
  private final List<Finding> findings = new ArrayList<>();
  private int resent;

  private Judge(History history) {
    this.history = history;
  }

  /**
   * What was found.
   *
   * @param resent requests that came again with the same job id and attempt, and why is known
   */
  public record Verdict(List<Finding> findings, int launches, int resent) {}

  /** Judges a whole history. */
  public static Verdict of(History history) {
    Judge judge = new Judge(history);
    judge.judgeResends();
    judge.judgeRejected();
    judge.judgeLimits();
    Map<String, List<Operation>> operations = history.operationsBySchedule();
    Map<String, List<Launch>> launches = new TreeMap<>();
    operations.keySet().forEach(name -> launches.put(name, new ArrayList<>()));
    for (Arrival arrival : history.arrivals()) {
      List<Launch> known = launches.get(arrival.schedule());
      if (known == null) {
        judge.find(Finding.Kind.UNASKED, arrival, "there never was such a schedule");
      } else {
        known.add(Launch.read(arrival));
      }
    }
    operations.forEach(
        (name, done) -> {
          Schedule schedule =
              new Schedule(name, done, Phase.of(done), launches.getOrDefault(name, List.of()));
          if (Phase.areAmbiguous(done)) {
            return;
          }
          new FireJudge(history, schedule, judge.findings).judge();
          new EventJudge(history, schedule, judge.findings).judge();
          new HandJudge(history, schedule, judge.findings).judge();
          new WaitJudge(history, schedule, judge.findings).judge();
          new BackfillJudge(history, schedule, judge.findings).judge();
          new CatchUpJudge(history, schedule, judge.findings).judge();
        });
    return new Verdict(judge.findings, history.arrivals().size(), judge.resent);
  }

  /**
   * All that concerns one schedule.
   *
   * @param spans when fires and events made jobs
   * @param launching when jobs were launched
   * @param lives when jobs were not cancelled
   * @param documents when there was a document, whatever was done with it
   */
  record Schedule(
      String name,
      List<Operation> operations,
      List<Phase> phases,
      List<Span> spans,
      List<Span> launching,
      List<Span> lives,
      List<Span> documents,
      List<Launch> launches) {

    Schedule(String name, List<Operation> operations, List<Phase> phases, List<Launch> launches) {
      this(
          name,
          operations,
          phases,
          Span.of(phases, Phase::opens),
          Span.of(phases, Phase::launches),
          Span.of(phases, Phase::keeps),
          Span.of(phases, phase -> phase.wish() != null),
          launches);
    }

    /** The operations that cancel what is pending: those with which another life begins. */
    List<Operation> cancelling() {
      List<Operation> cancelling = new ArrayList<>();
      for (int i = 1; i < phases.size(); i++) {
        Phase phase = phases.get(i);
        if (phase.life() != phases.get(i - 1).life()) {
          operations.stream().filter(o -> o.called() == phase.from()).forEach(cancelling::add);
        }
      }
      return cancelling;
    }

    /** When a backfill was asked for; before everything if nobody was told of it. */
    long askedAt(String backfill) {
      return operations.stream()
          .filter(o -> o.kind() == History.Kind.BACKFILL && o.done())
          .filter(o -> String.valueOf(o.answer()).startsWith(backfill + " "))
          .mapToLong(Operation::called)
          .findFirst()
          .orElse(0);
    }

    /** Those of a backfill. */
    List<Operation> cancellations(String backfill) {
      return operations.stream()
          .filter(o -> o.kind() == History.Kind.CANCEL && backfill.equals(o.answer()))
          .toList();
    }

    StoppedClock clock() {
      return new StoppedClock(Span.of(phases, Phase::holds));
    }

    /** Whether jobs may have been held back at some time between two instants. */
    boolean mayHold(long from, long to) {
      return Span.of(phases, Phase::holds).stream()
          .anyMatch(span -> span.beginsFrom() <= to && span.endsBy() >= from);
    }

    boolean deletesItself() {
      return operations.stream().anyMatch(o -> o.wish() != null && o.wish().deletesItself());
    }
  }

  private void find(Finding.Kind kind, Arrival arrival, String what) {
    findings.add(new Finding(kind, arrival.schedule(), arrival.jobId(), what));
  }

  private void judgeResends() {
    Map<String, List<Arrival>> byJob = new TreeMap<>();
    for (Arrival arrival : history.arrivals()) {
      byJob.computeIfAbsent(arrival.jobId(), any -> new ArrayList<>()).add(arrival);
    }
    byJob.values().forEach(this::judgeResends);
  }

  private void judgeResends(List<Arrival> ofJob) {
    ofJob.sort(Comparator.comparingLong(Arrival::at));
    boolean explained = false;
    boolean again = false;
    for (Arrival arrival : ofJob) {
      if (arrival.attempt() != 1) {
        find(Finding.Kind.DOUBLED, arrival, "a further attempt: " + arrival.attempt());
      }
      if (again) {
        resent++;
        if (!explained) {
          find(Finding.Kind.DOUBLED, arrival, "sent again, and nothing explains why");
        }
      }
      again = true;
      explained |= arrival.explained();
    }
  }

  private void judgeLimits() {
    for (String violation : history.violations()) {
      findings.add(new Finding(Finding.Kind.LIMIT, "-", null, violation));
    }
  }

  private void judgeRejected() {
    for (String body : history.malformed()) {
      if (!history.rejected().contains(body)) {
        findings.add(
            new Finding(Finding.Kind.LOST, "-", null, "a malformed event was not rejected"));
      }
    }
  }
}
