package dev.carillon.campaign;

import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.TrackedJob;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions that hand jobs of pools to workers wrongly, or forget what customers may have. */
final class FaultyPulls {

  /** The function that answers pulls. */
  static final Set<FunctionName> API = Set.of(FunctionName.API);

  private static final Duration LONG = Duration.ofHours(1);
  private static final Pattern COUNT = Pattern.compile("\"count\": (\\d+)");
  private static final int MOST = 25;
  private static final int USUAL = 5;

  private FaultyPulls() {}

  /** The record of what a request got is neither stored nor found. */
  static Pools withoutRecords(Pools real) {
    return Around.of(Pools.class, real)
        .replace("pull", arguments -> Optional.empty())
        .replace(
            "save",
            arguments ->
                arguments.length == 1
                    || real.save((@Nullable StoredPool) arguments[0], (StoredPool) arguments[1]))
        .port();
  }

  /** No job is in flight. */
  static Pools withoutFlights(Pools real) {
    return Around.of(Pools.class, real)
        .<List<PoolRow>>after(
            "rows", rows -> rows.stream().filter(row -> !FaultyPools.isFlight(row)).toList())
        .port();
  }

  static Pool withoutWeights(Pool pool) {
    return new Pool(
        pool.queue(),
        pool.depth(),
        pool.order(),
        Map.of(),
        pool.limits(),
        pool.match(),
        pool.paused(),
        pool.document());
  }

  /** All jobs wait with the same priority. */
  static Pools equallyUrgent(Pools real) {
    return Around.of(Pools.class, real)
        .replace(
            "put",
            arguments -> {
              List<PoolRow> rows = new ArrayList<>();
              for (Object row : (Collection<?>) arguments[0]) {
                rows.add(row instanceof ReadyJob job ? usual(job) : (PoolRow) row);
              }
              real.put(rows);
              return rows;
            })
        .port();
  }

  private static ReadyJob usual(ReadyJob job) {
    return new ReadyJob(job.pool(), USUAL, job.customer(), job.since(), job.job());
  }

  /** A request gets one job more than it asks for. */
  static Tampering givingOneMore() {
    return new Tampering() {
      @Override
      public String received(FunctionName function, String body) {
        return COUNT
            .matcher(body)
            .replaceAll(
                found -> "\"count\": " + Math.min(MOST, Integer.parseInt(found.group(1)) + 1));
      }
    };
  }

  private static boolean isPull(Update update) {
    return update.before().isReady() && update.after().state() == JobState.CLAIMED;
  }

  /** Claims of pulls are answered, and not stored. */
  static Jobs withoutClaims(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace(
            "update",
            arguments -> {
              List<Update> updates = Around.list(arguments[0]);
              List<Optional<Job>> others =
                  real.update(updates.stream().filter(it -> !isPull(it)).toList());
              List<Optional<Job>> all = new ArrayList<>();
              int next = 0;
              for (Update update : updates) {
                all.add(isPull(update) ? Optional.empty() : others.get(next++));
              }
              return all;
            })
        .port();
  }

  /** The claim of a pull runs for an hour longer. */
  static Jobs withLongClaims(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace(
            "update",
            arguments ->
                real.update(
                    Around.<Update>list(arguments[0]).stream()
                        .map(it -> isPull(it) ? new Update(it.before(), longer(it)) : it)
                        .toList()))
        .port();
  }

  private static Job longer(Update pull) {
    Job after = pull.after();
    boolean isCounted = after.place() != null && after.place().isCounted();
    Job before = isCounted ? TrackedJob.counted(pull.before()) : pull.before();
    return TrackedJob.claimed(
        before,
        Objects.requireNonNull(after.claim()),
        Objects.requireNonNull(after.claim()).claimedAt(),
        Objects.requireNonNull(after.reportBy()).plus(LONG));
  }

  /** A pull claims a job that another one has claimed meanwhile. */
  static Jobs claimingAnyway(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace(
            "update",
            arguments -> {
              List<Update> updates = Around.list(arguments[0]);
              return real.update(
                  updates.stream().map(it -> isPull(it) ? present(real, it) : it).toList());
            })
        .port();
  }

  private static Update present(Jobs real, Update update) {
    Job stored = real.find(List.of(update.before().id())).get(update.before().id());
    return new Update(stored == null ? update.before() : stored, update.after());
  }
}
