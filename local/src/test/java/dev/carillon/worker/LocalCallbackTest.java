package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.Claim;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.LaunchNow;
import dev.carillon.client.Namespace;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Schedule;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.local.LocalEngine;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Jobs that call back, on DynamoDB Local and ElasticMQ. */
@Timeout(120)
class LocalCallbackTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Team team = new Team();
  private final Namespace namespace =
      CarillonClient.local(Team.engine().http()).namespace(team.namespace());
  private final String ended = team.namespace() + "-ended";

  private Schedules.Builder calling() {
    Target onEnd =
        Target.of(
                ended,
                Map.of(
                    "job", "${jobId}", "how", "${outcome}", "out", "${output}", "why", "${error}"))
            .withAttribute("kind", "end");
    return Schedules.builder("calling")
        .setTarget(Target.of(team.namespace(), "${jobId}"))
        .setOnEnd(onEnd)
        .setState(Policies.State.ACTIVE);
  }

  private String launched(Schedule schedule, State state) throws InterruptedException {
    namespace.put(schedule);
    String jobId = namespace.launch("calling", LaunchNow.plain()).jobId();
    await(() -> namespace.job(jobId).state() == state);
    return jobId;
  }

  private String claimed() throws InterruptedException {
    Schedule schedule = calling().setTracking(Policies.Tracking.USUAL).build(Trigger.manual());
    return launched(schedule, State.ENQUEUED);
  }

  private void succeed(String jobId) {
    Claim claim = namespace.runs().claim(jobId, "w", 1);
    namespace.runs().succeed(jobId, claim.claimToken(), JSON.createObjectNode().put("rows", 7));
  }

  private Message callback() {
    SqsClient sqs = team.sqs();
    String url =
        sqs.getQueueUrl(get -> get.queueName(LocalEngine.TARGET_PREFIX + ended)).queueUrl();
    List<Message> received =
        sqs.receiveMessage(
                receive -> receive.queueUrl(url).waitTimeSeconds(20).messageAttributeNames("All"))
            .messages();
    assertThat(received).hasSize(1);
    return received.get(0);
  }

  private static String attribute(Message message, String name) {
    return message.messageAttributes().get(name).stringValue();
  }

  private Job.Callback stored(String jobId) {
    return Objects.requireNonNull(namespace.job(jobId).callback());
  }

  @Test
  void aTrackedJobCallsBackWithItsOutput() throws Exception {
    String jobId = claimed();
    succeed(jobId);
    Message callback = callback();
    assertThat(JSON.readTree(callback.body()))
        .isEqualTo(json(jobId, "SUCCEEDED", "{\"rows\": 7}", "null"));
    assertThat(attribute(callback, "carillon-job-id")).isEqualTo(jobId);
    assertThat(attribute(callback, "carillon-outcome")).isEqualTo("SUCCEEDED");
    assertThat(attribute(callback, "kind")).isEqualTo("end");
    await(() -> stored(jobId).sentAt() != null);
  }

  @Test
  void aJobThatIsNotTrackedCallsBackOnceItWasSent() throws Exception {
    String jobId = launched(calling().build(Trigger.manual()), State.LAUNCHED);
    assertThat(JSON.readTree(callback().body())).isEqualTo(json(jobId, "LAUNCHED", "null", "null"));
  }

  @Test
  void aRunCallsBackAfterItsScheduleWasDeleted() throws Exception {
    String jobId = claimed();
    namespace.delete("calling");
    succeed(jobId);
    assertThat(attribute(callback(), "carillon-outcome")).isEqualTo("SUCCEEDED");
  }

  @Test
  void aCallbackIsSentAgainUntilItsQueueExists() throws Exception {
    String jobId = claimed();
    SqsClient sqs = team.sqs();
    String queue = LocalEngine.TARGET_PREFIX + ended;
    String url = sqs.getQueueUrl(get -> get.queueName(queue)).queueUrl();
    sqs.deleteQueue(delete -> delete.queueUrl(url));
    succeed(jobId);
    await(() -> stored(jobId).refusals() > 0);
    assertThat(stored(jobId).trouble()).isEqualTo("the queue does not exist; create it");
    sqs.createQueue(create -> create.queueName(queue));
    assertThat(attribute(callback(), "carillon-job-id")).isEqualTo(jobId);
  }

  private static Object json(String jobId, String how, String out, String why)
      throws JsonProcessingException {
    return JSON.readTree(
        "{\"job\": \"%s\", \"how\": \"%s\", \"out\": %s, \"why\": %s}"
            .formatted(jobId, how, out, why));
  }
}
