/**
 * What launches cost, in units and requests counted on a virtual clock. Uses the harness and the
 * local engine's meter.
 */
package dev.carillon.bench.cost;
