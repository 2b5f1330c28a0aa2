package dev.carillon.bench.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.bench.crash.Deployment.Clockwork;
import dev.carillon.bench.crash.Deployment.Created;
import dev.carillon.bench.harness.Progress;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An engine on disk that is killed repeatedly while the clock and a stream of events launch work.
 */
final class CrashRun implements AutoCloseable {

  /**
   * For each group of this many kills of running engines, one more engine is killed while it
   * starts.
   */
  private static final int KILLED_AT_START_EACH = 4;

  /**
   * The longest life of an engine after its first launch. A running engine is killed only after
   * that launch, because before it there is no launch to lose.
   */
  private static final int LONGEST_LIFE_MILLIS = 6_500;

  private static final int LONGEST_START_MILLIS = 4_000;

  /** The time in which an interrupted launch is repaired: its lease and a margin. */
  private static final Duration REPAIR = Duration.ofSeconds(20);

  private static final Duration STREAM_AFTER_LAST_KILL = Duration.ofSeconds(8);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  /** From the warning that the engine logs. */
  private static final String OUTRUN = "still runs after its time-out";

  private final Path data;
  private final File log;
  private final long logBegin;
  private final long seed;
  private final Random random;
  private final Deployment deployment = new Deployment();
  private final Arrivals arrivals = new Arrivals();
  private final Producer producer = new Producer(deployment);
  private final List<Life> lives = new ArrayList<>();
  private final List<Kill> killsAtStart = new ArrayList<>();
  private final List<Created> created = new ArrayList<>();

  private @Nullable EngineProcess running;
  private @Nullable Consumer consumer;

  /**
   * @param data an empty directory
   * @param log receives the log of the engines
   * @param seed the seed of the instants of the kills
   */
  CrashRun(Path data, File log, long seed) {
    this.data = data;
    this.log = log;
    this.logBegin = log.length();
    this.seed = seed;
    this.random = new Random(seed);
  }

  /**
   * The life of an engine, from its readiness to its death. The last engine's life ends when its
   * time for repairs has passed.
   */
  private record Life(Instant ready, Instant end) {}

  @Override
  public void close() {
    producer.close();
    if (consumer != null) {
      consumer.close();
    }
    if (running != null) {
      running.kill();
    }
  }

  /**
   * Kills running engines, and some engines while they start. Then the last engine repairs what the
   * kills interrupted.
   *
   * @param kills the number of running engines to kill
   */
  Report run(int kills, Progress progress) throws IOException, InterruptedException {
    Instant begin = Instant.now();
    for (int number = 0; number < kills; number++) {
      if (number % KILLED_AT_START_EACH == KILLED_AT_START_EACH - 1) {
        killAtStart();
      }
      liveAndBeKilled();
      progress.say("killed %d of %d times", number + 1, kills);
    }
    Verdict verdict = settle();
    return new Report(seed, begin, arrivals.all(), kills(), producer, verdict);
  }

  private Verdict settle() throws IOException, InterruptedException {
    Instant ready = start();
    Instant end = ready.plus(REPAIR);
    pass(STREAM_AFTER_LAST_KILL);
    boolean acknowledged = producer.finish(LONGEST_WAIT);
    pass(Duration.between(Instant.now(), end));
    arrivals.await(all -> hasAll(all, end), LONGEST_WAIT);
    for (Clockwork clockwork : Deployment.CLOCKWORKS) {
      deployment.suspend(engine().http(), clockwork.name());
    }
    boolean quiet = arrivals.awaitQuiet(LONGEST_WAIT);
    lives.add(new Life(ready, end));

    Verdict verdict = new Verdict(arrivals.all(), allKills());
    verdict.report(!acknowledged, "the last events were not acknowledged");
    verdict.report(!quiet, "launch requests do not stop arriving");
    judge(verdict, end);
    return verdict;
  }

  private EngineProcess engine() {
    if (running == null) {
      throw new IllegalStateException("no engine runs");
    }
    return running;
  }

  private Instant start() throws IOException, InterruptedException {
    EngineProcess engine = EngineProcess.onDisk(data, log);
    running = engine;
    Instant ready = engine.awaitReady();
    if (created.isEmpty()) {
      created.addAll(deployment.createAll(engine.http()));
    }
    producer.connect(engine);
    consumer = Consumer.start(engine.sqs(), arrivals);
    return ready;
  }

