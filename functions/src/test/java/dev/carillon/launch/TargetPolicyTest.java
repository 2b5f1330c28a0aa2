package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetPolicyTest {

  private static final String HERE = "arn:aws:sqs:eu-west-1:123456789012:";

  @ParameterizedTest
  @CsvSource({
    "exports,                                                      arn:aws:sqs:eu-west-1:123456789012:exports",
    "exports.fifo,                                                 arn:aws:sqs:eu-west-1:123456789012:exports.fifo",
    "arn:aws:sqs:us-east-1:210987654321:exports,                   arn:aws:sqs:us-east-1:210987654321:exports",
    "arn:aws-cn:sqs:cn-north-1:210987654321:exports,               arn:aws-cn:sqs:cn-north-1:210987654321:exports",
    "https://sqs.us-east-1.amazonaws.com/210987654321/exports,     arn:aws:sqs:us-east-1:210987654321:exports",
    "https://sqs.cn-north-1.amazonaws.com.cn/210987654321/exports, arn:aws-cn:sqs:cn-north-1:210987654321:exports",
    "https://sqs.us-gov-west-1.amazonaws.com/210987654321/exports, arn:aws-us-gov:sqs:us-gov-west-1:210987654321:exports",
    "http://localhost:9324/000000000000/exports,                   arn:aws:sqs:eu-west-1:000000000000:exports",
    "http://sqs.us-west-2.localhost.localstack.cloud:4566/000000000000/q, arn:aws:sqs:us-west-2:000000000000:q",
  })
  void aQueueIsResolvedToItsArn(String queue, String arn) {
    assertThat(policy("*").resolve(queue)).isEqualTo(arn);
  }

  @ParameterizedTest
  @CsvSource({
    "exports,                                                    carillon-target-exports",
    "exports.fifo,                                               carillon-target-exports.fifo",
    "carillon-target-exports,                                    carillon-target-exports",
    "carillon-target-exports.fifo,                               carillon-target-exports.fifo",
    "Carillon-target-exports,                                    carillon-target-Carillon-target-exports",
    "carillon-check,                                             carillon-target-carillon-check",
    "other-target-exports,                                       carillon-target-other-target-exports",
    "arn:aws:sqs:eu-west-1:123456789012:exports,                 exports",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/exports,   exports",
  })
  void aNameWithoutThePrefixGetsThePrefix(String queue, String name) {
    TargetPolicy policy = prefixed("carillon-target-", HERE + "carillon-target-*");

    assertThat(policy.resolve(queue)).isEqualTo(HERE + name);
    assertThat(policy.allowingAll().resolve(queue)).isEqualTo(HERE + name);
    assertThat(policy.refusal("team", policy.resolve(queue)).isEmpty())
        .isEqualTo(name.startsWith("carillon-target-"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "arn:aws:sqs:us-east-1:210987654321:exports",
        "arn:aws-cn:sqs:cn-north-1:210987654321:exports",
        "https://sqs.us-east-1.amazonaws.com/210987654321/exports"
      })
  void oneServerHasTheQueuesOfAllRegionsAndAccounts(String queue) {
    TargetPolicy policy = prefixed("carillon-target-", HERE + "*").ofOneServer();
    assertThat(policy.resolve(queue)).isEqualTo(HERE + "exports");
    assertThat(policy.allowingAll().resolve(queue)).isEqualTo(HERE + "exports");
    assertThat(policy.refusal("team", policy.resolve(queue))).isEmpty();
    assertThat(policy.resolve("exports")).isEqualTo(HERE + "carillon-target-exports");
  }

  @Test
  void theQueuesOfOneServerThatAreReservedAreSoByEachArn() {
    TargetPolicy policy =
        new TargetPolicy(
                "eu-west-1", "123456789012", "", List.of("*"), Set.of(HERE + "carillon-check"))
            .ofOneServer();
    String check = policy.resolve("arn:aws:sqs:us-east-1:210987654321:carillon-check");
    assertThat(policy.refusal("team", check).orElse("")).contains("reserved");
  }

  @Test
  void aNameThatIsTooLongWithThePrefixIsRefused() {
    TargetPolicy policy = prefixed("carillon-target-", "*");

    assertThat(policy.resolve("q".repeat(64))).endsWith(":carillon-target-" + "q".repeat(64));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.resolve("q".repeat(65)))
        .withMessageContaining("\"" + "q".repeat(65) + "\" becomes carillon-target-q")
        .withMessageContaining(": 81 characters, where SQS allows 80");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.resolve("a b"))
        .withMessageContaining("\"a b\" is not a queue name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a b",
        "exports.json",
        ".fifo",
        "${customer}",
        "a/b",
        "exports\n",
        "arn:aws:sns:eu-west-1:123456789012:topic",
        "arn:aws:sqs:eu-west-1:1234:exports",
        "arn:aws:sqs:eu-west-1:123456789012:a:b",
        "arn:aws:sqs:eu-west-1:123456789012:a*",
        "https://sqs.us-east-1.amazonaws.com/exports",
        "https://sqs.us-east-1.amazonaws.com/123456789012/a/b",
        "ftp://sqs.us-east-1.amazonaws.com/123456789012/a",
      })
  void textsThatNameNoQueueAreRefused(String queue) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy("*").resolve(queue))
        .withMessageContaining("is not ");
  }

  @Test
  void aQueueNameHasAtMostEightyCharactersWithItsEnding() {
    assertThat(policy("*").resolve("q".repeat(80))).endsWith(":" + "q".repeat(80));
    assertThat(policy("*").resolve("q".repeat(75) + ".fifo")).endsWith(".fifo");
    assertThatIllegalArgumentException().isThrownBy(() -> policy("*").resolve("q".repeat(81)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy("*").resolve("q".repeat(76) + ".fifo"));
  }

  @ParameterizedTest
  @CsvSource({
    "*,                                     arn:aws:sqs:eu-west-1:210987654321:any,             true",
    "arn:aws:sqs:eu-west-1:123456789012:t-*, arn:aws:sqs:eu-west-1:123456789012:t-exports,      true",
    "arn:aws:sqs:eu-west-1:123456789012:t-*, arn:aws:sqs:eu-west-1:123456789012:t-,             true",
    "arn:aws:sqs:eu-west-1:123456789012:t-*, arn:aws:sqs:eu-west-1:123456789012:exports,        false",
    "arn:aws:sqs:eu-west-1:123456789012:t-*, arn:aws:sqs:eu-west-1:123456789012:T-exports,      false",
    "arn:aws:sqs:eu-west-1:123456789012:t-*, arn:aws:sqs:us-east-1:123456789012:t-exports,      false",
    "arn:aws:sqs:eu-west-1:123456789012:t-*, arn:aws:sqs:eu-west-1:210987654321:t-exports,      false",
    "arn:aws:sqs:*:123456789012:exports,     arn:aws:sqs:eu-west-1:123456789012:exports,        true",
    "arn:aws:sqs:*:exports,                  arn:aws:sqs:eu-west-1:123456789012:exports,        false",
    "arn:aws:sqs:eu-west-1:123456789012:*.fifo, arn:aws:sqs:eu-west-1:123456789012:a.fifo,      true",
    "arn:aws:sqs:eu-west-1:123456789012:*.fifo, arn:aws:sqs:eu-west-1:123456789012:afifo,       false",
  })
  void patternsAreComparedSegmentBySegment(String pattern, String arn, boolean allowed) {
    assertThat(policy(pattern).refusal("team", arn).isEmpty()).isEqualTo(allowed);
  }

  @Test
  void aNamespaceReachesOnlyItsOwnQueues() {
    TargetPolicy policy = policy(HERE + "t-*-{ns}");

    assertThat(policy.refusal("team", HERE + "t-exports-team")).isEmpty();
    assertThat(policy.refusal("other", HERE + "t-exports-team")).isPresent();
    assertThat(policy.refusal(".*", HERE + "t-exports-team")).isPresent();
    assertThat(policy.refusal("*", HERE + "t-exports-team")).isPresent();
    assertThat(policy.refusal("\\E.*", HERE + "t-exports-team")).isPresent();
  }

  @Test
  void aRefusalNamesTheQueueAndTheAllowedTargets() {
    assertThat(policy(HERE + "t-{ns}").refusal("team", HERE + "x"))
        .hasValue(
            "the queue "
                + HERE
                + "x is not an allowed target; the allowed targets are "
                + HERE
                + "t-team");
    assertThat(policy().refusal("team", HERE + "x"))
        .hasValueSatisfying(reason -> assertThat(reason).endsWith("the allowed targets are none"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "arn:aws:sqs:us-east-1:123456789012:*"})
  void aQueueInAnotherRegionIsNeverATarget(String pattern) {
    TargetPolicy policy = policy(pattern);
    String there = "arn:aws:sqs:us-east-1:123456789012:exports";

    assertThat(policy.refusal("team", there))
        .hasValue(
            "the queue "
                + there
                + " is in the region us-east-1, but this deployment sends only within eu-west-1;"
                + " give a queue there");
    assertThat(policy.allowingAll().refusal("team", there)).isPresent();
  }

  /** SQS finds a queue by account and name, regardless of the partition. */
  @ParameterizedTest
  @ValueSource(strings = {"*", "arn:*:sqs:eu-west-1:123456789012:*"})
  void anArnInAForeignPartitionIsNeverATarget(String pattern) {
    String check = "arn:aws-x:sqs:eu-west-1:123456789012:carillon-check";

    assertThat(policy(pattern).refusal("team", check))
        .hasValue(
            "the queue "
                + check
                + " cannot exist: its partition does not contain its region; correct the ARN");
  }

  @Test
  void carillonsOwnQueuesAreNeverTargets() {
    assertThat(policy("*").refusal("team", HERE + "carillon-check"))
        .hasValueSatisfying(reason -> assertThat(reason).contains("reserved for Carillon itself"));
    assertThat(policy("*").refusal("team", HERE + "carillon-namespace-team"))
        .hasValueSatisfying(reason -> assertThat(reason).contains("reserved for Carillon itself"));
    assertThat(policy("*").refusal("team", HERE + "carillon-checks")).isEmpty();
  }

  private static TargetPolicy policy(String... patterns) {
    return prefixed("", patterns);
  }

  private static TargetPolicy prefixed(String prefix, String... patterns) {
    return new TargetPolicy(
        "eu-west-1",
        "123456789012",
        prefix,
        List.of(patterns),
        Set.of(HERE + "carillon-check", HERE + "carillon-namespace-*"));
  }
}
