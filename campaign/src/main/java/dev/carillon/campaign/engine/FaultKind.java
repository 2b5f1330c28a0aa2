package dev.carillon.campaign.engine;

/** What can go wrong outside of the functions, with the highest rate (of 1,000) it is given. */
public enum FaultKind {
  /** A call is refused before it did anything. */
  THROTTLED(40),
  /** A transaction is refused because another is under way, until the retries are used up. */
  CONFLICT(60),
  /** A call times out although it did what was asked. */
  TIMEOUT_AFTER_WRITE(40),
  /** The reply to a conditional write is lost, and the client repeats it. */
  REPLY_LOST(60),
  /** A call takes seconds. */
  STALL(25),
  /** The process dies right before a call takes effect. */
  KILL_BEFORE(25),
  /** The process dies right after a call took effect. */
  KILL_AFTER(25),
  /** The process reached its function's time-out. */
  KILL_TIMEOUT(0),
  /** Of a batch only some were done, and the call failed. */
  PARTIAL_BATCH(80),
  /** An index shows a change seconds later, and not in the order of the changes. */
  INDEX_LAG(400),
  /** A read that need not be consistent shows what was there seconds ago. */
  STALE_READ(400),
  /** A message is delivered a second time, up to minutes later. */
  MESSAGE_DUPLICATED(80),
  /** A message is delivered up to three minutes late. */
  MESSAGE_DELAYED(60),
  /** Messages are handed out in another order than they were sent. */
  MESSAGES_REORDERED(500),
  /** A message is handed out again while its first handler is at work. */
  VISIBILITY_LOST(80),
  /** A batch is handed out twice at the same time. */
  BATCH_REPEATED(60),
  /** What was handled is not deleted, and comes again. */
  DELETE_LOST(40),
  /** An instance of a function has a clock that is up to two seconds off. */
  CLOCK_SKEWED(700),
  /** A clock steps, also back, while a function runs. */
  CLOCK_STEPPED(8),
  TICK_MISSED(300),
  TICK_DOUBLED(300),
  /** A tick comes so late that it runs beside the next. */
  TICK_LATE(200),
  /** The master, or master and checker, do not run for longer than fires are handed over ahead. */
  OUTAGE(0),
  /** A target queue is missing or denied for a while. */
  TARGET_REFUSES(600),
  /** A target queue reports a failure for what it has accepted. */
  TARGET_ANSWER_LOST(60),
  /** A producer sends an event twice. */
  EVENT_REPEATED(200),
  /** A user's request is answered by nobody and repeated. */
  USER_REPEATS(0),
  /** A conditional write was lost to another one that came in between. */
  LOST_RACE(0);

  /** 0: it is not injected at random, but planned, or follows from others, and is counted. */
  final int highestRate;

  FaultKind(int highestRate) {
    this.highestRate = highestRate;
  }
}
