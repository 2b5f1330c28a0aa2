/** The fault campaign, from the command line. */
package dev.carillon.bench.faults;
