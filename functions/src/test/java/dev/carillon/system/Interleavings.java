package dev.carillon.system;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.IntUnaryOperator;

/**
 * Runs tasks one at a time, and at every call to a store or queue decides which task continues.
 * Tries all orders with a bounded number of preemptions, or orders that a seed determines.
 */
final class Interleavings implements AutoCloseable {

  private static final int FEW_RANDOM_ORDERS = 30;
  private static final int MANY_RANDOM_ORDERS = 400;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** The run that is repeated for each order. */
  interface Play {
    /**
     * @param run the tasks in parallel, after their preparation; each calls {@code pause} of the
     *     turns at every call
     */
    void play(Turns turns);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /**
   * Tries all orders with one preemption, and a few random ones.
   *
   * @return the number of orders with one preemption
   */
  int few(Play play) {
    return exhaustAndRandom(1, FEW_RANDOM_ORDERS, play);
  }

  /**
   * Tries all orders with two preemptions, and many random ones.
   *
   * @return the number of orders with two preemptions
   */
  int many(Play play) {
    return exhaustAndRandom(2, MANY_RANDOM_ORDERS, play);
  }

  private int exhaustAndRandom(int mostPreemptions, int randomOrders, Play play) {
    int played = exhaust(mostPreemptions, play);
    for (int seed = 0; seed < randomOrders; seed++) {
      random(seed, play);
    }
    return played;
  }

  /**
   * Tries all orders with at most this many preemptions.
   *
   * @return the number of orders
   */
  int exhaust(int mostPreemptions, Play play) {
    Deque<int[]> left = new ArrayDeque<>(List.of(new int[0]));
    int played = 0;
    while (!left.isEmpty()) {
      int[] prefix = left.pop();
      Turns turns = new Turns(threads, prefix);
      play.play(turns);
      played++;
      if (preemptions(prefix) < mostPreemptions) {
        for (int point = prefix.length; point < turns.choices.size(); point++) {
          for (int other = 1; other < turns.choices.get(point); other++) {
            int[] next = new int[point + 1];
            System.arraycopy(prefix, 0, next, 0, prefix.length);
            next[point] = other;
            left.push(next);
          }
        }
      }
    }
    return played;
  }

  private static int preemptions(int[] choices) {
    int count = 0;
    for (int choice : choices) {
      count += choice == 0 ? 0 : 1;
    }
    return count;
  }

  /** Tries one order that a seed determines. */
  void random(long seed, Play play) {
    Random random = new Random(seed);
    play.play(new Turns(threads, most -> random.nextInt(most)));
  }

  /** Decides in one order which task runs. */
  static final class Turns {
    private final ExecutorService threads;
    private final IntUnaryOperator decide;
    private final List<Integer> choices = new ArrayList<>();
    private final List<Task> live = new ArrayList<>();
    private Task current;
    private Throwable failure;
    private final Semaphore over = new Semaphore(0);

    private Turns(ExecutorService threads, int[] prefix) {
      this.threads = threads;
      this.decide = most -> choices.size() <= prefix.length ? prefix[choices.size() - 1] : 0;
    }

    private Turns(ExecutorService threads, IntUnaryOperator decide) {
      this.threads = threads;
      this.decide = decide;
    }

    private static final class Task {
      final Runnable body;
      final Semaphore turn = new Semaphore(0);

      Task(Runnable body) {
        this.body = body;
      }
    }

    /** Returns when all tasks have ended. */
    void run(List<Runnable> bodies) {
      bodies.forEach(body -> live.add(new Task(body)));
      for (Task task : live) {
        threads.execute(() -> runInTurn(task));
      }
      current = live.get(0);
      choose();
      current.turn.release();
      over.acquireUninterruptibly();
      current = null;
      if (failure != null) {
        throw new IllegalStateException("choices " + choices, failure);
      }
    }

    private void runInTurn(Task task) {
      task.turn.acquireUninterruptibly();
      try {
        task.body.run();
      } catch (RuntimeException | Error thrown) {
        failure = failure == null ? thrown : failure;
      }
      live.remove(task);
      if (live.isEmpty()) {
        over.release();
      } else {
        current = live.get(0);
        choose();
        current.turn.release();
      }
    }

    /** Runs between two calls: another task can continue here. */
    void pause() {
      Task self = current;
      if (self == null) {
        return;
      }
      choose();
      if (current != self) {
        current.turn.release();
        self.turn.acquireUninterruptibly();
      }
    }

    /** The first choice is to continue the same task. */
    private void choose() {
      choices.add(live.size());
      int choice = decide.applyAsInt(live.size()) % live.size();
      int place = live.indexOf(current);
      current = live.get((place + choice) % live.size());
    }
  }
}
