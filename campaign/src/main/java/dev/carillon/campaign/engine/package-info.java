/**
 * Virtual time, the tasks that run in it, and the faults that are injected into their calls. This
 * package knows neither the system nor its users. It reports failures with the judge's record
 * types.
 */
package dev.carillon.campaign.engine;
