package dev.carillon.cli.session;

import dev.carillon.cli.connection.Settings;
import dev.carillon.cli.output.Format;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has. */
public final class GlobalOptions {

  @Option(
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "The API, without /v1; also CARILLON_URL. http is not signed, https is.")
  private @Nullable String url;

  @Option(
      names = "--stack",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "The CloudFormation stack that has the API; also CARILLON_STACK.")
  private @Nullable String stack;

  @Option(
      names = "--region",
      paramLabel = "REGION",
      scope = ScopeType.INHERIT,
      description = "The AWS region; also AWS_REGION.")
  private @Nullable String region;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "The profile of the AWS configuration; also AWS_PROFILE.")
  private @Nullable String profile;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "A context of the configuration file; also CARILLON_CONTEXT.")
  @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "The namespace, 'default' by default; also CARILLON_NAMESPACE.")
  private @Nullable String namespace;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      scope = ScopeType.INHERIT,
      description = "table, wide, json, yaml or name.")
  Format format = Format.TABLE;

  @Option(
      names = "--utc",
      scope = ScopeType.INHERIT,
      description = "Show and read times in UTC instead of local time.")
  boolean utc;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  boolean verbose;

  GlobalOptions() {}

  /** The format of the output. */
  public Format format() {
    return format;
  }

  Settings settings() {
    return new Settings(url, stack, region, profile, namespace);
  }
}
