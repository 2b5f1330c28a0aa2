package dev.carillon.cli.connection;

import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.output.WrongUsage;
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
   * @param prefersProfile whether the profile has precedence over credentials in the environment
   * @param environment the environment variables, which may name the endpoint of CloudFormation
   * @throws CommandFault if settings are missing or contradict each other
   */
  public static Connection of(
      Settings settings, boolean prefersProfile, Map<String, String> environment) {
    String stack = settings.stack();
    if (stack != null && settings.url() != null) {
      throw new WrongUsage("both a URL and a stack are given; give one of them");
    }
    if (stack == null) {
      return of(settings, prefersProfile, url(settings.url()));
    }
    String region = region(settings, null);
    AwsCredentialsProvider credentials = credentials(settings, prefersProfile);
    URI url = new StackOutputs(region, credentials, environment).apiUrl(stack);
    return new Connection(url, region, credentials);
  }

  private static Connection of(Settings settings, boolean prefersProfile, URI url) {
    return "https".equals(url.getScheme())
        ? new Connection(
            url, region(settings, url.getHost()), credentials(settings, prefersProfile))
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
    throw new WrongUsage(
        "'%s' is not the URL of an API; give one like %s, without /v1"
            .formatted(text, Settings.LOCAL_URL));
  }

  /** The region that the host names; an API accepts signatures for no other region. */
  private static String region(Settings settings, @Nullable String host) {
    Matcher named = EXECUTE_API.matcher(String.valueOf(host));
    if (named.matches()) {
      return named.group(1);
    }
    if (settings.region() != null) {
      return settings.region();
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

  private static AwsCredentialsProvider credentials(Settings settings, boolean prefersProfile) {
    return settings.profile() != null && prefersProfile
        ? ProfileCredentialsProvider.create(settings.profile())
        : DefaultCredentialsProvider.builder().profileName(settings.profile()).build();
  }
}
