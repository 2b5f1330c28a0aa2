package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.Tenant;
import dev.carillon.campaign.judge.Tenant.Due;
import dev.carillon.campaign.judge.Tenant.Rate;
import dev.carillon.campaign.scenario.NeighbourScenario.Document;
import dev.carillon.campaign.scenario.NeighbourScenario.Load;
import dev.carillon.campaign.scenario.NeighbourScenario.Machine;
import dev.carillon.campaign.scenario.NeighbourScenario.Resumption;
import dev.carillon.campaign.scenario.NeighbourScenario.SentEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Generates a quiet namespace and a loud one. The loud namespace causes load in one of several
 * ways.
 */
public final class NeighbourGenerator {

  private static final String QUIET = "quiet";
  private static final String LOUD = "loud";
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60_000;
  private static final long DAY = Instant.parse("2026-03-02T00:00:00Z").toEpochMilli();

  private final SeededRandom random;
  private final long start;

  public NeighbourGenerator(SeededRandom random) {
    this.random = random;
    this.start = DAY + random.between(60, 22 * 60) * MINUTE + random.between(0, 50 * SECOND);
  }

  public NeighbourScenario make() {
    Machine machine = Machine.USUAL.slower(random.of(1.0, 1.0, 1.5, 2.0));
    return switch (random.below(3)) {
      case 0 -> {
        boolean isDear = random.oneIn(2);
        long filter = isDear ? random.between(25_000, 50_000) : random.between(5_000, 15_000);
        yield fanOut(250 + random.below(250), machine.withFilters(filter));
      }
      case 1 ->
          rate(
              200 + random.below(200),
              random.of(1, 1, 1, 5, 20),
              machine.withStalls(random.of(40_000, 250_000, 250_000)));
      default ->
          backlog(
              500 + random.below(700),
              machine
                  .slower((double) random.between(2, 4))
                  .withCheckers(1 + random.below(2), 1 + random.below(2)));
    };
  }

