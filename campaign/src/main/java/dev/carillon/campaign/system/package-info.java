/**
 * The real functions on simulated stores and queues, the users that call them, and the invariants
 * that are checked after every write. This package may use all other packages. It uses the judge's
 * types only to record observations. No method of the system decides an invariant.
 */
package dev.carillon.campaign.system;
