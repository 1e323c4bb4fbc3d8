package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.tenant.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SharedSlotsTests {
  private final SlotCounts counts = new SlotCounts();
  private int free;
  private final List<String> got = new CopyOnWriteArrayList<>();

  private Thread acquire(SharedSlots slots, String caller) {
    return Thread.ofVirtual()
        .start(() -> {
          slots.acquire(share(caller));
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

  /// Capitals are callers of another tenant.
  private static Share share(String caller) {
    return new Share(caller.equals(caller.toLowerCase(Locale.ROOT)) ? "acme" : "other", caller);
  }

  /// Takes all that it can have.
  private int take(Share share) {
    int taken = 0;
    while (counts.admits(share, free)) {
      counts.add(share);
      taken++;
      free--;
    }
    return taken;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 15, 63, 64, 65, 71, 100, 511, 512, 1000})
  void givesOneCallerWhatIsItsOwnAndKeepsARest(int max) {
    free = SlotCounts.slots(max);

    assertThat(take(share("a"))).isEqualTo(max);
    assertThat(free).isEqualTo(max / 8 + (max + max / 8) / 8);
  }

  /// As many as on a server without tenants, and the rest is for other tenants.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 15, 63, 64, 65, 71, 100, 511, 512, 1000})
  void givesTheCallersOfOneTenantAnEighthMore(int max) {
    free = SlotCounts.slots(max);
    int all = IntStream.range(0, max + 1).map(it -> take(new Share("acme", "a" + it))).sum();

    assertThat(all).isEqualTo(max + max / 8);
    assertThat(free).isEqualTo((max + max / 8) / 8);
    assertThat(take(share("B")) > 0).isEqualTo(max >= 8);
  }

  /// However many hold all they can get, one more finds a slot as long as there is any.
  @Test
  void leavesEachFurtherCallerSome() {
    free = SlotCounts.slots(1_000);
    for (int caller = 0; caller < 3; caller++) {
      assertThat(take(new Share("acme", "a" + caller))).as("caller %d", caller).isPositive();
    }
    for (int tenant = 0; tenant < 3; tenant++) {
      assertThat(take(new Share("t" + tenant, "a"))).as("tenant %d", tenant).isPositive();
    }
  }

  @Test
  void saysWhoHasNoRoom() {
    free = SlotCounts.slots(64);
    take(share("a"));
    assertThat(counts.withoutRoom(free))
        .isEqualTo(new SlotCounts.WithoutRoom(Set.of(), Set.of(share("a"))));

    IntStream.range(0, 20).forEach(it -> take(new Share("acme", "a" + it)));
    assertThat(counts.withoutRoom(free))
        .isEqualTo(new SlotCounts.WithoutRoom(Set.of("acme"), Set.of()));

    for (int i = 0; i < 64; i++) {
      counts.remove(share("a"));
    }
    assertThat(counts.withoutRoom(free + 64))
        .isEqualTo(new SlotCounts.WithoutRoom(Set.of(), Set.of()));
  }

  /// Most first: the tenant counts before the caller.
  @Test
  void ordersSharesByWhatTheyHold() {
    for (var caller : List.of("a", "b", "b", "X", "X")) {
      counts.add(share(caller));
    }
    var shares = Stream.of("X", "Y", "a", "b").map(SharedSlotsTests::share).sorted(counts::compare);

    assertThat(shares.map(Share::caller)).containsExactly("b", "a", "X", "Y");
  }

  /// The callers of one tenant hold all that it may have.
  @Test
  void servesAnotherTenantWhileCallersOfTheFirstWait() {
    var slots = new SharedSlots(16);
    for (int i = 0; i < 25; i++) {
      acquire(slots, Character.toString('a' + i), 1);
    }
    assertThat(got).hasSize(18);

    acquire(slots, "X", 1);

    assertThat(got).hasSize(19).endsWith("X");
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
      slots.release(share(got.get(i)));
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
              slots.acquire(share("a"));
              interrupted.add(Thread.currentThread().isInterrupted());
            });
    await().until(() -> thread.getState() == Thread.State.WAITING);
    thread.interrupt();
    slots.release(share("a"));

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
                slots.acquire(share(caller));
                slots.release(share(caller));
              }));
    }
    for (var thread : threads) {
      thread.join();
    }

    acquire(slots, "a", 9);
    assertThat(got).as("seed %d", seed).hasSize(5);
  }
}
