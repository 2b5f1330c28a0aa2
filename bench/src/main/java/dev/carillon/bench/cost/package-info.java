/**
 * The cost of launches in units and requests, counted on a virtual clock. It uses the harness and
 * the local engine's meter.
 */
package dev.carillon.bench.cost;
