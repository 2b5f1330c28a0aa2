package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.run.FinalReport;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.schedule.Target;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The message that says how a job has ended. */
class CallbackRequestTest {

  private static final Instant NOW = Instant.parse("2018-03-22T00:10:00Z");
  private static final FinalReport REPORT = new FinalReport("token", true);
  private static final Reason SUCCESS = Reason.of(ReasonCode.SUCCESS_REPORTED, "w");

  private final Launch launch = new Launch();

  private Rendering rendering(String template, Map<String, String> attributes, Job ended) {
    Target onEnd = new Target("ended", Launch.json(template), attributes, null);
    return LaunchRenderer.callback(launch.schedule(), onEnd, ended, launch.queueArn, launch);
  }

  private LaunchRequest request(String template, Job ended) {
    return ((Rendering.Rendered) rendering(template, Map.of(), ended)).request();
  }

  private static Run tracked() {
    return Run.of(RunPolicy.USUAL);
  }

  private Job succeeded(String output) {
    Run run = tracked().succeeded(REPORT, output == null ? null : Launch.json(output));
    return launch.job().ended(JobState.SUCCEEDED, run, NOW, SUCCESS);
  }

  private Job failed(Run run, Reason reason) {
    return launch.job().ended(JobState.FAILED, run, NOW, reason);
  }

  @Test
  void itKnowsTheOutcomeAndTheOutput() {
    String template =
        "{\"job\": \"${jobId}\", \"how\": \"${outcome}\", \"all\": \"${output}\", \"first\": \"${output.rows[0]}\"}";
    assertThat(request(template, succeeded("{\"rows\": [7, 8]}")).body())
        .isEqualTo(
            "{\"job\":\"%s\",\"how\":\"SUCCEEDED\",\"all\":{\"rows\":[7,8]},\"first\":7}"
                .formatted(launch.job().id()));
  }

  @Test
  void aSuccessHasNoError() {
    String template = "{\"error\": \"${error}\", \"output\": \"${output}\"}";
    assertThat(request(template, succeeded(null)).body())
        .isEqualTo("{\"error\":null,\"output\":null}");
  }

  @Test
  void theErrorIsTheTextOfTheWorker() {
    Reason reported = Reason.of(ReasonCode.FAILURE_REPORTED, "w", "disk full");
    Run run = tracked().failed(REPORT, "disk full");
    assertThat(request("[\"${outcome}\", \"${error}\"]", failed(run, reported)).body())
        .isEqualTo("[\"FAILED\",\"disk full\"]");
  }

  @Test
  void aFailureThatNoWorkerReportedHasTheReasonOfTheEndAndNoEarlierError() {
    Reason missed = Reason.of(ReasonCode.CLAIM_MISSING, "PT15M");
    Run run = tracked().failed(REPORT, "of an earlier attempt");
    assertThat(request("[\"${error}\"]", failed(run, missed)).body())
        .isEqualTo("[\"no worker claimed it within PT15M\"]");
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIPPED", "TIMED_OUT", "CANCELLED", "FAILED"})
  void aJobThatNeverRanHasTheReasonOfItsEnd(JobState end) {
    Job ended = launch.job().ended(end, NOW, Reason.of(ReasonCode.SCHEDULE_DELETED));
    assertThat(request("[\"${outcome}\", \"${error}\", \"${output}\"]", ended).body())
        .isEqualTo(
            "[\"%s\",\"%s\",null]".formatted(end, Reason.of(ReasonCode.SCHEDULE_DELETED).text()));
  }

  @Test
  void aLaunchThatIsNotTrackedIsNoError() {
    Job sent = launch.job().sent(NOW, null);
    assertThat(request("[\"${outcome}\", \"${error}\"]", sent).body())
        .isEqualTo("[\"LAUNCHED\",null]");
  }

  @Test
  void itsAttributesAreThoseOfALaunchWithTheOutcomeInPlaceOfThePriority() {
    Map<String, String> own = Map.of("a", "${outcome}", "b", "1", "c", "1", "d", "1");
    Rendering.Rendered rendered = (Rendering.Rendered) rendering("\"x\"", own, succeeded(null));
    assertThat(rendered.request().attributes())
        .hasSize(10)
        .containsEntry("a", "SUCCEEDED")
        .containsEntry("carillon-outcome", "SUCCEEDED")
        .containsEntry("carillon-job-id", launch.job().id().toString())
        .containsEntry("carillon-attempt", "1")
        .doesNotContainKey("carillon-priority");
  }

  @Test
  void itsDeduplicationIdIsNotThatOfTheLaunch() {
    LaunchRequest callback = request("\"x\"", succeeded(null));
    JobId job = launch.job().id();
    assertThat(callback.deduplicationId()).isEqualTo(job + ".1.end");
    assertThat(launch.rendered().request().deduplicationId()).isEqualTo(job + ".1");
  }

  @Test
  void itHasTheCustomerAsItsGroupByDefault() {
    launch.customer = "acme";
    assertThat(request("\"x\"", succeeded(null)).groupId()).isEqualTo("acme");
  }

  @Test
  void anEmptyBodyCanNeverBeSent() {
    assertThat(rendering("\"${error}\"", Map.of(), succeeded(null)))
        .isInstanceOf(Rendering.Unsendable.class);
  }

  @Test
  void aTemplateInTextKnowsTheSameVariables() {
    assertThat(request("\"${schedule}: ${outcome} ${output}\"", succeeded("{\"a\": 1}")).body())
        .isEqualTo("report: SUCCEEDED " + Json.write(Launch.json("{\"a\": 1}")));
  }
}
