package dev.carillon.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The endpoint of CloudFormation. */
class StackOutputsTest {

  private static final String OWN = "AWS_ENDPOINT_URL_CLOUDFORMATION";
  private static final String ALL = "AWS_ENDPOINT_URL";
  private static final String USUAL = "https://cloudformation.eu-west-1.amazonaws.com";

  private static String endpoint(Map<String, String> environment) {
    return StackOutputs.endpoint("eu-west-1", environment);
  }

  @Test
  void aVariableNamesAnotherEndpoint() {
    assertThat(endpoint(Map.of())).isEqualTo(USUAL);
    assertThat(endpoint(Map.of(ALL, "http://all"))).isEqualTo("http://all");
    assertThat(endpoint(Map.of(ALL, "http://all", OWN, "http://own"))).isEqualTo("http://own");
  }

  @Test
  void anEmptyVariableNamesNone() {
    assertThat(endpoint(Map.of(ALL, ""))).isEqualTo(USUAL);
    assertThat(endpoint(Map.of(OWN, ""))).isEqualTo(USUAL);
    assertThat(endpoint(Map.of(ALL, "http://all", OWN, ""))).isEqualTo("http://all");
    assertThat(endpoint(Map.of(ALL, "", OWN, ""))).isEqualTo(USUAL);
  }
}
