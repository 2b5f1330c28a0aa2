/** The real functions on a virtual clock, in memory: what schedules would do, before they do it. */
package dev.carillon.simulation;
