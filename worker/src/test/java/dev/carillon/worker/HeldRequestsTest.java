package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeldRequestsTest {

  private final MovedTime time = new MovedTime();
  private final SlowQueue queue = new SlowQueue();
  private final HeldRequests held =
      new HeldRequests(time, new WorkerListener() {}, denied -> queue.changes.add("denied"));

  /** A queue whose extensions take effect when they are let go on. */
  private static final class SlowQueue implements RequestQueue {

    private final CountDownLatch isExtending = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private boolean isDenied;
    private volatile boolean isShortOfMemory;
    private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();

    @Override
    public String name() {
      return "slow";
    }

    @Override
    public List<Message> receive(int most) {
      return List.of();
    }

    @Override
    public void delete(List<String> receiptHandles) {
      failOnce();
      if (isDenied) {
        throw new DeniedException("sqs:DeleteMessage", new IllegalStateException("no"));
      }
      changes.add("deleted " + receiptHandles);
    }

    @Override
    public void setVisibility(List<String> receiptHandles, Duration after) {
      failOnce();
      if (!after.isZero()) {
        isExtending.countDown();
        try {
          goesOn.await();
        } catch (InterruptedException ending) {
          throw new IllegalStateException(ending);
        }
      }
      changes.add((after.isZero() ? "back " : "extended ") + receiptHandles);
    }

    private void failOnce() {
      if (isShortOfMemory) {
        isShortOfMemory = false;
        changes.add("failed");
        throw new OutOfMemoryError("simulated");
      }
    }
  }

  private Delivery delivery() {
    return delivery("handle");
  }

  private Delivery delivery(String handle) {
    LaunchRequest request =
        new LaunchRequest("a", 1, "team", "nightly", "exporter", 5, Instant.EPOCH, "", Map.of());
    return new Delivery(queue, handle, request, Instant.EPOCH, 0);
  }

  @Test
  void aRequestThatIsGivenBackWhileItIsExtendedIsVisibleInTheEnd() throws InterruptedException {
    Delivery delivery = delivery();
    held.hold(List.of(delivery));
    held.start();
    Thread extending = new Thread(() -> time.move(RequestQueue.VISIBILITY.dividedBy(3)));
    extending.start();
    queue.isExtending.await();

    Thread givingBack = new Thread(() -> held.giveBack(List.of(delivery)));
    givingBack.start();
    while (givingBack.getState() != Thread.State.WAITING && givingBack.isAlive()) {
      Thread.onSpinWait();
    }
    queue.goesOn.countDown();
    extending.join();
    givingBack.join();
    assertThat(queue.changes).containsExactly("extended [handle]", "back [handle]");
  }

  @Test
  void aRequestThatWasGivenBackIsExtendedNoMore() {
    Delivery delivery = delivery();
    queue.goesOn.countDown();
    held.hold(List.of(delivery));
    held.start();
    held.giveBack(List.of(delivery));
    time.move(RequestQueue.VISIBILITY);
    assertThat(queue.changes).containsExactly("back [handle]");
  }

  @Test
  void aDeletionThatIsDeniedIsNoMereTrouble() throws InterruptedException {
    queue.isDenied = true;
    held.delete(delivery());
    held.start();
    held.end();
    assertThat(queue.changes).containsExactly("denied");
  }

  @Test
  void anErrorEndsNeitherTheDeletionsNorTheExtensions() throws InterruptedException {
    queue.isShortOfMemory = true;
    held.delete(delivery("a"));
    held.start();
    assertThat(queue.changes.take()).isEqualTo("failed");
    held.delete(delivery("b"));
    assertThat(Rig.next(queue.changes)).isEqualTo("deleted [b]");

    queue.isShortOfMemory = true;
    queue.goesOn.countDown();
    held.hold(List.of(delivery("c")));
    Duration interval = RequestQueue.VISIBILITY.dividedBy(3);
    assertThatThrownBy(() -> time.move(interval)).isInstanceOf(OutOfMemoryError.class);
    time.move(interval);
    assertThat(queue.changes).containsExactly("failed", "extended [c]");
    held.end();
  }

  @Test
  void messagesAreDeletedTogetherBeforeTheEnd() throws InterruptedException {
    held.delete(delivery("a"));
    held.delete(delivery("b"));
    held.start();
    assertThat(queue.changes.take()).isEqualTo("deleted [a, b]");
    held.delete(delivery("c"));
    held.end();
    assertThat(queue.changes).containsExactly("deleted [c]");
  }
}
