package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.UnknownChecks;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.id.JobId;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages of the check queue that this version cannot read, or not in full. */
class CheckMessagesTest {

  private static final Instant FIRE = Instant.parse("2026-03-01T10:00:30Z");
  private static final String UNKNOWN = "\"default/report#ofANewerVersion\"";

  private final World world = new World("2026-03-01T10:00:00Z");
  private final List<String> passedOn = new ArrayList<>();
  private final List<String> rejected = new ArrayList<>();
  private boolean isUnavailable;

  private Set<String> receive(String body, int receives) {
    UnknownChecks unknown =
        new UnknownChecks() {
          @Override
          public void passOn(String rest) {
            requireAvailable();
            passedOn.add(rest);
          }

          @Override
          public void reject(String foreign, String reason) {
            requireAvailable();
            rejected.add(foreign + ": " + reason);
          }
        };
    return new CheckMessages(world.process().checker(), unknown)
        .handle(
            List.of(new Message("m", body, receives)),
            new Deadline(world.now().plusSeconds(5), world::now));
  }

  private void requireAvailable() {
    if (isUnavailable) {
      throw new IllegalStateException("the queue is unavailable");
    }
  }

  private static String check(String... subjects) {
    return "{\"due\":%d,\"wake\":[%s],\"sentBy\":2}"
        .formatted(FIRE.toEpochMilli(), String.join(",", subjects));
  }

  /** The subject of a fire that is due, and that no other message names. */
  private String dueFire() {
    var id = world.put("report", active(at(FIRE.toString())));
    world.pause(Duration.ofSeconds(31));
    assertThat(world.arrivals).isEmpty();
    return "\"" + JobId.ofFire(id, 1, FIRE) + "\"";
  }

  @Test
  void aSubjectOfANewerVersionDelaysNoOtherAndStaysInTheQueue() {
    assertThat(receive(check(UNKNOWN, dueFire()), 1)).isEmpty();

    assertThat(world.arrivals).hasSize(1);
    assertThat(passedOn).containsExactly(check(UNKNOWN));
  }

  @Test
  void aMessageIsReceivedAgainIfItsRestCannotBePassedOn() {
    String fire = dueFire();
    isUnavailable = true;
    assertThat(receive(check(UNKNOWN, fire), 1)).containsExactly("m");
    isUnavailable = false;
    assertThat(receive(check(UNKNOWN, fire), 2)).isEmpty();

    assertThat(world.arrivals).hasSize(1);
    assertThat(passedOn).containsExactly(check(UNKNOWN));
  }

  @Test
  void aMessageWhoseKnownSubjectsFailPassesNothingOn() {
    String fire = dueFire();
    world.faults.failAll("Schedules.forLaunch");
    assertThat(receive(check(UNKNOWN, fire), 1)).containsExactly("m");
    assertThat(passedOn).isEmpty();
  }

  @Test
  void aMessageOfUnknownSubjectsOnlyIsReceivedAgainHoweverOften() {
    assertThat(receive(check(UNKNOWN), 1)).containsExactly("m");
    assertThat(receive(check(UNKNOWN), 900)).containsExactly("m");
    assertThat(passedOn).isEmpty();
    assertThat(rejected).isEmpty();
  }

  @Test
  void aMessageThatIsNoCheckIsReceivedAgainForAnHourAndThenKeptForTheOperator() {
    assertThat(receive("{", 1)).containsExactly("m");
    assertThat(receive("{", 59)).containsExactly("m");
    assertThat(rejected).isEmpty();

    isUnavailable = true;
    assertThat(receive("{", 60)).containsExactly("m");
    isUnavailable = false;
    assertThat(receive("{", 61)).isEmpty();
    assertThat(rejected).containsExactly("{: not a check: not JSON");
  }
}
