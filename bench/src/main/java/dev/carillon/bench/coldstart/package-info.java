/** How long a function takes that runs for the first time. */
package dev.carillon.bench.coldstart;
