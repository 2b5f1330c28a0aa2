package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/** An app as it was deployed, and what that did. */
public record Deployment(@JsonUnwrapped DeployedApp app, @JsonUnwrapped Difference difference) {}
