package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.PoolFacts;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.RunCall.Kind;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.Requests;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.run.Claim;
import dev.carillon.schedule.CompiledSchedules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The claims of pulled jobs, as they were stored. They are recorded here because no request of such
 * a job arrives in a queue, and because the answer to a pull can be lost.
 */
public final class PulledClaims {

  private final Requests requests = new Requests(Functions.POLICY);
  private final CompiledSchedules schedules;
  private final List<Stored> claims = new ArrayList<>();

  /** The bodies of the jobs that have become READY. */
  private final Map<JobId, String> bodies = new HashMap<>();

  /**
   * A claim.
   *
   * @param at when it was stored
   * @param clock the latest instant that the clock of the function had shown
   */
  private record Stored(Job job, Claim claim, long at, long clock) {

    /**
     * When its time-out began, by the clock of the function; this can be long before it was stored.
     */
    long dated() {
      return Math.min(claim.claimedAt().toEpochMilli(), at);
    }
  }

  public PulledClaims(MemorySchedules schedules, MemoryCalendars calendars) {
    this.schedules = new CompiledSchedules(schedules, calendars, Work.FREE.parser());
  }

  /** Observes that a job of the pool was stored. */
  void observe(JobState before, Job job, long now, long clock) {
    if (job.state() == JobState.READY && !bodies.containsKey(job.id())) {
      body(job).ifPresent(body -> bodies.put(job.id(), body));
    }
    if (before == JobState.READY && job.state() == JobState.CLAIMED && job.run() != null) {
      claims.add(new Stored(job, Objects.requireNonNull(job.run().claim()), now, clock));
    }
  }

  private Optional<String> body(Job job) {
    return schedules
        .of(job.id().schedule(), job.id().generation())
        .flatMap(
            compiled ->
                requests.of(compiled, job) instanceof Requests.Ready ready
                    ? Optional.of(ready.request().body())
                    : Optional.empty());
  }

  /** The claims in the order in which they were stored. */
  List<PoolFacts.Claim> claims() {
    return claims.stream()
        .map(
            it ->
                new PoolFacts.Claim(
                    it.job().id().toString(),
                    it.job().attempt(),
                    it.claim().worker(),
                    it.claim().token(),
                    it.dated(),
                    it.at()))
        .toList();
  }

  /** The pulled jobs, as requests that arrived when the jobs were claimed. */
  public List<Arrival> arrivals(Pullers pullers) {
    return claims.stream().map(it -> arrival(it, pullers)).toList();
  }

  private Arrival arrival(Stored one, Pullers pullers) {
    String job = one.job().id().toString();
    String answered = pullers.bodyOf(job);
    return new Arrival(
        one.at(),
        job,
        one.job().attempt(),
        one.job().id().schedule().name(),
        answered == null ? bodies.getOrDefault(one.job().id(), "{}") : answered,
        one.clock(),
        false,
        "",
        one.at(),
        Objects.requireNonNullElse(one.job().customer(), ""));
  }

  /**
   * The calls of workers, with the claims of pulls added. Each claim is added as a call at the
   * instant from which its time-out counts. The answer of the call is known if the answer to a pull
   * named the claim.
   */
  public List<RunCall> with(List<RunCall> calls) {
    if (claims.isEmpty()) {
      return calls;
    }
    Map<String, Long> stored = new HashMap<>();
    claims.forEach(it -> stored.put(it.claim().token(), it.dated()));
    List<RunCall> all = new ArrayList<>();
    for (RunCall call : calls) {
      Long at = call.kind() == Kind.CLAIM ? stored.get(call.token()) : null;
      all.add(at == null ? call : call.calledAt(Math.min(call.called(), at)));
    }
    for (Stored one : claims) {
      if (calls.stream().noneMatch(it -> isAnswer(it, one))) {
        all.add(unanswered(one));
      }
    }
    all.sort(Comparator.comparingLong(RunCall::called));
    return all;
  }

  private static boolean isAnswer(RunCall call, Stored one) {
    return call.kind() == Kind.CLAIM && call.token().equals(one.claim().token());
  }

  private static RunCall unanswered(Stored one) {
    return new RunCall(
        Kind.CLAIM,
        one.job().id().toString(),
        one.job().attempt(),
        one.claim().worker(),
        "",
        false,
        one.dated(),
        one.at(),
        0,
        "",
        false,
        Map.of(),
        null);
  }
}
