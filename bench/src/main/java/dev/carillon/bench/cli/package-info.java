/**
 * How quickly the command line answers, compared with a bare JVM. It uses the harness and the local
 * engine; the command line runs in its own processes.
 */
package dev.carillon.bench.cli;
