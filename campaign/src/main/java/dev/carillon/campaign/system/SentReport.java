package dev.carillon.campaign.system;

/**
 * A message of the report queue.
 *
 * @param sentAt when the queue accepted it, by the clock of SQS
 */
public record SentReport(String body, long sentAt) {}