  private void liveAndBeKilled() throws IOException, InterruptedException {
    Instant ready = start();
    boolean works =
        arrivals.await(
            all -> all.stream().anyMatch(it -> it.sentAt().isAfter(ready)), LONGEST_WAIT);
    if (!works) {
      throw new IllegalStateException("the engine launched no job after its start; see the log");
    }
    pass(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)));
    lives.add(new Life(ready, engine().kill()));
    if (consumer != null) {
      consumer.close();
    }
    producer.disconnect();
  }

  private void killAtStart() throws InterruptedException {
    EngineProcess engine = EngineProcess.onDisk(data, log);
    running = engine;
    pass(Duration.ofMillis(random.nextInt(LONGEST_START_MILLIS)));
    Instant killed = engine.kill();
    killsAtStart.add(new Kill(killed, killed));
  }

  private List<Kill> allKills() {
    List<Kill> all = new ArrayList<>(killsAtStart);
    all.addAll(kills());
    return all;
  }

  /** The kills of those engines that had begun to launch. */
  private List<Kill> kills() {
    List<Kill> kills = new ArrayList<>();
    for (int number = 1; number < lives.size(); number++) {
      kills.add(new Kill(lives.get(number - 1).end(), lives.get(number).ready()));
    }
    return kills;
  }

  private boolean hasAll(List<Arrival> all, Instant end) {
    Verdict verdict = new Verdict(all, List.of());
    created.forEach(one -> verdict.checkFires(one, end));
    Set<String> accepted = producer.accepted().keySet();
    verdict.checkEvents(Deployment.SINGLE, 1, accepted, 0);
    int open = accepted.size() % Deployment.TRIPLE_COUNT;
    verdict.checkEvents(Deployment.TRIPLE, Deployment.TRIPLE_COUNT, accepted, open);
    return verdict.faults().isEmpty();
  }

  private void judge(Verdict verdict, Instant end) throws IOException, InterruptedException {
    created.forEach(one -> verdict.checkFires(one, end));
    verdict.checkNothingIsEarly();
    Set<String> accepted = producer.accepted().keySet();
    verdict.checkEvents(Deployment.SINGLE, 1, accepted, collecting(Deployment.SINGLE));
    verdict.checkEvents(
        Deployment.TRIPLE, Deployment.TRIPLE_COUNT, accepted, collecting(Deployment.TRIPLE));
    verdict.checkDuplicates(hasOutrunItsTimeout());
    verdict.report(!nothingIsHalfDone(), "jobs have not ended: " + halfDone());
    JsonNode troubles = deployment.get(engine().http(), "/v1/status").path("troubles");
    verdict.report(!troubles.isEmpty(), "the status reports troubles: " + troubles);
  }

  /**
   * Whether a function ran longer than Lambda lets it run. The lease of a checker ends then, while
   * the checker can still send the requests of its jobs.
   */
  private boolean hasOutrunItsTimeout() throws IOException {
    try (InputStream text = new FileInputStream(log)) {
      text.skipNBytes(logBegin);
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).contains(OUTRUN);
    }
  }

  private boolean nothingIsHalfDone() throws IOException, InterruptedException {
    Instant end = Instant.now().plus(LONGEST_WAIT);
    while (!halfDone().isEmpty() && Instant.now().isBefore(end)) {
      pass(PAUSE);
    }
    return halfDone().isEmpty();
  }

  private List<JsonNode> halfDone() throws IOException, InterruptedException {
    List<JsonNode> jobs = new ArrayList<>();
    for (String schedule : schedules()) {
      for (String state : List.of("PENDING_LAUNCH", "PENDING_CONSTRAINT")) {
        schedule(schedule, "/jobs?state=" + state).path("jobs").forEach(jobs::add);
      }
    }
    return jobs;
  }

  private List<String> schedules() {
    List<String> names = new ArrayList<>(List.of(Deployment.SINGLE, Deployment.TRIPLE));
    Deployment.CLOCKWORKS.forEach(clockwork -> names.add(clockwork.name()));
    return names;
  }

  private long collecting(String name) throws IOException, InterruptedException {
    return schedule(name, "/explain")
        .path("collecting")
        .path("leaves")
        .path(0)
        .path("have")
        .asLong();
  }

  private JsonNode schedule(String name, String rest) throws IOException, InterruptedException {
    String path = "/v1/namespaces/" + Deployment.NAMESPACE + "/schedules/" + name + rest;
    return deployment.get(engine().http(), path);
  }

  private static void pass(Duration time) throws InterruptedException {
    if (NEVER.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the latch was released, although it only serves to wait");
    }
  }
}
