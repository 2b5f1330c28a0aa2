package dev.carillon.client;

import dev.carillon.client.schedule.Policies.State;
import dev.carillon.client.schedule.Schedule;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The example of the client's README, verbatim. */
final class Example {

  private Example() {}

  static void run(URI localEngine) {
    // begin
    CarillonClient carillon = CarillonClient.local(localEngine);
    Namespace team = carillon.namespace("default");

    Schedule nightly =
        Schedules.builder("nightly")
            .setDescription("Exports what was sold yesterday")
            .setProgram("exporter")
            .setProperties(Map.of("region", "eu"))
            .setTarget(
                Target.of(
                    "exports",
                    Map.of("day", "${yesterdaysDate}", "region", "${properties.region}")))
            .build(Trigger.cron("0 0 3 * * ?"));
    Schedule onData =
        Schedules.builder("on-data")
            .setProgram("exporter")
            .setTarget(Target.of("exports", Map.of("why", "${trigger}")))
            .setState(State.ACTIVE)
            .build(
                Trigger.and(Trigger.partition("default.purchases", 2), Trigger.event("audited")));

    // Preview its launches before it is stored.
    for (Preview.Fire fire : team.preview(nightly, null, 2).fires()) {
      System.out.println(fire.local() + " sends " + fire.request().body());
    }

    // Both belong to an app, which is deployed as a whole.
    App exports = App.of("exports", List.of("exporter"), List.of(nightly, onData));
    System.out.println("new: " + team.compare(exports).created());
    team.deploy(exports);

    // Data arrives; the other schedule is launched manually.
    team.send(
        Event.partitions("default.purchases", List.of("a", "b")), Event.of("audited", Map.of()));
    Launched manual = team.launch("nightly", LaunchNow.plain().withPayload(Map.of("by", "ann")));
    System.out.println(team.explainJob(manual.jobId()).summary());

    // Replace a stored schedule unless it was changed meanwhile.
    StoredSchedule stored = team.schedule("nightly");
    Schedule later =
        stored.schedule().toBuilder().setPriority(2).build(Trigger.cron("0 0 5 * * ?"));
    team.replace(later, stored.etag());
    team.resume("nightly");

    // A refusal lists all errors of the document.
    try {
      team.put(Schedules.builder("wrong").build(Trigger.cron("0 0 25 * * ?")));
    } catch (CarillonException.Invalid refused) {
      refused.problem().errors().forEach(fault -> System.out.println(fault.pointer()));
    }
    // end
  }
}
