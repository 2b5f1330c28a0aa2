/** The command-line entry to the fault campaign. It uses the harness and the campaign. */
package dev.carillon.bench.faults;
