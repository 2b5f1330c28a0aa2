package dev.carillon.run;

/**
 * The last accepted final report. A worker that got no answer repeats it.
 *
 * @param token the token of the claim that it ended
 */
public record FinalReport(String token, boolean isSuccess) {}
