package dev.carillon.bench.crash;

import dev.carillon.client.CarillonClient;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import dev.carillon.worker.ClaimedJob;
import dev.carillon.worker.Worker;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** A separate JVM with a worker, which can be killed. */
final class MortalWorker {

  static final String PROGRAM = "mortal";
  static final String QUEUE = "mortal";

  private static final int THREADS = 8;
  private static final int LONGEST_WORK_MILLIS = 300;

  private final Process process;

  private MortalWorker(Process process) {
    this.process = process;
  }

  /**
   * @param log receives the log of the worker
   */
  static MortalWorker spawn(URI http, URI sqs, URI effects, File log) {
    try {
      return new MortalWorker(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  MortalWorker.class.getName(),
                  http.toString(),
                  sqs.toString(),
                  effects.toString())
              .redirectError(ProcessBuilder.Redirect.appendTo(log))
              .start());
    } catch (IOException fault) {
      throw new IllegalStateException("no worker can be started", fault);
    }
  }

  /** The entry of the process. It prints a line when it begins its first job. */
  public static void main(String[] arguments) throws InterruptedException {
    Effects effects = new Effects(LocalAccount.dynamoDb(URI.create(arguments[2])));
    AtomicBoolean works = new AtomicBoolean();
    Worker.builder()
        .carillon(CarillonClient.local(URI.create(arguments[0])))
        .queue(LocalAccount.sqs(URI.create(arguments[1])), LocalEngine.TARGET_PREFIX + QUEUE)
        .threads(THREADS)
        .waiting(0)
        .handle(
            PROGRAM,
            job -> {
              if (works.compareAndSet(false, true)) {
                System.out.println("works");
              }
              work(job, effects);
            })
        .start()
        .awaitEnd();
  }

  private static void work(ClaimedJob job, Effects effects) throws InterruptedException {
    if (effects.begin(job.jobId(), job.attempt())) {
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_WORK_MILLIS));
      effects.happen(job.jobId(), job.attempt());
    }
  }

  /** Waits until the worker works on a job; false if the worker ended or got no job. */
  boolean awaitWork() {
    try {
      return new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
              .readLine()
          != null;
    } catch (IOException killed) {
      return false;
    }
  }

  /** Kills the process with SIGKILL, and waits for its death. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }
}
