package dev.carillon.campaign.system;

/** The functions of the system, each with its time-out in milliseconds. */
public enum FunctionName {
  MASTER(50_000),
  INGEST(10_000),
  CHECKER(10_000),
  API(29_000),
  REPORT(10_000);

  final long timeout;

  FunctionName(long timeout) {
    this.timeout = timeout;
  }
}
