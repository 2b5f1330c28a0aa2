package dev.carillon.campaign.engine;

/**
 * A single fault.
 *
 * @param call the call that it strikes, counted from 0 over all functions
 */
public record InjectedFault(int call, CallOutcome outcome) {}
