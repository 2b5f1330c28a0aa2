package dev.carillon.campaign.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads on which tasks run. Only the thread that holds the baton of a simulation runs,
 * so the simulation needs no locks.
 */
public final class Workers {

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

    private void work() {
      while (true) {
        awaitBaton();
        Task task = nextTask;
        if (task != null) {
          nextTask = null;
          task.performOn(this);
        }
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

  private static Worker started() {
    Worker worker = new Worker();
    Thread thread = new Thread(worker::work, "campaign-task");
    thread.setDaemon(true);
    worker.thread = thread;
    thread.start();
    return worker;
  }
}
