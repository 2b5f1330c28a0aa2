package dev.carillon.bench.harness;

/**
 * List prices of requests in us-east-1, in US dollars per million: DynamoDB on demand, SQS standard
 * queues, Lambda. Storage and compute time are not included.
 */
public final class Prices {

  static final double WRITE_UNIT = 0.625;
  static final double READ_UNIT = 0.125;
  static final double SQS_REQUEST = 0.40;
  static final double INVOCATION = 0.20;

  private Prices() {}

  /** The price of a million operations that each use this much. */
  public static double perMillion(
      double writeUnits, double readUnits, double sqsRequests, double invocations) {
    return writeUnits * WRITE_UNIT
        + readUnits * READ_UNIT
        + sqsRequests * SQS_REQUEST
        + invocations * INVOCATION;
  }
}
