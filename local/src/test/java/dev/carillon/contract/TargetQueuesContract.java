package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import dev.carillon.launch.TargetQueues.Impossible;
import dev.carillon.launch.TargetQueues.Outcome;
import dev.carillon.launch.TargetQueues.Refused;
import dev.carillon.launch.TargetQueues.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

abstract class TargetQueuesContract {

  private static final String LARGE = "x".repeat(1024 * 1024 - 200);

  abstract TargetQueues targets();

  /** The ARN of a queue that exists. */
  abstract String queue();

  abstract String fifoQueue();

  /** The ARN of a queue that does not exist. */
  abstract String missing();

  /** The bodies that arrived, in order if the queue keeps one. */
  abstract List<String> arrived(String queueArn);

  @Test
  void nothingIsSentOfNothing() {
    assertThat(targets().send(List.of())).isEmpty();
  }

  @Test
  void allOfManyAreSent() {
    String queue = queue();
    List<LaunchRequest> many =
        IntStream.range(0, 35).mapToObj(i -> request(queue, "{\"i\": " + i + "}", i)).toList();

    assertThat(targets().send(many)).hasSize(35).allMatch(Sent.class::isInstance);

    assertThat(arrived(queue))
        .containsExactlyInAnyOrderElementsOf(many.stream().map(LaunchRequest::body).toList());
  }

  @Test
  void aMissingQueueHarmsNoOther() {
    String one = queue();
    String other = queue();
    String missing = missing();

    List<Outcome> outcomes =
        targets()
            .send(
                List.of(
                    request(one, "a", 1),
                    request(missing, "b", 2),
                    request(other, "c", 3),
                    request(missing, "d", 4),
                    request(one, "e", 5)));

    Refused refused = new Refused("the queue does not exist; create it");
    assertThat(outcomes).containsExactly(new Sent(), refused, new Sent(), refused, new Sent());
    assertThat(arrived(one)).containsExactlyInAnyOrder("a", "e");
    assertThat(arrived(other)).containsExactly("c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\u0000b", "\u001b[0m", "\uFFFF", "half \uD83D of a pair"})
  void aMessageThatSqsNeverAcceptsIsImpossibleAlone(String body) {
    String queue = queue();

    List<Outcome> outcomes =
        targets()
            .send(List.of(request(queue, "a", 1), request(queue, body, 2), request(queue, "c", 3)));

    assertThat(outcomes.get(0)).isEqualTo(new Sent());
    assertThat(outcomes.get(1)).isInstanceOf(Impossible.class);
    assertThat(outcomes.get(2)).isEqualTo(new Sent());
    assertThat(arrived(queue)).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void aTooLargeMessageIsImpossibleAlone() {
    String queue = queue();
    String tooLarge = LARGE + "ü".repeat(101);

    List<Outcome> outcomes =
        targets().send(List.of(request(queue, tooLarge, 1), request(queue, "b", 2)));

    assertThat(outcomes.get(0)).isInstanceOf(Impossible.class);
    assertThat(outcomes.get(1)).isEqualTo(new Sent());
    assertThat(arrived(queue)).containsExactly("b");
  }

  @Test
  void largeRequestsDoNotShareABatch() {
    String queue = queue();
    List<LaunchRequest> large =
        IntStream.range(0, 3).mapToObj(i -> request(queue, i + LARGE, i)).toList();

    assertThat(targets().send(large)).allMatch(Sent.class::isInstance);
    assertThat(arrived(queue)).hasSize(3);
  }

  @Test
  void aFifoQueueTakesAnAttemptOnceAndKeepsTheOrderOfAGroup() {
    String queue = fifoQueue();
    List<LaunchRequest> inOrder = new ArrayList<>();
    IntStream.range(0, 15).forEach(i -> inOrder.add(request(queue, "body " + i, i)));
    inOrder.add(request(queue, "body 3 again", 3));

    assertThat(targets().send(inOrder)).allMatch(Sent.class::isInstance);
    assertThat(targets().send(inOrder.subList(0, 2))).allMatch(Sent.class::isInstance);

    assertThat(arrived(queue))
        .isEqualTo(IntStream.range(0, 15).mapToObj(i -> "body " + i).toList());
  }

  static LaunchRequest request(String queueArn, String body, int number) {
    return new LaunchRequest(
        JobId.ofFire(REPORT, 1, NOW.plusSeconds(number)),
        1,
        queueArn,
        body,
        Map.of("carillon-job-id", "job-" + number, "carillon-attempt", "1"),
        null);
  }
}
