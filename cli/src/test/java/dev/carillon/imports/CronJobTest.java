package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.imports.cronjob.CronJobConverter;
import org.junit.jupiter.api.Test;

class CronJobTest {

  private final Samples samples = Samples.of("cronjob", new CronJobConverter());

  @Test
  void cronJobsFireWhenKubernetesStartedThem() {
    assertThat(samples.fires("nightly", "2026-11-27T00:00:00Z", 2))
        .containsExactly("2026-11-27T01:30:00Z", "2026-11-30T01:30:00Z");
    assertThat(samples.fires("Suspended.One", "2026-11-23T00:00:00Z", 2))
        .containsExactly("2026-11-23T01:00:00Z", "2026-11-23T02:00:00Z");
    // An odd day or a Monday: 1, 3, 5, 7 (a Monday) and 9 December 2026; then 14, a Monday.
    assertThat(samples.fires("either-day", "2026-12-11T12:00:00Z", 3))
        .containsExactly("2026-12-13T03:00:00Z", "2026-12-14T03:00:00Z", "2026-12-15T03:00:00Z");
    // The rate counts from the creation, which is the instant of the test.
    assertThat(samples.fires("period", "2026-11-23T00:00:00Z", 2))
        .containsExactly("2026-11-23T01:30:00Z", "2026-11-23T03:00:00Z");
  }

  @Test
  void aPeriodCanHaveFractions() {
    assertThat(every("@every 1.5h")).isEqualTo("PT1H30M");
    assertThat(every("@every 30m1h")).isEqualTo("PT1H30M");
    assertThat(every("@every .5m1.s")).isEqualTo("PT31S");
    // The library of Kubernetes cuts a period to whole seconds.
    assertThat(every("@every 90.75s")).isEqualTo("PT1M30S");
  }

  private static String every(String schedule) {
    String manifest =
        """
        kind: CronJob
        metadata: {name: often}
        spec: {schedule: "%s", jobTemplate: {spec: {}}}
        """
            .formatted(schedule);
    return Samples.of(new Source("x.yaml", manifest), new CronJobConverter())
        .document("often")
        .at("/trigger/every")
        .asText();
  }

  @Test
  void membersOfTheMetadataWithoutAnEquivalentAreNoted() {
    assertThat(samples.notes("weekly"))
        .contains(
            "metadata.annotations has no equivalent", "metadata.finalizers has no equivalent");
    // Members that every stored object has, and the copy that kubectl keeps, are not noted.
    assertThat(samples.notes("from-list")).noneMatch(note -> note.startsWith("metadata."));
  }

  @Test
  void onePageOfSeveralIsRefused() {
    Source page =
        new Source(
            "x.json",
            "{\"kind\": \"CronJobList\", \"metadata\": {\"continue\": \"abc\"}, \"items\": []}");
    assertThatThrownBy(() -> Samples.of(page, new CronJobConverter()))
        .isInstanceOf(UnreadableSource.class)
        .hasMessageStartingWith("x.json:1: it is one page of several");
  }

  @Test
  void aTimeThatOccursTwiceStartsTwoJobsAndOneThatDoesNotOccurStartsNone() {
    // 01:30 in New York occurs twice on 7 November 2027.
    assertThat(samples.fires("any-day", "2027-11-07T00:00:00Z", 2))
        .containsExactly("2027-11-07T05:30:00Z", "2027-11-07T06:30:00Z");
    // 02:30 in Berlin does not occur on Sunday, 28 March 2027; a workday is not concerned.
    assertThat(samples.fires("nightly", "2027-03-26T12:00:00Z", 1))
        .containsExactly("2027-03-29T00:30:00Z");
  }

  @Test
  void faultsNameTheirLine() {
    assertThatThrownBy(
            () ->
                Samples.of(
                    new Source("x.yaml", "kind: CronJob\nspec: [\n"), new CronJobConverter()))
        .isInstanceOf(UnreadableSource.class)
        .hasMessage(
            "x.yaml:2: while parsing a flow node:"
                + " expected the node content, but found '<stream end>'");
    assertThatThrownBy(
            () ->
                Samples.of(
                    new Source("x.yaml", "a: &anchor x\nb: *anchor\n"), new CronJobConverter()))
        .hasMessage("x.yaml:2: the alias *anchor is not supported; write the value itself");
    assertThatThrownBy(
            () -> Samples.of(new Source("x.yaml", "a: 1\na: 2\n"), new CronJobConverter()))
        .hasMessageStartingWith("x.yaml:");
  }
}
