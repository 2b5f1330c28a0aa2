package dev.carillon.campaign.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that lend their stacks to tasks. Of those that belong together only one runs at a time:
 * the one that has the baton; so nothing here needs a lock.
 */
public final class Workers {

  private final Deque<Worker> idle = new ArrayDeque<>();

  /** One thread. */
  static final class Worker {
    private @Nullable Thread thread;
    private volatile @Nullable Task given;
    private volatile boolean hasBaton;

    /** The thread that calls this. */
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
        Task task = given;
        if (task != null) {
          given = null;
          task.performOn(this);
        }
      }
    }
  }

  /** Gives the baton to a thread that begins with the task. */
  void begin(Task task) {
    Worker worker = idle.pollLast();
    if (worker == null) {
      worker = started();
    }
    worker.given = task;
    worker.passBaton();
  }

  void rest(Worker worker) {
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
