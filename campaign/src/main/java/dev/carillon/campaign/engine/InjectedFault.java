package dev.carillon.campaign.engine;

/**
 * A single injected fault.
 *
 * @param isOfWrites whether only calls that write are counted
 * @param call the call that fails, counted from 0 over all functions
 */
public record InjectedFault(boolean isOfWrites, int call, CallOutcome outcome) {}
