package dev.carillon.campaign.system;

/** The functions, with the milliseconds after which each invocation is killed. */
public enum Part {
  MASTER(50_000),
  INGEST(10_000),
  CHECKER(10_000),
  API(29_000);

  final long timeout;

  Part(long timeout) {
    this.timeout = timeout;
  }
}
