/** The fault campaign: the whole system under faults, judged by an independent checker. */
package dev.carillon.campaign;
