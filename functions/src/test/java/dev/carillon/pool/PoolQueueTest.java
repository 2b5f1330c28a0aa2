package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static dev.carillon.pool.PooledJobs.leaving;
import static dev.carillon.pool.PooledJobs.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.PoolQueue.Chosen;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.run.Claim;
import dev.carillon.run.Place;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolQueueTest {

  private static final Instant LATER = NOON.plusSeconds(9);
  private static final Reason ANY = Reason.of(ReasonCode.SCHEDULE_CHANGED);
  private static final Job READY = PooledJobs.ready(1, "A", 5, NOON);
  private static final ReadyJob ROW = PoolQueue.row(READY, Pool.Order.FAIR);

  private final Pools pools = new MemoryGates(new MemoryJobs(1)).pools();
  private final PoolQueue queue = new PoolQueue(pools);

  private List<PoolRow> rows(String kind) {
    return pools.rows(ID, kind, PoolRow.after(kind), 100);
  }

  private static Job leased(Job ready) {
    return ready.launching(LATER, LATER.plusSeconds(15));
  }

  private static Job queued(Job ready) {
    return leased(ready).enqueued(LATER, null, LATER.plusSeconds(900));
  }

  private static Job claimed(Job ready) {
    Claim claim = new Claim("w", "t", LATER, null);
    return TrackedJob.claimed(queued(ready), claim, LATER, LATER.plusSeconds(9));
  }

  private static Job again(Job job, String pool, Instant since) {
    return job.waitingIn(new Place(pool, since, false), null, since, ANY);
  }

  /** A job that was READY in the pool since noon. */
  private static @Nullable Job job(String fate) {
    return switch (fate) {
      case "waits" -> READY;
      case "has no place" ->
          NewJob.dueFire(PooledJobs.id(1), 1, "encoder").withCustomerAndPriority("A", 5);
      case "is leased" -> leased(READY);
      case "is queued" -> queued(READY);
      case "is claimed" -> claimed(READY);
      case "is cancelled" -> READY.ended(JobState.CANCELLED, LATER, ANY);
      case "waits again" -> again(leased(READY), ID.name(), LATER);
      case "is leased again" -> leased(again(leased(READY), ID.name(), LATER));
      case "waits in another pool" -> again(leased(READY), "other", NOON);
      case "is leased in another pool" -> leased(again(leased(READY), "other", NOON));
      case "is deleted" -> null;
      default -> throw new IllegalArgumentException(fate);
    };
  }

  @ParameterizedTest
  @CsvSource({
    // fate, waits in its place, is taken out of its place by a checker
    "waits,                     true,  false",
    "has no place,              false, false",
    "is leased,                 false, true",
    "is queued,                 false, false",
    "is claimed,                false, false",
    "is cancelled,              false, false",
    "waits again,               false, false",
    "is leased again,           false, false",
    "waits in another pool,     false, false",
    "is leased in another pool, false, false",
    "is deleted,                false, false"
  })
  void aRowNamesAPlaceOfAJob(String fate, boolean isAt, boolean isBeingMoved) {
    Job job = job(fate);
    assertThat(PoolQueue.isAt(ROW, job)).isEqualTo(isAt);
    assertThat(PoolQueue.isBeingMoved(ROW, job)).isEqualTo(isBeingMoved);
    if (job != null) {
      assertThat(PoolQueue.isAt(PoolQueue.inFlight(READY), job)).isEqualTo(isAt);
    }
  }

  /** The first attempt became READY at noon, the second 9 seconds later. */
  @ParameterizedTest
  @CsvSource({
    // attempts, whether the first was taken, whether the second was taken
    "waits,          false, false",
    "leased,         false, false",
    "queued,         true,  true",
    "claimed,        true,  true",
    "queued waits,   true,  false",
    "claimed waits,  true,  false",
    "queued queued,  true,  true",
    "leased waits,   false, false",
    "leased queued,  true,  true"
  })
  void aJobWasTakenIfItReachedTheQueueOrAWorkerInOrAfterAnAttempt(
      String attempts, boolean first, boolean second) {
    Job job = READY;
    String[] fates = attempts.split(" ");
    for (int attempt = 0; attempt < fates.length; attempt++) {
      Job ready = attempt == 0 ? job : again(job, ID.name(), LATER);
      job =
          switch (fates[attempt]) {
            case "waits" -> ready;
            case "leased" -> leased(ready);
            case "queued" -> queued(ready);
            case "claimed" -> claimed(ready);
            default -> throw new IllegalArgumentException(attempts);
          };
    }
    assertThat(PoolQueue.wasTaken(job, NOON)).isEqualTo(first);
    if (fates.length > 1) {
      assertThat(PoolQueue.wasTaken(job, LATER)).isEqualTo(second);
    }
  }

  /** A checker whose clock is behind stored the later attempt at the same instant. */
  @Test
  void theOrderOfTheTransitionsDecidesIfClocksDiffer() {
    Job queued = leased(READY).enqueued(NOON, null, LATER);
    assertThat(PoolQueue.wasTaken(queued, NOON)).isTrue();
    assertThat(PoolQueue.wasTaken(again(queued, ID.name(), NOON), NOON)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"A, FAIR, A", "A, FIFO, ''", "-, FAIR, ''", "-, FIFO, ''"})
  void aJobWaitsAmongThoseOfItsCustomerOrByFifoAmongAll(
      @Nullable String customer, Pool.Order order, String row) {
    Job job = READY.withCustomerAndPriority(customer, 4);
    assertThat(PoolQueue.row(job, order)).isEqualTo(new ReadyJob(ID, 4, row, NOON, READY.id()));
    assertThat(PoolQueue.inFlight(job).customer()).isEqualTo(customer == null ? "" : customer);
    assertThat(PoolQueue.pool(job)).isEqualTo(ID);
  }

  // ---- entering

  @Test
  void aCustomerWithoutAWaitingJobIsANewcomer() {
    queue.enter(List.of(ROW, row(2, "A", 5), row(3, "A", 4), row(4, "B", 5)), Set.of());
    assertThat(rows(PoolRow.NEW))
        .containsExactly(newcomer(4, "A"), newcomer(5, "A"), newcomer(5, "B"));
    assertThat(rows(PoolRow.READY)).hasSize(4);
    pools.remove(rows(PoolRow.NEW));
    queue.enter(List.of(ROW, row(5, "A", 5), row(6, "C", 5)), Set.of());
    assertThat(rows(PoolRow.NEW)).containsExactly(newcomer(5, "C"));
    assertThat(rows(PoolRow.READY)).hasSize(6);
  }

  @Test
  void aWeightedCustomerIsANewcomerAgainIfACrashCameBeforeItsRow() {
    pools.put(List.of(ROW));
    queue.enter(List.of(ROW), Set.of("A"));
    assertThat(rows(PoolRow.NEW)).containsExactly(newcomer(5, "A"));
    pools.remove(rows(PoolRow.NEW));
    queue.enter(List.of(row(9, "A", 5)), Set.of("A"));
    assertThat(rows(PoolRow.NEW)).as("an older job waits").isEmpty();
  }

  /** The invocation that removed the row crashed before it put that of the newcomer. */
  @Test
  void aWeightedCustomerIsANewcomerIfAJobWaitsBehindTheRemovedRow() {
    Pool weighted = pool("{\"weights\": {\"A\": 3}}").pool();
    LeavingJobs left = new LeavingJobs(List.of(), List.of(), List.of(ROW), 0, PoolState.begin(ID));
    queue.remove(weighted, left);
    assertThat(rows(PoolRow.NEW)).isEmpty();
    pools.put(List.of(row(2, "A", 5)));
    queue.remove(weighted, left);
    queue.remove(weighted, left);
    assertThat(rows(PoolRow.NEW)).containsExactly(newcomer(5, "A"));
    queue.remove(pool("{}").pool(), left);
    assertThat(rows(PoolRow.READY)).containsExactly(row(2, "A", 5));
  }

  private static ReadyJob row(int number, String customer, int priority) {
    Job job = PooledJobs.ready(number, customer, priority, NOON);
    return PoolQueue.row(job, Pool.Order.FAIR);
  }

  private static Newcomer newcomer(int priority, String customer) {
    return new Newcomer(ID, priority, customer);
  }

  @Test
  void eachPoolHasItsOwnNewcomers() {
    PoolId other = new PoolId("default", "other");
    queue.enter(List.of(ROW, new ReadyJob(other, 5, "A", NOON, READY.id())), Set.of());
    assertThat(pools.rows(other, PoolRow.NEW, PoolRow.after(PoolRow.NEW), 9)).hasSize(1);
    assertThat(rows(PoolRow.NEW)).hasSize(1);
  }

  // ---- storing a choice

  private Chosen choose(StoredPool pool, PoolState state) {
    return queue.choose(pool.pool(), state, 1, Set.of(), new Taker(false, 0, LATER), NOON);
  }

  @Test
  void aChoiceIsStoredWithItsRows() {
    StoredPool pool = pool("{\"maxInFlight\": {\"A\": 2}}");
    Leaving before = leaving(PooledJobs.ready(2, "A", 5, NOON), false);
    Leaving unlimited = leaving(PooledJobs.ready(3, "B", 5, NOON), false);
    queue.enter(List.of(ROW), Set.of());
    Chosen chosen = choose(pool, PoolState.begin(ID));
    assertThat(chosen.jobs()).containsExactly(ROW);
    assertThat(chosen.isCutShort()).isFalse();

    List<Leaving> again = List.of(before, unlimited);
    assertThat(queue.store(pool.pool(), PoolState.begin(ID), chosen, again, chosen.next()))
        .isTrue();
    assertThat(pools.state(ID)).contains(chosen.next());
    assertThat(rows(PoolRow.FLIGHT))
        .containsExactlyInAnyOrder(
            PoolQueue.inFlight(READY),
            new InFlight(ID, "A", before.job().since(), before.job().job()));
    assertThat(rows(PoolRow.NEW)).as("the customer had its turn").isEmpty();
  }

  @Test
  void aChoiceIsNotStoredIfAnotherInvocationHasChosenMeanwhile() {
    StoredPool pool = pool("{\"maxInFlight\": {\"A\": 2}}");
    queue.enter(List.of(ROW), Set.of());
    Chosen chosen = choose(pool, PoolState.begin(ID));
    PoolState other = PooledJobs.choosing(List.of());
    assertThat(pools.update(PoolState.begin(ID), other)).isTrue();

    assertThat(queue.store(pool.pool(), PoolState.begin(ID), chosen, List.of(), chosen.next()))
        .isFalse();
    assertThat(pools.state(ID)).contains(other);
    assertThat(rows(PoolRow.FLIGHT)).isEmpty();
    assertThat(rows(PoolRow.NEW)).hasSize(1);
  }

  // ---- jobs that end

  /** Jobs of A wait with priorities 0, 5 and 9; none of B waits. */
  @ParameterizedTest
  @CsvSource({
    "'{}',                           A, 0",
    "'{\"maxInFlight\": {\"A\": 1}}', A, 3",
    "'{\"maxInFlight\": {\"A\": 1}}', B, 0",
    "'{\"maxInFlight\": {\"B\": 1}}', A, 0",
    "'{\"maxInFlight\": {\"B\": 1}}', B, 0"
  })
  void aCustomerBelowItsLimitIsServedNextIfItsJobsWait(
      String document, String customer, int newcomers) {
    queue.enter(List.of(row(1, "A", 0), row(2, "A", 5), row(3, "A", 9)), Set.of());
    pools.remove(rows(PoolRow.NEW));
    queue.freed(pool(document).pool(), ID, customer);
    assertThat(rows(PoolRow.NEW)).hasSize(newcomers);
  }

  @Test
  void aCustomerIsServedNextIfItIsUnknownWhetherItHasALimit() {
    queue.enter(List.of(row(1, "A", 0), row(2, "A", 9), row(3, "B", 5)), Set.of());
    pools.remove(rows(PoolRow.NEW));
    queue.freed(ID, "A");
    assertThat(rows(PoolRow.NEW)).containsExactly(newcomer(0, "A"), newcomer(9, "A"));
  }
}
