package dev.carillon.lambda;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Credentials that can be asked for anew: those of a snapshot have expired. Where they come from is
 * looked for at the first request, so a deployment that needs none never does.
 */
final class RenewableCredentials implements AwsCredentialsProvider {

  private final Supplier<AwsCredentialsProvider> making;
  private @Nullable AwsCredentialsProvider current;

  RenewableCredentials(Supplier<AwsCredentialsProvider> making) {
    this.making = making;
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
      current = making.get();
    }
    return current;
  }
}
