package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares the launches that arrived with the launches that had to arrive, could arrive, or must
 * not arrive.
 *
 * <p>A fire must launch if it was due while its document was certainly active, and if the document
 * then stayed active long enough for every repair. It must not launch if it was due while the
 * document was certainly not active.
 */
public final class Judge {

  /** By how many milliseconds the clocks of functions may be off. */
  static final long SKEW = 2_000;

  /**
   * Milliseconds after the answer to a change during which a launch in progress may still arrive.
   */
  static final long IN_FLIGHT = 10_000;

  private final History history;
  private final List<Damage> damages;
  private final List<Finding> findings = new ArrayList<>();
  private int resent;
  private int required;
  private int unjudged;

  private Judge(History history, List<Damage> damages) {
    this.history = history;
    this.damages = damages;
  }

  /**
   * The findings and counts of an episode.
   *
   * @param resent requests that arrived again with the same job id and attempt, for a known reason
   * @param required launches that had to arrive by some instant
   * @param unjudged schedules whose history has too many interpretations, or whose jobs may not
   *     name all their events
   */
  public record Verdict(
      List<Finding> findings, int launches, int resent, int required, int unjudged) {}

  /** Judges a complete history without damage. */
  public static Verdict of(History history) {
    return of(history, List.of());
  }

  /** Judges a complete history. */
  public static Verdict of(History history, List<Damage> damages) {
    List<Damage> ended =
        damages.stream().map(damage -> damage.endedBy(history.operations())).toList();
    Judge judge = new Judge(history, ended);
    judge.judgeResends();
    judge.judgeRejected();
    judge.judgeLimits();
    judge.judgeBroken();
    new PoolJudge(Damage.seenByPool(history, ended), judge.findings).judge();
    new AppJudge(history.deployments(), judge.findings).judge();
    new CallbackJudge(history.callbacks(), history.runCalls(), history.faultsTo(), judge.findings)
        .judge();
    ended.forEach(damage -> damage.judgeReplacement(history.deployments(), judge.findings));
    List<Schedule> schedules = judge.judgeSchedules();
    judge.judgeTracked(schedules, ended);
    LimitedLaunches limited = LimitedLaunches.of(history, schedules);
    long forgotten = Damage.forgottenUntil(ended, LimitedLaunches.DECIDED_BEFORE);
    new RateJudge(history, limited, forgotten, judge.findings).judge();
    new ConstraintJudge(history, limited, judge.findings).judge();
    history
        .calendarDeletions()
        .forEach(new CalendarJudge(schedules, history.indexLag(), judge.findings)::judge);
    judge.findings.removeIf(finding -> Damage.excuses(finding, ended));
    return new Verdict(
        judge.findings, history.arrivals().size(), judge.resent, judge.required, judge.unjudged);
  }

  private List<Schedule> judgeSchedules() {
    Map<String, List<Launch>> launches = launches();
    Map<String, List<Operation>> operations = history.operationsBySchedule();
    Set<String> ofApp = Interpretations.schedules(history.deployments());
    List<Schedule> schedules = new ArrayList<>();
    operations.forEach(
        (name, done) -> {
          if (!ofApp.contains(name)) {
            Schedule schedule = Schedule.of(name, done, launches);
            add(found(schedule));
            schedules.add(schedule);
          }
        });
    schedules.addAll(judgeApp(operations, launches));
    return schedules;
  }

  private Map<String, List<Launch>> launches() {
    Map<String, List<Launch>> launches = new TreeMap<>();
    Interpretations.schedules(history.deployments())
        .forEach(name -> launches.put(name, new ArrayList<>()));
    history.operations().forEach(it -> launches.put(it.schedule(), new ArrayList<>()));
    for (Arrival arrival : history.arrivals()) {
      List<Launch> known = launches.get(arrival.schedule());
      if (known == null) {
        find(Finding.Kind.UNASKED, arrival, "no such schedule ever existed");
      } else {
        known.add(Launch.read(arrival));
      }
    }
    return launches;
  }

  /** Judges the schedules of the app by the order of changes that leaves the fewest findings. */
  private List<Schedule> judgeApp(
      Map<String, List<Operation>> besides, Map<String, List<Launch>> launches) {
    List<Schedule> likeliest = List.of();
    Found fewest = null;
    for (Map<String, List<List<Operation>>> interpretation :
        Interpretations.of(history.deployments())) {
      List<Schedule> schedules = new ArrayList<>();
      Found found = new Found();
      interpretation.forEach(
          (name, ways) -> {
            Schedule schedule =
                likeliest(name, ways, besides.getOrDefault(name, List.of()), launches);
            schedules.add(schedule);
            found.add(found(schedule));
          });
      if (fewest == null || found.findings.size() < fewest.findings.size()) {
        fewest = found;
        likeliest = schedules;
      }
    }
    if (fewest == null) {
      unjudged += Interpretations.schedules(history.deployments()).size();
    } else {
      add(fewest);
    }
    return likeliest;
  }

