package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.collect.Collector;
import dev.carillon.runtime.Fanout;
import java.time.InstantSource;

/**
 * The services that every check needs.
 *
 * @param fanout runs steps that concern one schedule each
 */
record CheckServices(
    Shared shared,
    LaunchSender sender,
    Collector collector,
    Completion completion,
    EndSender ends,
    Fanout fanout,
    InstantSource clock) {}
