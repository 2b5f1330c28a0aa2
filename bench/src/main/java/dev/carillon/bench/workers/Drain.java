package dev.carillon.bench.workers;

import dev.carillon.client.CarillonClient;
import dev.carillon.local.LocalAccount;
import dev.carillon.worker.ClaimedJob;
import dev.carillon.worker.JobEnding;
import dev.carillon.worker.Worker;
import dev.carillon.worker.WorkerListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The program of the worker's process. Each line of its input contains a queue, the number of jobs
 * that must succeed, and how many attempts of each job fail before one succeeds. The answer is the
 * time that the jobs took.
 */
final class Drain {

  /** The program of the jobs. */
  static final String PROGRAM = "small";

  private static final int WAITING = 50;
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private final CarillonClient carillon;
  private final SqsClient sqs;
  private final int threads;

  private Drain(String[] arguments) {
    carillon = CarillonClient.local(URI.create(arguments[0]));
    sqs = LocalAccount.sqs(URI.create(arguments[1]));
    threads = Integer.parseInt(arguments[2]);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Drain drain = new Drain(arguments);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] parts = order.split(" ", 3);
      System.out.println(
          drain.nanos(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
    }
    System.exit(0);
  }

  private long nanos(String queue, int jobs, int failing) throws InterruptedException {
    Count count = new Count(jobs);
    Worker worker =
        Worker.builder()
            .carillon(carillon)
            .queue(sqs, queue)
            .threads(threads)
            .waiting(WAITING)
            .listener(count)
            .handle(PROGRAM, job -> work(job, failing))
            .start();
    if (!count.left.await(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "%d jobs did not succeed within %s".formatted(count.left.getCount(), LONGEST));
    }
    worker.close();
    return count.last.get() - count.first.get();
  }

  private static void work(ClaimedJob job, int failing) {
    if (job.attempt() <= failing) {
      throw new IllegalStateException("attempt " + job.attempt());
    }
  }

  /** Counts the successes, and records when the first claim and the last report were answered. */
  private static final class Count implements WorkerListener {

    private final CountDownLatch left;
    private final AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

    Count(int jobs) {
      left = new CountDownLatch(jobs);
    }

    @Override
    public void claimed(ClaimedJob job, Duration waited) {
      first.accumulateAndGet(System.nanoTime(), Math::min);
    }

    @Override
    public void ended(ClaimedJob job, JobEnding ending, Duration ran) {
      if (ending == JobEnding.SUCCEEDED) {
        last.accumulateAndGet(System.nanoTime(), Math::max);
        left.countDown();
      }
    }
  }
}
