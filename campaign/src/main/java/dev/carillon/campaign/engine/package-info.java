/**
 * Virtual time, the tasks that run in it, and the faults that strike at their calls. It knows
 * neither the system nor its users; what failed it notes in the judge's words.
 */
package dev.carillon.campaign.engine;
