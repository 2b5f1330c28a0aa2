package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.schedule.Schedule;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;

class SignatureTest {

  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-03-10T12:00:00Z"), ZoneOffset.UTC);
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/([^,]+), SignedHeaders=([^,]+), Signature=(.+)");

  private final Stub stub = new Stub();

  @AfterEach
  void stop() {
    stub.close();
  }

  /** The checker of these tests is right: it computes what AWS publishes. */
  @ParameterizedTest
  @CsvSource({
    "GET, '', 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    "POST, '', 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
    "GET, Param2=value2&Param1=value1,"
        + " b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
  })
  void publishedSignaturesAreComputed(String method, String query, String expected) {
    Map<String, String> headers =
        Map.of("host", "example.amazonaws.com", "x-amz-date", "20150830T123600Z");
    assertThat(
            SigV4.signature(
                new SigV4.Request(method, "/", query, headers, new byte[0]),
                List.of("host", "x-amz-date"),
                "20150830/us-east-1/service/aws4_request",
                SECRET))
        .isEqualTo(expected);
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        call("no body", client -> client.namespace("default").delete("report")),
        call(
            "a query",
            client ->
                client
                    .namespace("default")
                    .schedules(
                        ScheduleFilter.all().withTag("team=data & more").withApp("a"), 10, "x+/=")),
        call("a path with ~", client -> client.namespace("n").job("n~a b~00001~0kdl0d5c0")),
        call(
            "a body",
            client ->
                client.namespace("default").put(Schedule.of("report", "{\"description\": \"ä\"}"))),
        call(
            "a condition",
            client -> client.namespace("default").replace(Schedule.of("report", "{}"), "\"1\"")));
  }

  private static Arguments call(String name, Consumer<CarillonClient> call) {
    return Arguments.of(name, call);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void everyRequestCarriesTheSignatureOfItsContent(String name, Consumer<CarillonClient> call) {
    stub.answers(404, "");
    CarillonClient client =
        CarillonClient.signed(
            URI.create(stub.uri() + "/live"),
            "eu-west-1",
            provider(AwsCredentialsIdentity.create("AKIDEXAMPLE", SECRET)),
            NOW);
    try {
      call.accept(client);
    } catch (CarillonException.NotFound expected) {
      assertThat(expected.status()).isEqualTo(404);
    }
    assertSigned(stub.request, "host", "x-amz-date");
  }

  @Test
  void temporaryCredentialsBringTheirToken() {
    stub.answers(404, "");
    CarillonClient client =
        CarillonClient.signed(
            stub.uri(),
            "eu-west-1",
            provider(AwsSessionCredentialsIdentity.create("AKIDEXAMPLE", SECRET, "token")),
            NOW);
    try {
      client.status();
    } catch (CarillonException.NotFound expected) {
      assertThat(expected.status()).isEqualTo(404);
    }
    assertThat(stub.request.headers()).containsEntry("x-amz-security-token", "token");
    assertSigned(stub.request, "host", "x-amz-date", "x-amz-security-token");
  }

  @Test
  void aLocalEngineGetsNoSignature() {
    stub.answers(200, "{\"oldestDueAgeSeconds\": 0}");
    CarillonClient.local(stub.uri()).status();
    assertThat(stub.request.headers()).doesNotContainKeys("authorization", "x-amz-date");
  }

  private static void assertSigned(SigV4.Request request, String... signed) {
    Matcher authorization = AUTHORIZATION.matcher(request.headers().get("authorization"));
    assertThat(authorization.matches()).isTrue();
    assertThat(authorization.group(1)).isEqualTo("20260310/eu-west-1/execute-api/aws4_request");
    List<String> names = List.of(authorization.group(2).split(";"));
    assertThat(names).contains(signed);
    assertThat(authorization.group(3))
        .isEqualTo(SigV4.signature(request, names, authorization.group(1), SECRET));
  }

  private static <T extends AwsCredentialsIdentity>
      IdentityProvider<AwsCredentialsIdentity> provider(T identity) {
    return new IdentityProvider<>() {
      @Override
      public Class<AwsCredentialsIdentity> identityType() {
        return AwsCredentialsIdentity.class;
      }

      @Override
      public CompletableFuture<AwsCredentialsIdentity> resolveIdentity(
          ResolveIdentityRequest request) {
        return CompletableFuture.completedFuture(identity);
      }
    };
  }
}
