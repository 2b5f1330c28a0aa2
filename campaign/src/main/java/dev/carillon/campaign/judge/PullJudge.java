package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.PoolFacts.Claim;
import dev.carillon.campaign.judge.PullCall.Got;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges the requests for the next jobs of a pool. Each request gets at most as many jobs as it
 * asks for, its repetition gets the same jobs, and no other request gets these attempts. An attempt
 * about which no worker reports ends in time. A request is not answered without a job while one
 * waits.
 */
final class PullJudge {

  /** Without faults, a waiting request gets a job within this time. */
  private static final long SOON = 5_000;

  private final History history;
  private final PoolFacts pool;
  private final List<Finding> findings;
  private final Map<String, String> schedules = new HashMap<>();

  PullJudge(History history, List<Finding> findings) {
    this.history = history;
    this.pool = history.pool();
    this.findings = findings;
    history.jobs().forEach(job -> schedules.put(job.jobId(), job.schedule()));
  }

  void judge() {
    Map<String, List<PullCall>> requests = new TreeMap<>();
    for (PullCall call : pool.pulls()) {
      requests.computeIfAbsent(call.worker(), any -> new ArrayList<>()).add(call);
    }
    requests.values().forEach(this::judgeRequest);
    judgeOwners();
    pool.claims().forEach(this::judgeAbandoned);
    pool.pulls().stream().filter(it -> it.isAnswered() && isQuiet(it)).forEach(this::judgeWait);
  }

  // ---- one request

  private void judgeRequest(List<PullCall> calls) {
    PullCall first = calls.get(0);
    Set<String> got = new TreeSet<>();
    for (PullCall call : calls) {
      call.jobs().forEach(it -> got.add(it.jobId()));
      long jobs = call.jobs().stream().map(Got::jobId).distinct().count();
      if (call.jobs().size() > call.count() || jobs < call.jobs().size()) {
        find(Finding.Kind.LIMIT, null, call.worker() + " got more jobs than it asked for");
      }
      call.jobs().forEach(job -> judgeAnswer(call, job));
    }
    pool.claims().stream()
        .filter(it -> it.worker().equals(first.worker()))
        .forEach(it -> got.add(it.jobId()));
    if (got.size() > first.count()) {
      String what =
          "%s asked for %d jobs, and has %d".formatted(first.worker(), first.count(), got.size());
      find(Finding.Kind.DOUBLED, null, what);
    }
    for (PullCall call : calls) {
      for (Got job : call.jobs()) {
        calls.stream()
            .filter(it -> it.isAnswered() && it.called() > call.returned())
            .forEach(later -> judgeRepeated(job, later));
      }
    }
  }

  /** The claim of each job in an answer is stored. */
  private void judgeAnswer(PullCall call, Got job) {
    boolean isStored =
        pool.claims().stream()
            .anyMatch(it -> it.token().equals(job.token()) && it.at() <= call.returned());
    if (!isStored) {
      find(Finding.Kind.LOST, job.jobId(), call.worker() + " got a job whose claim is not stored");
    }
  }

  /** A later answer to the same request repeats each job that the worker still holds, unchanged. */
  private void judgeRepeated(Got job, PullCall later) {
    for (Got again : later.jobs()) {
      if (again.token().equals(job.token()) && !again.body().equals(job.body())) {
        find(Finding.Kind.DOUBLED, job.jobId(), "is another request when it is pulled once more");
      }
    }
    boolean hasIt = later.jobs().stream().anyMatch(it -> it.token().equals(job.token()));
    if (!hasIt && isHeld(job, later.returned())) {
      String what = later.worker() + " repeats its request, and does not get its job again";
      find(Finding.Kind.LOST, job.jobId(), what);
    }
  }

  private boolean isHeld(Got job, long until) {
    boolean isEnded =
        history.runCalls().stream()
            .anyMatch(it -> it.isEnd() && it.token().equals(job.token()) && it.called() <= until);
    return !isEnded
        && pool.claims().stream()
            .filter(it -> it.token().equals(job.token()))
            .filter(it -> until < it.dated() + shortest(job.jobId()) - 2 * history.skew())
            .anyMatch(it -> !mayBeChanged(job.jobId(), it.at() - pool.actsFor(), until));
  }

