/**
 * The real functions on simulated stores and queues, the users that call them, and the invariants
 * that are checked after every write. This package may use all others, and the judge's types only
 * to record observations: no invariant is decided by a method of the system.
 */
package dev.carillon.campaign.system;
