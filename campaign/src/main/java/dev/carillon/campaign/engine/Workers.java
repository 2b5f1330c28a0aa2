package dev.carillon.campaign.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads on which tasks run. Only the thread that holds the baton of a simulation runs,
 * so the simulation needs no locks. The threads end when the pool is closed.
 */
public final class Workers implements AutoCloseable {

  private final Deque<Worker> idle = new ArrayDeque<>();

  /** One thread of the pool. */
  static final class Worker {
    private @Nullable Thread thread;
    private volatile @Nullable Task nextTask;
    private volatile boolean hasBaton;

    /** A worker for the calling thread. */
    static Worker here() {
      Worker worker = new Worker();
      worker.thread = Thread.currentThread();
      return worker;
    }

    void passBaton() {
      hasBaton = true;
      LockSupport.unpark(thread);
    }

    void awaitBaton() {
      while (!hasBaton) {
        LockSupport.park(this);
      }
      hasBaton = false;
    }

    /** Performs tasks until the baton comes without one. */
    private void work() {
      awaitBaton();
      for (Task task = nextTask; task != null; task = nextTask) {
        nextTask = null;
        task.performOn(this);
        awaitBaton();
      }
    }
  }

  /** Passes the baton to a thread that starts the task. */
  void begin(Task task) {
    Worker worker = idle.pollLast();
    if (worker == null) {
      worker = started();
    }
    worker.nextTask = task;
    worker.passBaton();
  }

  void release(Worker worker) {
    idle.addLast(worker);
  }

  /** Ends the threads. No simulation may run. */
  @Override
  public void close() {
    idle.forEach(Worker::passBaton);
    idle.clear();
  }

  private static Worker started() {
    Worker worker = new Worker();
    Thread thread = new Thread(worker::work, "campaign-task");
    thread.setDaemon(true);
    worker.thread = thread;
    thread.start();
    return worker;
  }
}