  private void add(Found found) {
    findings.addAll(found.findings);
    required += found.required;
    unjudged += found.unjudged;
  }

  /**
   * @param ways the alternative sequences of changes of the schedule
   * @param besides further operations, which are known to have been carried out
   */
  private Schedule likeliest(
      String name,
      List<List<Operation>> ways,
      List<Operation> besides,
      Map<String, List<Launch>> launches) {
    Schedule likeliest = null;
    int fewest = Integer.MAX_VALUE;
    for (List<Operation> way : ways) {
      List<Operation> operations = new ArrayList<>(way);
      operations.addAll(besides);
      operations.sort(Comparator.comparingLong(Operation::called));
      Schedule schedule = Schedule.of(name, operations, launches);
      int found = fewest == 0 ? 0 : found(schedule).findings.size();
      if (likeliest == null || found < fewest) {
        likeliest = schedule;
        fewest = found;
      }
    }
    return Objects.requireNonNull(likeliest);
  }

  private Found found(Schedule schedule) {
    Found found = new Found();
    if (Phase.areAmbiguous(schedule.operations())) {
      found.unjudged = 1;
      return found;
    }
    History seen = Damage.seenBy(schedule.name(), history, damages);
    new FireJudge(seen, schedule, found).judge();
    if (StatusJudge.watches(schedule, history)) {
      found.required++;
    } else if (schedule.mayOmitEvents(seen)) {
      found.unjudged = 1;
    } else if (schedule.hasCondition()) {
      new ConditionJudge(seen, schedule, damages, found).judge();
    } else {
      new EventJudge(seen, schedule, found).judge();
    }
    ManualLaunchJudge states = new ManualLaunchJudge(seen, schedule, damages, found);
    states.judge();
    new WaitJudge(seen, schedule, found.findings).judge();
    new BackfillJudge(seen, schedule, found.findings).judge();
    new CatchUpJudge(seen, schedule, found.findings).judge();
    new GateJudge(seen, schedule, damages, found.findings).judge();
    new FifoJudge(schedule, found.findings).judge();
    TrackedEndJudge ends = new TrackedEndJudge(seen, schedule, states::isCancelled, found.findings);
    for (TrackedJob job : TrackedJob.of(seen, schedule)) {
      new AttemptJudge(schedule, found.findings).judge(job);
      new OperationJudge(schedule, found.findings).judge(job);
      ends.judge(job);
    }
    return found;
  }

  private void judgeTracked(List<Schedule> schedules, List<Damage> ended) {
    List<TrackedJob> jobs =
        schedules.stream().flatMap(it -> TrackedJob.of(seenBy(it, ended), it).stream()).toList();
    List<TrackedJob> beside = jobs.stream().filter(it -> !it.isPooled()).toList();
    long forgotten = Damage.forgottenUntil(ended, LimitedLaunches.DECIDED_BEFORE);
    SlotJudge slots = new SlotJudge(forgotten, findings);
    slots.judge(beside);
    slots.judge(jobs.stream().filter(TrackedJob::isPooled).toList());
    schedules.stream()
        .filter(it -> StatusJudge.watches(it, history))
        .forEach(it -> new StatusJudge(seenBy(it, ended), it, findings).judge(beside));
  }

  private History seenBy(Schedule schedule, List<Damage> ended) {
    return Damage.seenBy(schedule.name(), history, ended);
  }

  /** The findings and counts of one or more schedules. */
  static final class Found {
    final List<Finding> findings = new ArrayList<>();
    int required;
    int unjudged;

    void add(Found other) {
      findings.addAll(other.findings);
      required += other.required;
      unjudged += other.unjudged;
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
    Arrival before = null;
    for (Arrival arrival : ofJob) {
      if (arrival.attempt() != 1 && !history.isTracked(arrival.schedule())) {
        find(Finding.Kind.DOUBLED, arrival, "an attempt after the first: " + arrival.attempt());
      }
      if (before != null && arrival.attempt() < before.attempt()) {
        find(Finding.Kind.DOUBLED, arrival, "sent after attempt " + before.attempt());
      }
      if (before != null && arrival.attempt() == before.attempt()) {
        resent++;
        if (!before.explained()) {
          find(Finding.Kind.DOUBLED, arrival, "sent again without a reason");
        }
      }
      before = arrival;
    }
  }

  private void judgeLimits() {
    for (Violation violation : history.violations()) {
      findings.add(new Finding(Finding.Kind.LIMIT, violation.about(), null, violation.what()));
    }
    new RunJudge(history, findings).judge();
  }

  private void judgeBroken() {
    for (Violation failure : history.broken()) {
      findings.add(new Finding(Finding.Kind.BROKEN, failure.about(), null, failure.what()));
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