  /**
   * Events that very many schedules with filters wait for, beside events that few schedules wait
   * for.
   */
  public NeighbourScenario fanOut(int schedules, Machine machine) {
    List<Document> waiting = new ArrayList<>();
    for (int i = 0; i < schedules; i++) {
      waiting.add(created(document("loud-" + i, event(true), "", "events[0].payload.sent")));
    }
    long at = start + MINUTE + random.between(0, 20 * SECOND);
    Load loud = load(LOUD, waiting, List.of(at));
    List<Document> few = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      few.add(created(document("quiet-" + i, event(false), "", "events[0].payload.sent")));
    }
    List<Long> sent = new ArrayList<>();
    for (long next = at - 5 * SECOND; next < at + MINUTE; next += random.between(1, 9) * SECOND) {
      sent.add(next);
    }
    return scenario("fan-out", 8 * MINUTE, machine, load(QUIET, few, sent), loud);
  }

  /**
   * Jobs of very many schedules under one rate, beside few plain jobs that are due in the same
   * second.
   */
  public NeighbourScenario rate(int schedules, int max, Machine machine) {
    long at = (start / MINUTE + 2) * MINUTE;
    String each = cron("0 %d/30 * * * ?".formatted(at / MINUTE % 30));
    String limit =
        "\"program\": \"p\", \"constraints\": [{\"type\": \"rate\", \"max\": %d, \"per\": \"PT20S\"}],"
            .formatted(max);
    List<Document> limited = new ArrayList<>();
    List<Document> plain = new ArrayList<>();
    List<Due> wanted = new ArrayList<>();
    List<Due> few = new ArrayList<>();
    for (int i = 0; i < schedules; i++) {
      limited.add(created(document("loud-" + i, each, limit, "scheduledFor")));
      wanted.add(new Due("loud-" + i, at));
    }
    for (int i = 0; i < 20; i++) {
      plain.add(created(document("quiet-" + i, each, "", "scheduledFor")));
      few.add(new Due("quiet-" + i, at));
    }
    Rate rate = new Rate(max, 20 * SECOND);
    return scenario(
        "rate",
        4 * MINUTE,
        machine,
        new Load(new Tenant(QUIET, few, start, at + 1, null), plain, List.of(), List.of()),
        new Load(new Tenant(LOUD, wanted, start, at + 1, rate), limited, List.of(), List.of()));
  }

  /** The fires that one schedule launches when it is resumed, beside crons. */
  public NeighbourScenario backlog(int fires, Machine machine) {
    long resumed = start + MINUTE + random.between(0, 30 * SECOND);
    long every = 3;
    long created = resumed - fires * every * SECOND;
    String name = "resumed";
    Document suspended =
        new Document(
            name,
            document(name, cron("0/%d * * * * ?".formatted(every)), "", "scheduledFor").text(),
            created,
            true);
    long judgedTo = start + 5 * MINUTE;
    Tenant loudTenant =
        new Tenant(LOUD, fires(name, every * SECOND, created, judgedTo), created, judgedTo, null);
    Load loud =
        new Load(loudTenant, List.of(suspended), List.of(), List.of(new Resumption(resumed, name)));
    List<Document> crons = new ArrayList<>();
    List<Due> due = new ArrayList<>();
    long judgedFrom = start + MINUTE;
    for (int i = 0; i < 20; i++) {
      crons.add(created(document("quiet-" + i, cron("0/30 * * * * ?"), "", "scheduledFor")));
      due.addAll(fires("quiet-" + i, 30 * SECOND, judgedFrom - 1, judgedTo));
    }
    Tenant quiet = new Tenant(QUIET, due, judgedFrom, judgedTo, null);
    return scenario(
        "backlog", 6 * MINUTE, machine, new Load(quiet, crons, List.of(), List.of()), loud);
  }

  /**
   * Many tracked jobs of one program that are due at one instant, beside few tracked jobs of
   * another program and queue that are due at this instant and every ten seconds after it.
   */
  public NeighbourScenario crowd(int jobs, Machine machine) {
    long at = (start / MINUTE + 2) * MINUTE;
    long judgedTo = at + MINUTE;
    String once = cron("0 %d/30 * * * ?".formatted(at / MINUTE % 30));
    List<Document> many = new ArrayList<>();
    List<Due> wanted = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      many.add(created(tracked("loud-" + i, once, LOUD)));
      wanted.add(new Due("loud-" + i, at));
    }
    List<Document> few = new ArrayList<>();
    List<Due> due = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      few.add(created(tracked("quiet-" + i, cron("0/10 * * * * ?"), QUIET)));
      due.addAll(fires("quiet-" + i, 10 * SECOND, at - 1, judgedTo));
    }
    return scenario(
        "crowd",
        5 * MINUTE,
        machine,
        new Load(new Tenant(QUIET, due, at, judgedTo, null), few, List.of(), List.of()),
        new Load(new Tenant(LOUD, wanted, start, at + 1, null), many, List.of(), List.of()));
  }

  /** A document whose program and queue have the name of the tenant. */
  private static Document tracked(String name, String trigger, String tenant) {
    String members = "\"program\": \"%s\", \"tracking\": {},".formatted(tenant);
    Document untargeted = document(name, trigger, members, "scheduledFor");
    return new Document(
        name, untargeted.text().replace("\"work\"", "\"" + tenant + "\""), 0, false);
  }

  private static List<Due> fires(String schedule, long every, long after, long before) {
    List<Due> fires = new ArrayList<>();
    for (long at = (after / every + 1) * every; at < before; at += every) {
      fires.add(new Due(schedule, at));
    }
    return fires;
  }

  private NeighbourScenario scenario(
      String kind, long length, Machine machine, Load quiet, Load loud) {
    return new NeighbourScenario(kind, start, start + length, machine, quiet, loud);
  }

  /** The load of documents that all wait for the events, which are sent at the given instants. */
  private Load load(String namespace, List<Document> documents, List<Long> sent) {
    List<SentEvent> events = new ArrayList<>();
    List<Due> launches = new ArrayList<>();
    for (long at : sent) {
      events.add(
          new SentEvent(
              at,
              "{\"id\": \"%s-%d\", \"namespace\": \"%s\", \"eventType\": \"file\", \"payload\": {\"sent\": \"%s\", \"bucket\": \"b\"}}"
                  .formatted(namespace, at, namespace, Instant.ofEpochMilli(at))));
      documents.forEach(document -> launches.add(new Due(document.name(), at)));
    }
    return new Load(
        new Tenant(namespace, launches, start, Long.MAX_VALUE, null), documents, events, List.of());
  }

  private Document created(Document document) {
    return new Document(document.name(), document.text(), start - SECOND, false);
  }

  private static String cron(String expression) {
    return "{\"type\": \"cron\", \"expression\": \"%s\"}".formatted(expression);
  }

  private static String event(boolean isFiltered) {
    return "{\"type\": \"event\", \"key\": \"file\"%s}"
        .formatted(isFiltered ? ", \"filter\": {\"bucket\": [\"b\"]}" : "");
  }

  /**
   * @param due the variable that identifies the instant or event that a launch is for
   */
  private static Document document(String name, String trigger, String limits, String due) {
    return new Document(
        name,
        "{\"state\": \"ACTIVE\", \"trigger\": %s, %s \"target\": {\"queue\": \"work\", \"template\": {\"due\": \"${%s}\"}}}"
            .formatted(trigger, limits, due),
        0,
        false);
  }
}
