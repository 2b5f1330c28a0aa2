/**
 * The fault campaign. It runs episodes of the whole system under injected faults, records what
 * happened, and lets an independent judge examine the record. This package may use all its
 * subpackages; none of them uses it.
 */
package dev.carillon.campaign;
