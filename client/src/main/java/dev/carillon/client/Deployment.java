package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * An app as it was deployed, and what that did.
 *
 * @param cancelled the jobs that it cancels; null of a server that does not count them
 */
public record Deployment(
    @JsonUnwrapped DeployedApp app,
    @JsonUnwrapped Difference difference,
    @Nullable Cancelled cancelled) {}
