package dev.carillon.lambda;

import java.util.function.Supplier;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/** An HTTP client whose connections can be dropped: none survives a snapshot. */
final class RenewableHttpClient implements SdkHttpClient {

  private final Supplier<SdkHttpClient> making;
  private volatile SdkHttpClient current;

  RenewableHttpClient(Supplier<SdkHttpClient> making) {
    this.making = making;
    this.current = making.get();
  }

  /** Closes all connections. Nothing may be under way. */
  void renew() {
    SdkHttpClient old = current;
    current = making.get();
    old.close();
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return current.prepareRequest(request);
  }

  @Override
  public String clientName() {
    return current.clientName();
  }

  @Override
  public void close() {
    current.close();
  }
}
