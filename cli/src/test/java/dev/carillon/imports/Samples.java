package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.client.schedule.Json;
import dev.carillon.exports.Entry;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.imports.Outcome.Converted;
import dev.carillon.imports.Outcome.LeftOut;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.launch.JobTimes;
import dev.carillon.launch.LaunchRenderer;
import dev.carillon.launch.Rendering;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.time.ExcludingTimes;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of one folder of samples, what becomes of them, and their fires. */
final class Samples {

  /** All samples are converted at this instant. */
  static final Instant NOW = Instant.parse("2026-11-23T00:00:00Z");

  private static final Path ROOT = Path.of("src/test/resources/import");
  private static final ScheduleParser PARSER = new ScheduleParser(ZoneOffset.UTC);

  private static final JobTimes NO_OTHER_FIRES =
      new JobTimes() {
        @Override
        public Optional<Instant> previousScheduledFor() {
          return Optional.empty();
        }

        @Override
        public boolean fires(Trigger.TimeLeaf leaf) {
          return true;
        }
      };

  private final Path folder;
  private final List<Outcome> outcomes;

  private Samples(Path folder, List<Outcome> outcomes) {
    this.folder = folder;
    this.outcomes = outcomes;
  }

  /** Converts all files of a folder, in the order of their names. */
  static Samples of(String folder, Converter converter) {
    Conversion how = new Conversion("default", "work", null, NOW);
    return new Samples(ROOT.resolve(folder), converter.convert(sources(ROOT.resolve(folder)), how));
  }

  /** Converts one source. */
  static Samples of(Source source, Converter converter) {
    return of(source, converter, new Conversion("default", "work", null, NOW));
  }

  /** Converts one source with the values of a caller. */
  static Samples of(Source source, Converter converter, Conversion how) {
    return new Samples(ROOT, converter.convert(List.of(source), how));
  }

  private static List<Source> sources(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !file.endsWith("expected.json"))
          .sorted()
          .map(file -> new Source(file.getFileName().toString(), Source.read(file).text()))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** What the folder expects. */
  String expected() {
    return Source.read(folder.resolve("expected.json")).text().strip();
  }

  /** Makes the outcomes the expected ones. */
  void write() {
    try {
      Files.writeString(folder.resolve("expected.json"), actual() + "\n");
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /** The outcomes in the form of the expected ones. */
  String actual() {
    return Json.tree(outcomes.stream().map(Samples::json).toList()).toPrettyString();
  }

  private static JsonNode json(Outcome outcome) {
    ObjectNode json = Json.object().put("place", outcome.place().toString());
    json.put("item", outcome.item());
    if (outcome instanceof LeftOut leftOut) {
      return json.put("leftOut", leftOut.reason());
    }
    Converted converted = (Converted) outcome;
    json.set("schedule", converted.entry().json());
    json.set("calendars", Json.tree(converted.calendars().stream().map(Entry::json).toList()));
    json.set("notes", Json.tree(converted.notes()));
    return json;
  }

  /** The parser of the functions accepts every document. */
  void areAccepted() {
    List<Converted> converted = converted();
    assertThat(converted).isNotEmpty();
    for (Converted each : converted) {
      assertThat(parsed(each).program()).isNotEmpty();
      each.calendars().forEach(it -> calendar(it).zone());
    }
  }

  private List<Converted> converted() {
    return outcomes.stream()
        .filter(Converted.class::isInstance)
        .map(Converted.class::cast)
        .toList();
  }

  private Converted named(String name) {
    return converted().stream()
        .filter(it -> it.entry().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The document of a schedule. */
  ObjectNode document(String name) {
    return named(name).entry().document();
  }

  /** The differences of a schedule from its source. */
  List<String> notes(String name) {
    return named(name).notes();
  }

  /** The reason why an item is left out. */
  String reason(String item) {
    return outcomes.stream()
        .filter(it -> it instanceof LeftOut && it.item().contains(item))
        .map(it -> ((LeftOut) it).reason())
        .findFirst()
        .orElseThrow();
  }

  private static Schedule parsed(Converted converted) {
    Entry schedule = converted.entry();
    ScheduleId id = new ScheduleId(schedule.namespace(), schedule.name());
    return PARSER.parse(id, schedule.document(), NOW);
  }

  private static NamedCalendar calendar(Entry entry) {
    return new CalendarReader(ZoneOffset.UTC).read(entry.document());
  }

  /** The first fires of a schedule with one time leaf after an instant. */
  List<String> fires(String name, String after, int count) {
    FireTimes times = times(named(name));
    List<String> fires = new ArrayList<>();
    Optional<Fire> fire = times.next(Instant.parse(after));
    while (fire.isPresent() && fires.size() < count) {
      fires.add(fire.get().at().toString());
      fire = times.next(fire.get().at());
    }
    return fires;
  }

  /** The request that a fire of a schedule launches. */
  String rendered(String name, String fire) {
    Schedule schedule = parsed(named(name));
    Instant at = Instant.parse(fire);
    JobId id = JobId.ofFire(schedule.id(), 1, at);
    Job job = NewJob.launchingFire(id, 1, schedule.program(), at, at);
    Rendering rendering =
        LaunchRenderer.render(schedule, job, "arn:aws:sqs:eu-west-1:1:work", NO_OTHER_FIRES);
    return ((Rendering.Rendered) rendering).request().body();
  }

  private static FireTimes times(Converted converted) {
    Schedule schedule = parsed(converted);
    TimeLeaf leaf = (TimeLeaf) schedule.trigger().leaves().get(0);
    FireTimes times = schedule.fireTimes(leaf, NOW);
    for (Entry entry : converted.calendars()) {
      times = new ExcludingTimes(times, calendar(entry)::around);
    }
    return times;
  }
}
