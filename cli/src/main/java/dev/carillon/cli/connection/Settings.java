package dev.carillon.cli.connection;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings that determine which API a command addresses; a null setting is not given.
 *
 * @param url the address of the API, without {@code /v1}; excludes {@code stack}
 * @param stack the CloudFormation stack whose output has the URL
 * @param region the region of the deployment
 * @param profile the profile of the AWS configuration files
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Settings(
    @Nullable String url,
    @Nullable String stack,
    @Nullable String region,
    @Nullable String profile,
    @Nullable String namespace) {

  /** The address of a local engine. */
  public static final String LOCAL_URL = "http://localhost:8080";

  private static final String DEFAULT_NAMESPACE = "default";

  /**
   * The settings from environment variables; for region and profile, these are the variables of the
   * SDK.
   */
  public static Settings of(Map<String, String> environment) {
    return new Settings(
        environment.get("CARILLON_URL"),
        environment.get("CARILLON_STACK"),
        ofSdk(environment, "AWS_REGION"),
        ofSdk(environment, "AWS_PROFILE"),
        environment.get("CARILLON_NAMESPACE"));
  }

  /** A variable of the SDK, which takes an empty value for none. */
  private static @Nullable String ofSdk(Map<String, String> environment, String variable) {
    String value = environment.get(variable);
    return value == null || value.isEmpty() ? null : value;
  }

  /**
   * These settings, completed by others. If these settings have an address, it replaces the address
   * of the others.
   */
  public Settings or(Settings others) {
    boolean hasAddress = url != null || stack != null;
    return new Settings(
        hasAddress ? url : others.url,
        hasAddress ? stack : others.stack,
        region == null ? others.region : region,
        profile == null ? others.profile : profile,
        namespace == null ? others.namespace : namespace);
  }

  /** These settings, completed by those of a local engine. */
  public Settings orLocal() {
    return or(new Settings(LOCAL_URL, null, null, null, DEFAULT_NAMESPACE));
  }
}
