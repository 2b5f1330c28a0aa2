package dev.carillon.campaign.engine;

/**
 * A single injected fault.
 *
 * @param call the call that fails, counted from 0 over all functions; of the calls that write, if
 *     the fault comes after the effect, because a read has none
 */
public record InjectedFault(int call, CallOutcome outcome) {}
