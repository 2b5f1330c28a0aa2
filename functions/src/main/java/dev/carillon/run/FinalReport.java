package dev.carillon.run;

/**
 * The last accepted final report. A worker that got no answer repeats this report.
 *
 * @param token the token of the claim that the report ended
 */
public record FinalReport(String token, boolean isSuccess) {}
