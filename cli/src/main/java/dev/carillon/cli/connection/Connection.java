package dev.carillon.cli.connection;

import dev.carillon.cli.output.CommandFault;
import dev.carillon.client.CarillonClient;
import java.net.URI;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/**
 * The API that a command addresses.
 *
 * @param region the region of the signatures; null for an API without signatures
 * @param credentials the credentials that sign the requests; null for an API without signatures
 */
public record Connection(
    URI url, @Nullable String region, @Nullable AwsCredentialsProvider credentials) {

  private static final Pattern EXECUTE_API =
      Pattern.compile("[^.]+\\.execute-api\\.([^.]+)\\.amazonaws\\.com(\\.cn)?");

  /**
   * An address with {@code http} is called without signatures, as for a local engine; an address
   * with {@code https} is called with signatures.
   *
   * @param settings settings with an address
   * @param environment the environment variables, which may name the endpoint of CloudFormation
   * @throws CommandFault if settings are missing or contradict each other
   */
  public static Connection of(Settings settings, Map<String, String> environment) {
    String stack = settings.stack();
    if (stack != null && settings.url() != null) {
      throw new CommandFault("both a URL and a stack are given; give one of them");
    }
    if (stack == null) {
      return of(settings, url(settings.url()));
    }
    String region = region(settings, null);
    AwsCredentialsProvider credentials = credentials(settings);
    URI url = new StackOutputs(region, credentials, environment).apiUrl(stack);
    return new Connection(url, region, credentials);
  }

  private static Connection of(Settings settings, URI url) {
    return "https".equals(url.getScheme())
        ? new Connection(url, region(settings, url.getHost()), credentials(settings))
        : new Connection(url, null, null);
  }

  /** A client of the API. */
  public CarillonClient client() {
    return region == null || credentials == null
        ? CarillonClient.localForFewCalls(url)
        : CarillonClient.signed(url, region, credentials);
  }

  private static URI url(@Nullable String text) {
    try {
      URI url = URI.create(String.valueOf(text));
      if (url.getHost() != null && String.valueOf(url.getScheme()).matches("https?")) {
        return url;
      }
    } catch (IllegalArgumentException noUrl) {
      // The text is not a URL, so it is refused below.
    }
    throw new CommandFault(
        "'%s' is not the URL of an API; give one like %s, without /v1"
            .formatted(text, Settings.LOCAL_URL));
  }

  private static String region(Settings settings, @Nullable String host) {
    if (settings.region() != null) {
      return settings.region();
    }
    Matcher named = EXECUTE_API.matcher(String.valueOf(host));
    if (named.matches()) {
      return named.group(1);
    }
    try {
      return DefaultAwsRegionProviderChain.builder()
          .profileName(settings.profile())
          .build()
          .getRegion()
          .id();
    } catch (SdkClientException none) {
      throw new CommandFault(
          "no region is configured; give --region, or set AWS_REGION or the profile's region",
          none);
    }
  }

  /**
   * A profile that the caller names has precedence over environment variables, as in the AWS CLI.
   */
  private static AwsCredentialsProvider credentials(Settings settings) {
    return settings.profile() == null
        ? DefaultCredentialsProvider.builder().build()
        : ProfileCredentialsProvider.create(settings.profile());
  }
}
