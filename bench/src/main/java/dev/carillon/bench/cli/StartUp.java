package dev.carillon.bench.cli;

/**
 * How long a command takes, from the start of its process to its end.
 *
 * @param millis the median
 * @param ratio the median of its ratio to the bare JVM of the same round
 */
record StartUp(String command, int rounds, double millis, double ratio) {}
