package dev.carillon;

import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** Credentials that can be asked for anew: those of a snapshot have expired. */
final class RenewableCredentials implements AwsCredentialsProvider {

  private final Supplier<AwsCredentialsProvider> making;
  private volatile AwsCredentialsProvider current;

  RenewableCredentials(Supplier<AwsCredentialsProvider> making) {
    this.making = making;
    this.current = making.get();
  }

  void renew() {
    current = making.get();
  }

  @Override
  public AwsCredentials resolveCredentials() {
    return current.resolveCredentials();
  }
}
