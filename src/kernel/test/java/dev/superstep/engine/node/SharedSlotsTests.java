package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SharedSlotsTests {
  private final List<String> got = new CopyOnWriteArrayList<>();

  private Thread acquire(SharedSlots slots, String caller) {
    return Thread.ofVirtual()
        .start(() -> {
          slots.acquire(caller);
          got.add(caller);
        });
  }

  /// Starts so many, and waits until all have what they can have.
  private List<Thread> acquire(SharedSlots slots, String caller, int threads) {
    var started = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      var thread = acquire(slots, caller);
      await().until(() -> !thread.isAlive() || thread.getState() == Thread.State.WAITING);
      started.add(thread);
    }
    return started;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 15, 64, 100, 511, 512, 1000})
  void givesOneCallerWhatIsItsOwnAndKeepsARest(int max) {
    int held = 0;
    int free = max + SharedSlots.reserve(max);
    while (SharedSlots.admits(held, free)) {
      held++;
      free--;
    }

    assertThat(held).isEqualTo(max);
    assertThat(free).isEqualTo(max / 8);
  }

  /// However many hold all they can get, one more finds a slot as long as there is any.
  @Test
  void leavesEachFurtherCallerSome() {
    int free = 1_000 + SharedSlots.reserve(1_000);
    for (int caller = 0; caller < 3; caller++) {
      int held = 0;
      while (SharedSlots.admits(held, free)) {
        held++;
        free--;
      }
      assertThat(held).as("slots of caller %d", caller).isPositive();
    }
  }

  @Test
  void servesAnotherCallerWhileTheFirstWaitsForItself() {
    var slots = new SharedSlots(8);
    acquire(slots, "a", 20);
    assertThat(got).hasSize(8);

    acquire(slots, "b", 3);

    assertThat(got).hasSize(9).endsWith("b");
  }

  @Test
  void servesThoseThatWaitInTurn() throws InterruptedException {
    var slots = new SharedSlots(1);
    acquire(slots, "a", 5);
    acquire(slots, "b", 2);
    acquire(slots, "c", 1);
    for (int i = 0; i < 7; i++) {
      int seen = i + 1;
      await().until(() -> got.size() == seen);
      slots.release(got.get(i));
    }
    await().until(() -> got.size() == 8);

    assertThat(got.subList(0, 4)).containsExactlyInAnyOrder("a", "a", "b", "c");
  }

  @Test
  void staysInterruptedAndGetsItsSlotAllTheSame() throws InterruptedException {
    var slots = new SharedSlots(1);
    acquire(slots, "a", 1);
    var interrupted = new CopyOnWriteArrayList<Boolean>();
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              slots.acquire("a");
              interrupted.add(Thread.currentThread().isInterrupted());
            });
    await().until(() -> thread.getState() == Thread.State.WAITING);
    thread.interrupt();
    slots.release("a");

    thread.join();
    assertThat(interrupted).containsExactly(true);
  }

  @Test
  void losesNoSlots() throws InterruptedException {
    long seed = System.nanoTime();
    var random = new Random(seed);
    var slots = new SharedSlots(5);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 300; i++) {
      var caller = "caller " + random.nextInt(4);
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                slots.acquire(caller);
                slots.release(caller);
              }));
    }
    for (var thread : threads) {
      thread.join();
    }

    acquire(slots, "a", 9);
    assertThat(got).as("seed %d", seed).hasSize(5);
  }
}
