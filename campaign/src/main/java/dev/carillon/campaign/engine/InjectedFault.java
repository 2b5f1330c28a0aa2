package dev.carillon.campaign.engine;

/**
 * A single injected fault.
 *
 * @param call the call that fails, counted from 0 over all functions
 */
public record InjectedFault(int call, CallOutcome outcome) {}
