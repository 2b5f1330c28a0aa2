package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.PoolFacts;
import dev.carillon.campaign.judge.PoolFacts.PoolVersion;
import dev.carillon.campaign.judge.PoolFacts.Stay;
import dev.carillon.campaign.judge.PullCall;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.Scenario.PoolChange;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemoryPools;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Observes how jobs enter the pool, are chosen and leave, by reading the stored items after every
 * call.
 */
public final class PoolRecorder {

  private static final PoolId POOL = new PoolId("default", Scenario.POOL);
  private static final Set<JobState> CLAIMED = EnumSet.of(JobState.CLAIMED, JobState.RUNNING);
  private static final Set<JobState> UNFINISHED =
      EnumSet.of(
          JobState.READY,
          JobState.PENDING_LAUNCH,
          JobState.ENQUEUED,
          JobState.CLAIMED,
          JobState.RUNNING);

  private final ChangedJobs changedJobs;
  private final MemoryPools pools;
  private final PoolMessages messages;
  private final PulledClaims claims;
  private final Map<JobId, Job> known = new HashMap<>();
  private final Map<Key, Observed> stays = new LinkedHashMap<>();
  private final Map<JobId, Observed> present = new HashMap<>();
  private final List<Long> disturbed = new ArrayList<>();

  /** The stays of which a row with the name of the job's customer is stored. */
  private Set<Observed> named = Set.of();

  private @Nullable PoolState state;
  private int turns;

  private record Key(JobId job, Instant since) {}

  /** The stay of an attempt, as far as it has been observed. */
  private static final class Observed {
    private final Job job;
    private final long ready;
    private long entered = History.NEVER;
    private long named = History.NEVER;
    private long chosen = History.NEVER;
    private int turn;
    private long moved = History.NEVER;
    private boolean isPulled;
    private long left = History.NEVER;

    /** When the job last became READY again, because its request was refused or not sent. */
    private long readyAgain;

    private int attempt;
    private long claimed = History.NEVER;
    private long ended = History.NEVER;

    Observed(Job job, long ready) {
      this.job = job;
      this.ready = ready;
      this.attempt = job.attempt();
    }
  }

  public PoolRecorder(
      MemoryJobs jobs, MemoryPools pools, PoolMessages messages, PulledClaims claims) {
    this.claims = claims;
    this.changedJobs = new ChangedJobs(jobs);
    this.pools = pools;
    this.messages = messages;
  }

  /** Stores the definition that the pool has when an episode begins. */
  public static void store(PoolChange first, MemoryPools pools) {
    String document = PoolBodies.document(first.definition());
    Instant before = Instant.ofEpochMilli(first.at()).minusSeconds(3_600);
    Pool definition = PoolReader.read(Json.readObject(document));
    pools.save(null, StoredPool.created(POOL, definition, before, "a user"));
  }

  /**
   * Records that an invocation of the checker was killed, had failed calls, or took its own choice
   * for that of another one.
   */
  public void disturbed(long now) {
    disturbed.add(now);
  }

  /**
   * Observes the items that are stored now.
   *
   * @param clock the latest instant that the clock of the running function has shown
   */
  @SuppressWarnings("ReferenceEquality")
  public void observe(long now, long clock) {
    for (Job job : changedJobs.take()) {
      Job before = known.put(job.id(), job);
      if (before != job) {
        observe(before, job, now);
        if (job.place() != null) {
          claims.observe(before == null ? job.state() : before.state(), job, now, clock);
        }
      }
    }
    observeRows(now);
    PoolState stored = pools.state(POOL).orElse(null);
    if (stored != null && stored != state) {
      observe(stored, now);
      state = stored;
    }
  }

  private void observe(@Nullable Job earlier, Job job, long now) {
    Observed before = present.get(job.id());
    Observed stay = before;
    if (job.place() != null) {
      Key key = new Key(job.id(), job.place().since());
      stay = stays.computeIfAbsent(key, any -> new Observed(job, now));
      present.put(job.id(), stay);
    }
    if (before != null && before != stay) {
      before.ended = Math.min(before.ended, now);
    }
    if (stay == null) {
      return;
    }
    if (job.state() == JobState.READY) {
      stay.readyAgain = stay.left == History.NEVER ? stay.readyAgain : now;
      stay.left = History.NEVER;
    } else if (!UNFINISHED.contains(job.state())) {
      stay.ended = Math.min(stay.ended, now);
    } else {
      boolean isReady = earlier != null && earlier.state() == JobState.READY;
      stay.isPulled |= isReady && job.state() == JobState.CLAIMED;
      stay.left = Math.min(stay.left, now);
      stay.attempt = job.attempt();
    }
    if (CLAIMED.contains(job.state())) {
      stay.claimed = Math.min(stay.claimed, now);
    }
  }

  private void observeRows(long now) {
    Set<Observed> nowNamed = new HashSet<>();
    for (PoolRow row : pools.rows(POOL, PoolRow.READY, PoolRow.after(PoolRow.READY), 10_000)) {
      Observed stay =
          row instanceof ReadyJob job ? stays.get(new Key(job.job(), job.since())) : null;
      if (stay != null) {
        stay.entered = Math.min(stay.entered, now);
        if (!((ReadyJob) row).customer().isEmpty()) {
          nowNamed.add(stay);
          stay.named = named.contains(stay) ? stay.named : now;
        }
      }
    }
    named = nowNamed;
  }

  /**
   * Observes the chosen jobs. A job that still waits and is not among them must be chosen again. It
   * has waited for that since it last became READY, or since its choice was lost with the state.
   */
  private void observe(PoolState stored, long now) {
    boolean isReplaced = state != null && stored.version() > state.version() + 1;
    Set<Observed> chosen = new HashSet<>();
    for (Leaving one : stored.leaving()) {
      Observed stay = stays.get(new Key(one.job().job(), one.job().since()));
      if (stay != null) {
        chosen.add(stay);
        if (stay.chosen == History.NEVER) {
          stay.chosen = now;
          stay.turn = ++turns;
        }
        stay.moved = one.isPulled() ? History.NEVER : Math.min(stay.moved, now);
      }
    }
    for (Observed stay : stays.values()) {
      if (!chosen.contains(stay) && stay.left == History.NEVER && stay.ended == History.NEVER) {
        if (stay.chosen != History.NEVER && stay.entered != History.NEVER) {
          stay.entered = Math.max(stay.entered, isReplaced ? now : stay.readyAgain);
        }
        stay.chosen = History.NEVER;
        stay.moved = History.NEVER;
      }
    }
  }

  /** All observations. */
  public PoolFacts facts(List<PoolVersion> versions, List<PullCall> pulls) {
    List<Stay> observed = stays.entrySet().stream().map(this::stay).toList();
    return new PoolFacts(versions, observed, disturbed, pulls, claims.claims());
  }

  private Stay stay(Map.Entry<Key, Observed> one) {
    Observed seen = one.getValue();
    String job = one.getKey().job().toString();
    String request = PoolMessages.request(job, seen.attempt);
    return new Stay(
        job,
        Objects.requireNonNullElse(seen.job.customer(), ""),
        seen.job.priority(),
        one.getKey().since().toEpochMilli(),
        seen.ready,
        seen.entered,
        seen.named,
        seen.chosen,
        seen.turn,
        seen.moved,
        seen.isPulled,
        seen.left,
        Objects.requireNonNullElse(messages.sentAt(request), History.NEVER),
        Objects.requireNonNullElse(messages.receivedAt(request), History.NEVER),
        seen.claimed,
        seen.ended);
  }
}
