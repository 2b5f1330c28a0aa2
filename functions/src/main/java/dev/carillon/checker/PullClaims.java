package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.checker.PoolPulls.Pulled;
import dev.carillon.decision.RunDecision;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.TrackedJob;
import dev.carillon.launch.Requests;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolQueue;
import dev.carillon.report.RunReports;
import dev.carillon.wakeup.Wakeup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The claims of a worker that asks for jobs of a pool. */
final class PullClaims {

  /**
   * How old a decision may be when its claim begins to be stored. The schedule may have been
   * changed since the decision, and no condition of the claim shows that.
   */
  static final Duration FRESH = Duration.ofSeconds(1);

  private final Shared shared;
  private final Requests requests;
  private final InstantSource clock;

  PullClaims(Shared shared, Requests requests, InstantSource clock) {
    this.shared = shared;
    this.requests = requests;
    this.clock = clock;
  }

  PulledJobs decided(Pull pull, List<JobId> jobs) {
    return PulledJobs.decide(shared, requests, pull.pool(), jobs, clock.instant());
  }

  /**
   * Claims the jobs that are READY, and returns them with those that the worker has already. If the
   * decision is too old when it should be stored, it is made once more. If that one is too old as
   * well, nothing is claimed; the next request gets the jobs.
   */
  List<Pulled> claim(Pool pool, Pull pull, PulledJobs decided, List<JobId> ids) {
    Claims claims = claims(pool, pull, decided, ids);
    sendChecks(claims);
    if (claims.made().isEmpty() || !isOld(decided)) {
      return stored(claims);
    }
    PulledJobs again = decided(pull, ids);
    Claims current = claims(pool, pull, again, ids);
    current.made().removeIf(claim -> !claims.hasCheckOf(claim));
    return isOld(again) ? current.held() : stored(current);
  }

  private boolean isOld(PulledJobs decided) {
    return clock.instant().isAfter(decided.now().plus(FRESH));
  }

  /**
   * A claim to store.
   *
   * @param from the stored job
   * @param to the job with its claim
   */
  private record NewClaim(Job from, Pulled to) {}

  /**
   * The claims of a request.
   *
   * @param held the jobs that the worker has claimed already
   * @param made the claims to store
   * @param at when the claims are made
   */
  private record Claims(List<Pulled> held, List<NewClaim> made, Instant at) {

    boolean hasCheckOf(NewClaim claim) {
      RunId run = claim.to().job().runId();
      return made.stream().anyMatch(one -> one.to().job().runId().equals(run));
    }
  }

  /**
   * The claims of a request. A job for which the answer has no room is not claimed: it is free for
   * other requests when this one no longer reserves it.
   */
  private Claims claims(Pool pool, Pull pull, PulledJobs decided, List<JobId> ids) {
    Claims claims = new Claims(new ArrayList<>(), new ArrayList<>(), clock.instant());
    AnswerRoom room = new AnswerRoom();
    List<Job> all = ids.stream().map(decided.jobs()::get).filter(Objects::nonNull).toList();
    for (Job job : all) {
      if (isHeld(pull, job)) {
        rendered(decided, job)
            .ifPresent(ready -> claims.held().add(new Pulled(job, ready.request())));
      }
    }
    claims.held().forEach(one -> room.add(one.request()));
    for (Job job : all) {
      if (!isHeld(pull, job) && decided.isFree(job.id())) {
        Requests.Ready ready = rendered(decided, job).orElse(null);
        if (ready == null) {
          fail(job, claims.at());
        } else if (room.addIfItFits(ready.request())) {
          claims.made().add(new NewClaim(job, pulled(pool, pull, job, ready, claims.at())));
        }
      }
    }
    return claims;
  }

  private static Pulled pulled(Pool pool, Pull pull, Job job, Requests.Ready ready, Instant at) {
    boolean isCounted = pool.limit(PoolQueue.customer(job)) != null;
    String note = ready.note();
    Job noted = note == null ? job : TrackedJob.noted(job, note, at);
    Job claimed = RunDecision.pull(noted, pull.worker(), token(pull, job), isCounted, at);
    return new Pulled(claimed, ready.request());
  }

  /**
   * Sends the checks of claims before the claims are stored. In the other order, nothing would send
   * them after a crash between the two. A check that is received before the claim is stored finds
   * no claim. So another check is due when this function has certainly ended.
   */
  private void sendChecks(Claims claims) {
    List<Wakeup> checks = new ArrayList<>();
    Instant ended = claims.at().plus(RunReports.LONGEST_CALL);
    for (NewClaim claim : claims.made()) {
      Job job = claim.to().job();
      Instant reportBy = Objects.requireNonNull(job.reportBy());
      checks.add(new Wakeup(job.runId(), reportBy));
      if (reportBy.isBefore(ended)) {
        checks.add(new Wakeup(job.runId(), ended));
      }
    }
    if (!checks.isEmpty()) {
      shared.checks().send(Check.of(checks, claims.at()), claims.at());
    }
  }

  /** Stores the claims; returns those that were stored, after the jobs that the worker has. */
  private List<Pulled> stored(Claims claims) {
    List<NewClaim> made = claims.made();
    List<Optional<Job>> others =
        shared
            .jobs()
            .update(made.stream().map(it -> new Update(it.from(), it.to().job())).toList());
    List<Pulled> stored = new ArrayList<>(claims.held());
    for (int i = 0; i < made.size(); i++) {
      if (others.get(i).isEmpty()) {
        stored.add(made.get(i).to());
      }
    }
    return stored;
  }

  /** Makes the checker end a job whose request can never be sent. */
  private void fail(Job job, Instant now) {
    Job interrupted = job.launching(now, now);
    if (shared.jobs().update(List.of(new Update(job, interrupted))).get(0).isEmpty()) {
      shared.checks().send(Check.of(now, List.of(job.id())), now);
    }
  }

  private Optional<Requests.Ready> rendered(PulledJobs decided, Job job) {
    return decided
        .compiled(job)
        .flatMap(
            compiled ->
                requests.of(compiled, job) instanceof Requests.Ready ready
                    ? Optional.of(ready)
                    : Optional.empty());
  }

  /** Whether an earlier request with the same id has claimed the present attempt. */
  static boolean isHeld(Pull pull, @Nullable Job job) {
    return job != null
        && job.isRunning()
        && job.run() != null
        && job.run().isHeldBy(token(pull, job));
  }

  /** The token of a claim; the same for a repeated request. */
  private static String token(Pull pull, Job job) {
    String claim = pull.id() + " " + job.id() + " " + job.attempt();
    return UUID.nameUUIDFromBytes(claim.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
