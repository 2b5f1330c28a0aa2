package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.collect.Collector;
import dev.carillon.runtime.Fanout;
import java.time.InstantSource;

/**
 * What a check is carried out with.
 *
 * @param fanout for what concerns one schedule each
 */
record CheckServices(
    Shared shared,
    LaunchSender sender,
    Collector collector,
    Completion completion,
    Fanout fanout,
    InstantSource clock) {}
