package dev.carillon.lambda;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Credentials that can be resolved again, because those in a snapshot have expired. Their source is
 * resolved at the first request, so a deployment that needs none never resolves it.
 */
final class RenewableCredentials implements AwsCredentialsProvider {

  private final Supplier<AwsCredentialsProvider> factory;
  private @Nullable AwsCredentialsProvider current;

  RenewableCredentials(Supplier<AwsCredentialsProvider> factory) {
    this.factory = factory;
  }

  synchronized void renew() {
    current = null;
  }

  @Override
  public AwsCredentials resolveCredentials() {
    return provider().resolveCredentials();
  }

  private synchronized AwsCredentialsProvider provider() {
    if (current == null) {
      current = factory.get();
    }
    return current;
  }
}
