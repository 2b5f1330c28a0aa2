package dev.carillon.campaign.engine;

/** The kinds of faults outside of the functions, each with its highest rate per 1,000 calls. */
public enum FaultKind {
  /** A call is refused before it took effect. */
  THROTTLED(40),
  /**
   * A transaction is refused because of a concurrent one, and all retries of the client fail too.
   */
  CONFLICT(60),
  /** A call times out although it took effect. */
  TIMEOUT_AFTER_WRITE(40),
  /** The reply to a conditional write is lost, and the client repeats the write. */
  REPLY_LOST(60),
  /** A call takes several seconds. */
  STALL(25),
  /** The process dies just before a call takes effect. */
  KILL_BEFORE(25),
  /** The process dies just after a call took effect. */
  KILL_AFTER(25),
  /** The process is killed at its function's time-out. */
  KILL_TIMEOUT(0),
  /** Only some entries of a batch take effect, and the call fails. */
  PARTIAL_BATCH(80),
  /** An index shows a change seconds late, and changes of different keys in any order. */
  INDEX_LAG(400),
  /** A read of the index of event keys shows an older state than an earlier read did. */
  INDEX_STEPPED_BACK(0),
  /**
   * A read of another index, or an eventually consistent read, shows an older state than an earlier
   * read did.
   */
  READ_STEPPED_BACK(0),
  /** An eventually consistent read returns a value that is seconds old. */
  STALE_READ(400),
  /** A function receives a check, or a part of one, in a form that only a newer version knows. */
  UNKNOWN_CHECK(0),
  /** A message is delivered twice, the second time up to minutes later. */
  MESSAGE_DUPLICATED(80),
  /** A message is delivered up to three minutes late. */
  MESSAGE_DELAYED(60),
  /** Messages are delivered in another order than they were sent. */
  MESSAGES_REORDERED(500),
  /** A message is delivered again while its first handler still runs. */
  VISIBILITY_LOST(80),
  /** A batch is delivered to two invocations at the same time. */
  BATCH_REPEATED(60),
  /** A handled message is not deleted, and is delivered again. */
  DELETE_LOST(40),
  /** The clock of a function instance is up to two seconds off. */
  CLOCK_SKEWED(700),
  /** A clock steps forward or back while a function runs. */
  CLOCK_STEPPED(8),
  TICK_MISSED(300),
  TICK_DOUBLED(300),
  /** A tick is so late that it runs concurrently with the next. */
  TICK_LATE(200),
  /** The master, or the master and the checker, stop for longer than the look-ahead. */
  OUTAGE(0),
  /** A target queue does not exist, or denies access, for a while. */
  TARGET_REFUSES(600),
  /** A target queue accepts a request but reports a failure. */
  TARGET_ANSWER_LOST(60),
  /** A producer sends an event twice. */
  EVENT_REPEATED(200),
  /** A user's request gets no answer and is repeated. */
  USER_REPEATS(0),
  /** A function meets an item that cannot be read for a while. */
  UNREADABLE_HEAD(0),
  UNREADABLE_DEFINITION(0),
  UNREADABLE_JOB(0),
  UNREADABLE_COLLECTING_JOB(0),
  UNREADABLE_BACKFILL(0),
  UNREADABLE_TIMER(0),
  UNREADABLE_CALENDAR(0),
  UNREADABLE_GATE(0),
  UNREADABLE_LIMIT(0),
  UNREADABLE_POOL(0),
  UNREADABLE_POOL_STATE(0),
  UNREADABLE_POOL_ACTIVITY(0),
  UNREADABLE_SEEN_IDS(0),
  UNREADABLE_SHARDS(0),
  UNREADABLE_APP(0),
  UNREADABLE_PROGRESS(0),
  UNREADABLE_AUDIT(0),
  /** A caller replaces an item that cannot be read. */
  UNREADABLE_REPLACED(0),
  /** A conditional write fails because another write came first. */
  LOST_RACE(0),
  /** A worker dies with a message or a claim. */
  WORKER_DIED(0),
  /** A worker is paused for longer than its claim lives. */
  WORKER_STALLED(0),
  /** A worker claims or reports what it must not, or in the wrong order. */
  WORKER_MISTAKEN(0);

  /**
   * the highest rate; 0 for a fault that is not injected at random. Such a fault is planned or has
   * another cause, and is only counted.
   */
  final int maxRate;

  FaultKind(int maxRate) {
    this.maxRate = maxRate;
  }
}
