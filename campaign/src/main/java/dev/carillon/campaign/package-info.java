/**
 * The fault campaign: plays episodes of the whole system under faults, writes down what happened,
 * and has that judged by an independent checker. It may use all rooms; none uses it.
 */
package dev.carillon.campaign;