  // ---- one attempt

  /** No attempt is pulled by two requests. */
  private void judgeOwners() {
    Map<String, Set<String>> owners = new TreeMap<>();
    Stream<Claim> answered =
        pool.pulls().stream()
            .flatMap(
                call ->
                    call.jobs().stream()
                        .map(it -> new Claim(it.jobId(), it.attempt(), call.worker(), "", 0, 0)));
    Stream.concat(pool.claims().stream(), answered)
        .forEach(
            it ->
                owners
                    .computeIfAbsent(it.jobId() + " " + it.attempt(), any -> new TreeSet<>())
                    .add(it.worker()));
    owners.forEach(
        (attempt, workers) -> {
          if (workers.size() > 1) {
            String job = attempt.substring(0, attempt.indexOf(' '));
            find(Finding.Kind.DOUBLED, job, "was pulled by " + workers);
          }
        });
  }

  /** An attempt about which no worker reports ends with its claim. */
  private void judgeAbandoned(Claim claim) {
    boolean isReported =
        history.runCalls().stream()
            .anyMatch(it -> it.isReport() && it.token().equals(claim.token()));
    long due = claim.at() + claimTimeout(claim.jobId()) + 2 * history.skew();
    long bound = history.bound(due);
    if (isReported || bound == History.NEVER || bound + SOON > history.end()) {
      return;
    }
    boolean isLate =
        pool.stays().stream()
            .filter(it -> it.jobId().equals(claim.jobId()) && it.claimed() == claim.at())
            .anyMatch(it -> it.ended() > bound + SOON);
    if (isLate) {
      find(Finding.Kind.LATE, claim.jobId(), "is still held by " + claim.worker() + ", which died");
    }
  }

  private Stream<Operation> operations(String job) {
    return history.operations().stream().filter(it -> it.schedule().equals(schedules.get(job)));
  }

  private Stream<Tracking> trackings(String job) {
    return operations(job)
        .flatMap(it -> Stream.ofNullable(it.spec()))
        .flatMap(it -> Stream.ofNullable(it.tracking()));
  }

  /** The longest claim time-out among the documents of the job's schedule. */
  private long claimTimeout(String job) {
    return trackings(job).mapToLong(Tracking::claim).max().orElse(0);
  }

  /** The shortest time that a claim lives, with or without a heartbeat. */
  private long shortest(String job) {
    return trackings(job).mapToLong(it -> Math.min(it.claim(), it.heartbeat())).min().orElse(0);
  }

  // ---- answers without a job

  private boolean isQuiet(PullCall call) {
    return call.returned() < history.faultsFrom()
        || call.called() > history.faultsTo() + history.repair();
  }

  private void judgeWait(PullCall call) {
    long from = call.called() - pool.actsFor();
    List<PoolSpec> possible = pool.possible(from, call.returned());
    boolean hasGot =
        pool.claims().stream()
            .anyMatch(it -> it.worker().equals(call.worker()) && it.at() <= call.returned());
    if (hasGot || possible.size() != 1 || possible.get(0).isPaused()) {
      return;
    }
    if (call.returned() < call.called() + call.waits()) {
      find(Finding.Kind.EARLY, null, call.worker() + " got no job before its time had passed");
    }
    PoolSpec definition = possible.get(0);
    pool.stays().stream()
        .filter(it -> it.entered() < Math.max(call.called(), call.returned() - SOON))
        .filter(it -> it.chosen() > call.returned() && it.waitsUntil() > call.returned())
        .filter(
            it ->
                !definition.hasLimit(it.customer())
                    && !mayBeChanged(it.jobId(), from, call.returned()))
        .limit(1)
        .forEach(
            it ->
                find(Finding.Kind.LATE, it.jobId(), "waits, and " + call.worker() + " got no job"));
  }

  /** Whether the schedule of a job may have been changed between two instants. */
  private boolean mayBeChanged(String job, long from, long to) {
    return operations(job)
        .filter(it -> it.kind() != History.Kind.LAUNCH)
        .anyMatch(it -> it.called() <= to && it.returned() >= from);
  }

  private void find(Finding.Kind kind, @Nullable String job, String what) {
    findings.add(new Finding(kind, PoolJudge.ABOUT, job, what));
  }
}
