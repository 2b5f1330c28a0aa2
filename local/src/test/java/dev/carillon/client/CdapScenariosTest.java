package dev.carillon.client;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Job.State;
import dev.carillon.client.schedule.Constraint;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Schedule;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The numbered test scenarios of the CDAP scheduler's redesign, from the builder to the message in
 * the target queue. To show that no launch happens, a test sends a marker afterwards and waits for
 * it.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class CdapScenariosTest {

  private static final Pattern BODY = Pattern.compile("<Body>(.*?)</Body>");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static LocalEngine engine;

  @BeforeAll
  static void start() throws InterruptedException {
    engine = Engine.shared();
  }

  /** A namespace and a queue for one scenario. */
  private static final class Stage {
    private final Namespace namespace;
    private final String name;
    private final List<String> launches = new ArrayList<>();
    private int marks;

    Stage(String name) {
      this.name = name;
      this.namespace = CarillonClient.local(engine.http()).namespace(name);
      namespace.put(
          Schedules.builder("mark")
              .setTarget(Target.of("marks", "mark"))
              .setState(Policies.State.ACTIVE)
              .build(Trigger.event("mark")));
    }

    Schedules.Builder builder(String schedule, String version) {
      return Schedules.builder(schedule)
          .setProgram("etl")
          .setProperties(Map.of("version", version))
          .setTarget(Target.of(name, "${schedule} ${properties.version}"))
          .setState(Policies.State.ACTIVE);
    }

    Schedules.Builder delayed(String schedule, String version, long delayMillis) {
      return builder(schedule, version).setDelayMillis(delayMillis);
    }

    Schedule schedule(String schedule, Trigger trigger, String version) {
      return builder(schedule, version).build(trigger);
    }

    boolean isWaiting(String schedule) {
      return !namespace.jobs(schedule, State.PENDING_CONSTRAINT, 10, null).items().isEmpty();
    }

    Job newest(String schedule) {
      return namespace.jobs(schedule).items().get(0);
    }

    /** The number of jobs stored as LAUNCHED; their requests are sent before that. */
    int launchedJobs(String schedule) {
      return namespace.jobs(schedule, State.LAUNCHED, 100, null).items().size();
    }

    /** The latest reason in the history of the newest job. */
    String waitsFor(String schedule) {
      List<Job.Transition> said = newest(schedule).transitions();
      return String.valueOf(said.get(said.size() - 1).reason());
    }

    void deploy(boolean updates, Schedule... schedules) {
      App app = App.of("purchases", List.of("etl"), List.of(schedules));
      namespace.deploy(updates ? app : app.keepingSchedules());
    }

    List<String> schedules() {
      return namespace
          .schedules(ScheduleFilter.all().withApp("purchases"))
          .map(StoredSchedule::name)
          .toList();
    }

    void partitions(String dataset, int count) {
      IntStream.range(0, count)
          .forEach(i -> namespace.send(Event.partitions(dataset, List.of("key " + i))));
    }

    /** Sends an event and waits for its launch: all earlier events have been counted then. */
    void settle() throws InterruptedException {
      marks++;
      namespace.send(Event.of("mark", Map.of()));
      await(() -> launchedJobs("mark") == marks);
    }

    /** The count of the first leaf of a schedule's trigger. */
    long collected(String schedule) {
      JsonNode leaf = namespace.explain(schedule).details().at("/collecting/leaves/0");
      return leaf.path("have").asLong();
    }

    /** The launches in order of arrival. */
    List<String> launches() {
      String url =
          engine.sqs() + "/000000000000/carillon-target-" + name + "?Action=ReceiveMessage";
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + "&MaxNumberOfMessages=10&VisibilityTimeout=3600"))
              .build();
      try {
        String answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        BODY.matcher(answer).results().forEach(body -> launches.add(body.group(1)));
      } catch (IOException | InterruptedException failure) {
        throw new AssertionError(failure);
      }
      return List.copyOf(launches);
    }
  }

  /** 2: launches have the properties of the last deployment before them. */
  @Test
  void scenario2NewPropertiesByDeployment() throws InterruptedException {
    Stage stage = new Stage("two");
    Trigger secondly = Trigger.cron("* * * * * ?");
    stage.deploy(true, stage.schedule("secondly", secondly, "1"));
    await(() -> stage.launches().contains("secondly 1"));

    stage.deploy(true, stage.schedule("secondly", secondly, "2"));
    await(() -> stage.launches().stream().filter("secondly 2"::equals).count() >= 3);

    int seen = stage.launches().size();
    await(() -> stage.launches().size() > seen);
    assertThat(stage.launches().subList(seen, stage.launches().size())).containsOnly("secondly 2");
    assertThat(stage.launches()).containsOnly("secondly 1", "secondly 2");
  }

  /** 3: the schedules that exist, and launch, after deployments with and without updates. */
  @Test
  void scenario3OtherSchedulesByDeployment() throws InterruptedException {
    Stage stage = new Stage("three");
    Schedule kept = stage.schedule("kept", Trigger.partition("kept", 1), "1");
    Schedule removed = stage.schedule("removed", Trigger.partition("removed", 1), "1");
    Schedule changed = stage.schedule("kept", Trigger.partition("kept", 2), "2");
    Schedule added = stage.schedule("added", Trigger.partition("added", 1), "2");
    stage.deploy(true, kept, removed);

    stage.deploy(false, changed, added);
    assertThat(stage.schedules()).containsExactly("kept", "removed");
    stage.partitions("kept", 1);
    stage.partitions("removed", 1);
    stage.partitions("added", 1);
    await(() -> stage.launches().size() == 2);
    stage.settle();
    assertThat(stage.launches()).containsExactlyInAnyOrder("kept 1", "removed 1");

    stage.deploy(true, changed, added);
    assertThat(stage.schedules()).containsExactly("added", "kept");
    stage.partitions("kept", 2);
    stage.partitions("removed", 1);
    stage.partitions("added", 1);
    await(() -> stage.launches().size() == 4);
    stage.settle();
    assertThat(stage.launches())
        .containsExactlyInAnyOrder("kept 1", "removed 1", "kept 2", "added 2");
  }

  /** 4: a change resets the count, and the next launch has the new properties. */
  @Test
  void scenario4AChangeRestartsTheCount() throws InterruptedException {
    Stage stage = new Stage("four");
    stage.namespace.put(stage.schedule("five", Trigger.partition("d", 5), "1"));
    stage.partitions("d", 1);
    await(() -> stage.collected("five") == 1);
    stage.namespace.put(stage.schedule("five", Trigger.partition("d", 5), "2"));

    stage.partitions("d", 4);
    await(() -> stage.collected("five") == 4);
    stage.settle();
    assertThat(stage.launches()).isEmpty();

    stage.partitions("d", 1);
    await(() -> !stage.launches().isEmpty());
    assertThat(stage.launches()).containsExactly("five 2");
  }

  /** 6: a deleted schedule does not launch. */
  @Test
  void scenario6ADeletedScheduleLaunchesNothing() throws InterruptedException {
    Stage stage = new Stage("six");
    stage.namespace.put(stage.schedule("five", Trigger.partition("d", 5), "1"));
    stage.partitions("d", 4);
    await(() -> stage.collected("five") == 4);

    stage.namespace.delete("five");
    stage.partitions("d", 1);
    stage.settle();

    assertThat(stage.launches()).isEmpty();
    assertThat(stage.namespace.jobs("five").items())
        .extracting(Job::state)
        .containsExactly(State.CANCELLED);
  }

  /** 1: five partitions, but a minimum interval between runs: the first runs alone. */
  @Test
  void scenario1AMinimumIntervalBetweenRuns() throws InterruptedException {
    Stage stage = new Stage("one");
    stage.namespace.put(
        stage
            .builder("any", "1")
            .addConstraint(Constraint.sinceLastRun(Duration.ofMinutes(5)).orSkip())
            .build(Trigger.partition("d", 1)));
    stage.partitions("d", 1);
    await(() -> stage.launches().size() == 1);
    Job first = stage.namespace.jobs("any").items().get(0);
    stage.namespace.send(Event.programStatus("etl", Trigger.Status.SUCCEEDED, first.jobId()));

    stage.partitions("d", 4);
    await(() -> stage.namespace.jobs("any", State.SKIPPED, 10, null).items().size() == 4);

    stage.settle();
    assertThat(stage.launches()).containsExactly("any 1");
  }

  /** 5: while a job waits for its delay, a change lowers all requirements. */
  @Test
  void scenario5AChangeWhileAJobWaitsForItsDelay() throws InterruptedException {
    Stage stage = new Stage("five");
    stage.namespace.put(stage.delayed("some", "1", 600_000).build(Trigger.partition("d", 5)));
    stage.partitions("d", 5);
    await(() -> stage.isWaiting("some"));

    stage.namespace.put(stage.delayed("some", "2", 100).build(Trigger.partition("d", 3)));
    stage.partitions("d", 3);
    await(() -> stage.launchedJobs("some") == 1);

    stage.settle();
    assertThat(stage.launches()).containsExactly("some 2");
    assertThat(stage.namespace.jobs("some").items())
        .extracting(Job::state)
        .containsExactly(State.LAUNCHED, State.CANCELLED);
  }

  /**
   * 7: the schedule of a waiting job is deleted half a second before the end of its delay. On a
   * busy machine the deletion can return too late; then another schedule is deleted half a second
   * earlier.
   */
  @Test
  void scenario7ADeletionRightBeforeTheDelayIsOver() throws InterruptedException {
    Stage stage = new Stage("seven");
    int tried = 0;
    do {
      assertThat(++tried).isLessThan(10);
    } while (!isDeletedBefore(stage, "five" + tried, Duration.ofMillis(500L * tried)));
    stage.settle();
    assertThat(stage.launches()).doesNotContain("five" + tried + " 1");
  }

  /** Whether the deletion, begun this long before the end of the delay, returned before it. */
  private static boolean isDeletedBefore(Stage stage, String name, Duration before)
      throws InterruptedException {
    stage.namespace.put(stage.delayed(name, "1", 5_000).build(Trigger.partition(name, 5)));
    stage.partitions(name, 5);
    await(() -> stage.isWaiting(name));
    Instant opens = stage.namespace.jobs(name).items().get(0).triggeredAt().plusSeconds(5);
    await(() -> Instant.now().isAfter(opens.minus(before)));
    stage.namespace.delete(name);
    boolean isBefore = Instant.now().isBefore(opens);
    await(() -> Instant.now().isAfter(opens.plusSeconds(1)));
    return isBefore;
  }

  /** 8: a trigger and several constraints: the job launches when the last one holds. */
  @Test
  void scenario8AllConstraintsMustHold() throws InterruptedException {
    Stage stage = new Stage("eight");
    stage.namespace.put(
        stage
            .delayed("all", "1", 1_000)
            .setMaxConcurrentRuns(1)
            .addConstraint(Constraint.rate(10, Duration.ofMinutes(1)))
            .build(Trigger.partition("d", 1)));
    stage.partitions("d", 1);
    await(() -> stage.launches().size() == 1);
    await(() -> stage.newest("all").launchedAt() != null);
    Job first = stage.newest("all");
    assertThat(first.launchedAt()).isAfterOrEqualTo(first.triggeredAt().plusSeconds(1));

    stage.partitions("d", 1);
    await(
        () -> stage.waitsFor("all").contains("is at its limit of unfinished jobs: 1 of at most 1"));
    stage.settle();
    assertThat(stage.launches()).hasSize(1);

    stage.namespace.send(Event.programStatus("etl", Trigger.Status.SUCCEEDED, first.jobId()));
    await(() -> stage.launches().size() == 2);
  }
}
