package dev.carillon.lambda;

import java.util.function.Supplier;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/** An HTTP client whose connections can be dropped, because no connection survives a snapshot. */
final class RenewableHttpClient implements SdkHttpClient {

  private final Supplier<SdkHttpClient> factory;
  private volatile SdkHttpClient current;

  RenewableHttpClient(Supplier<SdkHttpClient> factory) {
    this.factory = factory;
    this.current = factory.get();
  }

  /** Closes all connections. It must not be called while requests run. */
  void renew() {
    SdkHttpClient old = current;
    current = factory.get();
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
