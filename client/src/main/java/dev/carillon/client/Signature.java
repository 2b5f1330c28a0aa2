package dev.carillon.client;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/** Signs requests for API Gateway (AWS Signature Version 4). */
final class Signature {

  private static final String SERVICE = "execute-api";

  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final String region;
  private final IdentityProvider<? extends AwsCredentialsIdentity> credentials;
  private final Clock clock;

  Signature(
      String region, IdentityProvider<? extends AwsCredentialsIdentity> credentials, Clock clock) {
    this.region = region;
    this.credentials = credentials;
    this.clock = clock;
  }

  /** The given headers and those of the signature. */
  Map<String, List<String>> sign(
      String method, URI uri, Map<String, String> headers, byte @Nullable [] body) {
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder().method(SdkHttpMethod.fromValue(method)).uri(uri);
    headers.forEach(request::putHeader);
    AwsCredentialsIdentity identity = credentials.resolveIdentity().join();
    return signer
        .sign(
            sign -> {
              sign.identity(identity)
                  .request(request.build())
                  .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                  .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                  .putProperty(HttpSigner.SIGNING_CLOCK, clock);
              if (body != null) {
                sign.payload(() -> new ByteArrayInputStream(body));
              }
            })
        .request()
        .headers();
  }
}
