package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * The deletion of the schedules that launch a program.
 *
 * @param deleted the number of deleted schedules
 * @param keptByApps the number of schedules that stay because they belong to apps. Only a
 *     deployment or the deletion of the app deletes them
 * @param cancelled the jobs that the deletion cancels; null if the server does not count them
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record DeletedSchedules(int deleted, int keptByApps, @Nullable Cancelled cancelled) {}
