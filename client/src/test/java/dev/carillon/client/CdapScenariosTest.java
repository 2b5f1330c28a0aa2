package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Job.State;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Test scenarios that the CDAP scheduler's redesign was written down with, by their numbers there,
 * from the builder to the message in the target queue. Where nothing must happen, a mark is sent
 * behind it and awaited.
 */
@Timeout(180)
class CdapScenariosTest {

  private static final Pattern BODY = Pattern.compile("<Body>(.*?)</Body>");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static LocalEngine engine;

  @BeforeAll
  static void start() throws InterruptedException {
    engine = LocalEngine.start(new LocalEngine.Options(Path.of("../template.yaml"), 0, 0, 0, null));
    engine.awaitReady();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  /** What one scenario has to itself: a namespace, and a queue of its name. */
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

    Schedule schedule(String schedule, Trigger trigger, String version) {
      return Schedules.builder(schedule)
          .setProgram("etl")
          .setProperties(Map.of("version", version))
          .setTarget(Target.of(name, "${schedule} ${properties.version}"))
          .setState(Policies.State.ACTIVE)
          .build(trigger);
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

    /** Returns when an event that is sent now has launched: those before it have been counted. */
    void settle() throws InterruptedException {
      marks++;
      namespace.send(Event.of("mark", Map.of()));
      await(() -> namespace.jobs("mark", State.SUCCEEDED, 100, null).items().size() == marks);
    }

    /** How much of its trigger's first leaf a schedule has collected. */
    long collected(String schedule) {
      JsonNode leaf = namespace.explain(schedule).details().at("/collecting/leaves/0");
      return leaf.path("have").asLong();
    }

    /** What has been launched, in order of arrival. */
    List<String> launches() {
      String url = engine.sqs() + "/000000000000/" + name + "?Action=ReceiveMessage";
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

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("nothing came").isLessThan(end);
      Thread.sleep(50);
    }
  }

  /** 2: launches have the properties of the deployment that was the last before them. */
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

  /** 3: which schedules there are, and launch, after deployments that may and may not update. */
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

  /** 4: a change begins the count anew; what launches has the new properties. */
  @Test
  void scenario4AChangeBeginsTheCountAnew() throws InterruptedException {
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

  /** 6: a deleted schedule does not launch, whatever comes. */
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
}
