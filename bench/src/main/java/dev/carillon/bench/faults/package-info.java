/** The fault campaign, from the command line. Uses the harness and the campaign. */
package dev.carillon.bench.faults;
