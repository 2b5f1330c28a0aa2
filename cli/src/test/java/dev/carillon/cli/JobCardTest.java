package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What {@code jobs show} says about the callback of a job, with recorded answers. */
class JobCardTest {

  /** The job with a state and a callback. */
  private static String shown(String state, String callback) throws IOException {
    String job =
        """
        {"jobId": "j1", "namespace": "default", "schedule": "a", "generation": 1, "state": "%s",
         "version": 1, "transitions": [], "callback": %s}
        """
            .formatted(state, callback);
    try (Stub stub = new Stub().answers(200, job)) {
      return Call.to(stub.uri()).run("jobs show j1 --utc").out();
    }
  }

  @Test
  void aRefusedCallbackIsShownWithItsNextTry() throws IOException {
    assertThat(
            shown(
                "SUCCEEDED",
                """
                {"sentAt": null, "refusals": 3, "trouble": "the queue does not exist; create it",
                 "nextTry": "2099-03-10T12:00:00Z"}
                """))
        .containsPattern(
            "Callback +refused 3 times: the queue does not exist; create it\n"
                + " +sent again 2099-03-10 12:00:00 ");
  }

  @Test
  void aCallbackThatCanNeverBeSentIsShown() throws IOException {
    assertThat(
            shown(
                "LAUNCHED",
                "{\"sentAt\": null, \"refusals\": 0, \"trouble\": \"it is too large\"}"))
        .containsPattern("Callback +can never be sent: it is too large\n");
  }

  @Test
  void aCallbackThatIsDueIsShown() throws IOException {
    assertThat(shown("FAILED", "{\"sentAt\": null, \"refusals\": 0}"))
        .containsPattern("Callback +is being sent\n");
  }

  @Test
  void aCallbackThatWasSentOrIsNotDueIsNotShown() throws IOException {
    assertThat(shown("SUCCEEDED", "{\"sentAt\": \"2026-03-10T12:00:00Z\", \"refusals\": 1}"))
        .doesNotContain("Callback");
    assertThat(shown("RUNNING", "{\"sentAt\": null, \"refusals\": 0}")).doesNotContain("Callback");
    assertThat(shown("SUCCEEDED", "null")).doesNotContain("Callback");
  }
}
