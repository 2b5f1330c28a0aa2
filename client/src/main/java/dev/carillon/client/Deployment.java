package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * A deployed app, and the effect of the deployment.
 *
 * @param cancelled the jobs that it cancels; null if the server does not count them
 */
public record Deployment(
    @JsonUnwrapped DeployedApp app,
    @JsonUnwrapped Difference difference,
    @Nullable Cancelled cancelled) {}
