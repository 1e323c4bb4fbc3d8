package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.tenant.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkPermitsTests {
  private static final long LONG = 1_000_000_000;
  private final AtomicLong nanoTime = new AtomicLong();
  private final WorkPermits workPermits = new WorkPermits(1, Duration.ofMinutes(1), nanoTime::get);
  private final List<String> done = new CopyOnWriteArrayList<>();

  /// Nanoseconds, over two moves: the latter may not be noted yet.
  private final AtomicLong longestMove = new AtomicLong();

  private final AtomicLong stoodStill = new AtomicLong();

  /// When the last but one was made.
  private volatile long moveBefore;

  private Thread begin(Runnable work) {
    return Thread.ofVirtual().start(() -> workPermits.begin(Share.NOBODYS, work));
  }

  /// Begins work that holds the only permit once this returns, and until `gate` opens.
  private Thread holdUntil(CountDownLatch gate) {
    return holdUntil(gate, workPermits);
  }

  private static Thread holdUntil(CountDownLatch gate, WorkPermits permits) {
    var held = new CountDownLatch(1);
    var holder =
        Thread.ofVirtual()
            .start(() ->
                permits.begin(
                    Share.NOBODYS,
                    () -> {
                      held.countDown();
                      pass(gate);
                    }));
    pass(held);
    return holder;
  }

  private void awaitQueued(int threads) {
    await().until(() -> workPermits.queued() == threads);
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void letsOthersInOneAfterTheOtherInTheirOrder() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var threads = new CopyOnWriteArrayList<Thread>();
    threads.add(
        begin(() -> {
          done.add("first");
          pass(gate);
        }));
    await().until(() -> done.size() == 1);
    for (int i = 0; i < 5; i++) {
      var name = "later " + i;
      threads.add(begin(() -> done.add(name)));
      awaitQueued(i + 1);
    }

    gate.countDown();

    for (var thread : threads) {
      thread.join();
    }
    assertThat(done)
        .containsExactly("first", "later 0", "later 1", "later 2", "later 3", "later 4");
  }

  @Test
  void givesAwayThePlaceOfOneWhoWaitsOutsideAndHasItQueueAfterwards() throws InterruptedException {
    var answer = new CountDownLatch(1);
    var gate = new CountDownLatch(1);
    var caller =
        begin(() -> {
          try (var _ = WorkPermits.releaseDuringIo()) {
            done.add("asked");
            pass(answer);
            nanoTime.addAndGet(LONG);
          }
          done.add("back");
        });
    await().until(() -> done.contains("asked"));
    var other =
        begin(() -> {
          done.add("other");
          pass(gate);
        });
    await().until(() -> done.contains("other"));

    answer.countDown();
    awaitQueued(1);
    assertThat(done).containsExactly("asked", "other");

    gate.countDown();
    caller.join();
    other.join();
    assertThat(done).containsExactly("asked", "other", "back");
  }

  @Test
  void letsGoOnAtOnceWhoWasOutsideShortly() throws InterruptedException {
    assertGoesOn(() -> {
      try (var _ = WorkPermits.releaseDuringIo()) {
        done.add("away");
        await().until(() -> done.contains("other"));
      }
    });
  }

  @Test
  void letsGoOnAtOnceWhoWaitedForItsRunHoweverLong() throws InterruptedException {
    assertGoesOn(() -> {
      try (var _ = WorkPermits.releaseForSibling()) {
        done.add("away");
        await().until(() -> done.contains("other"));
        nanoTime.addAndGet(LONG);
      }
    });
  }

  /// Although the only place is taken by another meanwhile.
  private void assertGoesOn(Runnable absence) throws InterruptedException {
    var gate = new CountDownLatch(1);
    var thread =
        begin(() -> {
          absence.run();
          done.add("back");
        });
    await().until(() -> done.contains("away"));
    var other =
        begin(() -> {
          done.add("other");
          pass(gate);
        });

    thread.join();

    assertThat(done).containsExactly("away", "other", "back");
    gate.countDown();
    other.join();
  }

  @Test
  void startsWhatWorkInProgressWaitsForAtOnce() throws InterruptedException {
    var driver =
        begin(() -> {
          var attempt =
              Thread.ofVirtual()
                  .start(() -> workPermits.proceed(Share.NOBODYS, () -> done.add("attempt")));
          try {
            attempt.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          done.add("driver");
        });

    driver.join();

    assertThat(done).containsExactly("attempt", "driver");
  }

  @Test
  void countsOnceWhoIsOutsideOfOutside() throws InterruptedException {
    begin(
            () -> {
              try (var _ = WorkPermits.releaseDuringIo();
                  var _ = WorkPermits.releaseDuringIo()) {
                done.add("away");
              }
            })
        .join();

    assertOnePlace();
  }

  @Test
  void freesThePlaceOfOneWhoFails() throws InterruptedException {
    var failing =
        Thread.ofVirtual()
            .unstarted(() ->
                workPermits.begin(
                    Share.NOBODYS,
                    () -> {
                      throw new IllegalStateException("no");
                    }));
    failing.setUncaughtExceptionHandler((_, _) -> done.add("failed"));
    failing.start();
    failing.join();

    assertThat(done).containsExactly("failed");
    assertOnePlace();
  }

  @Test
  void letsThroughWhoIsInterruptedWhileItQueues() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var first = holdUntil(gate);
    var second = begin(() -> done.add("interrupted: " + Thread.interrupted()));
    awaitQueued(1);

    second.interrupt();
    second.join();

    assertThat(done).containsExactly("interrupted: true");
    gate.countDown();
    first.join();
    assertOnePlace();
  }

  /// Whatever those inside wait for: nobody waits for ever.
  @Test
  void letsGoOnWhoHasQueuedLongEnough() throws InterruptedException {
    var impatient = new WorkPermits(1, Duration.ofMillis(20));
    var gate = new CountDownLatch(1);
    var holder = holdUntil(gate, impatient);
    var next =
        Thread.ofVirtual().start(() -> impatient.begin(Share.NOBODYS, () -> done.add("next")));

    next.join();

    assertThat(done).containsExactly("next");
    gate.countDown();
    holder.join();
  }

  /// A thousand loops would have the CPU at once, and the only run of another find them before it.
  @Test
  void keepsWhoHasQueuedLongWaitingWhileOthersMove() throws InterruptedException {
    var impatient = new WorkPermits(1, Duration.ofMillis(20));
    var gate = new CountDownLatch(1);
    var holder = holdUntil(gate, impatient);
    var moving = new AtomicBoolean(true);
    var mover =
        Thread.ofVirtual()
            .start(() -> impatient.proceed(Share.NOBODYS, () -> moveWhile(moving::get)));
    await().until(() -> done.contains("moves"));
    var next =
        Thread.ofVirtual()
            .start(() ->
                impatient.begin(
                    Share.NOBODYS,
                    () -> {
                      stoodStill.set(Math.max(longestMove.get(), System.nanoTime() - moveBefore));
                      done.add("next");
                    }));

    await().until(() -> impatient.queued() == 1 || done.contains("next"));
    // A busy machine may let the mover stand still for as long as the patience: then it may.
    await()
        .during(Duration.ofMillis(100))
        .until(() -> !done.contains("next") || stoodStill.get() >= 20_000_000);

    moving.set(false);
    next.join();
    gate.countDown();
    holder.join();
    mover.join();
  }

  /// Gives its permit back and has it again, as one does who asks a service that answers soon.
  @SuppressWarnings("ThreadPriorityCheck") // others may run on one processor, too
  private void moveWhile(BooleanSupplier moving) {
    moveBefore = System.nanoTime();
    long last = moveBefore;
    while (moving.getAsBoolean()) {
      WorkPermits.releaseForSibling().close();
      long now = System.nanoTime();
      longestMove.accumulateAndGet(now - moveBefore, Math::max);
      moveBefore = last;
      last = now;
      if (done.isEmpty()) {
        done.add("moves");
      }
      Thread.yield();
    }
  }

  /// The JDK's one thread for timed waits would wake twice for each ([Deadline]).
  @Test
  void queuesWithoutATimedWait() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var first = holdUntil(gate);
    var second = begin(() -> done.add("second"));
    awaitQueued(1);

    await().until(() -> second.getState() == Thread.State.WAITING);

    gate.countDown();
    first.join();
    second.join();
  }

  /// A superstep of thousands of tasks would keep all others out.
  @Test
  void hasAttemptsOfWideSuperstepsQueue() throws InterruptedException {
    var pool = new VirtualTaskPool(10, workPermits);
    var gate = new CountDownLatch(1);
    var holder = holdUntil(gate);
    pool.start(TaskPool.PoolTurn.of(9), () -> done.add("of many"));
    awaitQueued(1);
    pool.start(TaskPool.PoolTurn.of(8), () -> done.add("of few"));
    await().until(() -> done.contains("of few"));

    gate.countDown();

    await().until(() -> done.size() == 2);
    assertThat(done).containsExactly("of few", "of many");
    holder.join();
  }

  /// A thousand runs of one caller do not come before the only one of another.
  @Test
  void letsCallersInInTurn() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var threads = new CopyOnWriteArrayList<Thread>();
    var holder = holdUntil(gate);
    for (var name : List.of("a1", "a2", "a3", "b1")) {
      int queued = threads.size() + 1;
      threads.add(
          Thread.ofVirtual()
              .start(() ->
                  workPermits.begin(
                      new Share("acme", name.substring(0, 1)), () -> done.add(name))));
      awaitQueued(queued);
    }

    gate.countDown();

    holder.join();
    for (var thread : threads) {
      thread.join();
    }
    assertThat(done).containsExactly("a1", "b1", "a2", "a3");
  }

  /// Neither before its turn is over, nor when nobody queues. However long the holders wait, and
  /// however many have lost their patience.
  @Test
  void letsTenantsAndCallersInWhoHoldNone() throws InterruptedException {
    var eight = new WorkPermits(8, Duration.ofMinutes(1));
    var gate = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      threads.add(hold(eight, new Share("loud", "a"), gate));
      await().until(() -> done.size() + eight.queued() == threads.size());
    }
    for (var share :
        List.of(
            new Share("loud", "a"),
            new Share("loud", "b"),
            new Share("loud", "c"),
            new Share("quiet", "a"),
            new Share("third", "a"))) {
      threads.add(hold(eight, share, gate));
      await().until(() -> done.size() + eight.queued() == threads.size());
    }

    assertThat(done)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(Collections.nCopies(8, "loud/a").stream(), Stream.of("loud/b", "quiet/a"))
                .toList());
    gate.countDown();
    for (var thread : threads) {
      thread.join();
    }
    assertThat(done).hasSize(13).contains("loud/c", "third/a");
  }

  /// Its second work does not queue behind holders who all wait, once its first is done.
  @Test
  void letsAShareInThatHoldsNoneAnyMore() throws InterruptedException {
    var eight = new WorkPermits(8, Duration.ofMinutes(1));
    var gate = new CountDownLatch(1);
    var first = new CountDownLatch(1);
    var quiet = new Share("quiet", "a");
    var threads = new ArrayList<Thread>();
    threads.add(hold(eight, quiet, first));
    await().until(() -> done.size() == 1);
    for (int i = 0; i < 9; i++) {
      threads.add(hold(eight, new Share("loud", "a"), gate));
      await().until(() -> done.size() + eight.queued() == threads.size());
    }
    threads.add(hold(eight, quiet, gate));
    await().until(() -> done.size() + eight.queued() == threads.size());
    assertThat(done).filteredOn("quiet/a"::equals).hasSize(1);

    first.countDown();

    await().until(() -> done.stream().filter("quiet/a"::equals).count() == 2);
    gate.countDown();
    for (var thread : threads) {
      thread.join();
    }
  }

  @Test
  void tellsWhoWouldNotQueue() throws InterruptedException {
    var loud = new Share("loud", "a");
    var eight = new WorkPermits(8, Duration.ofMinutes(1));
    var gate = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 9; i++) {
      assertThat(eight.admitsAtOnce(loud)).isTrue();
      threads.add(hold(eight, loud, gate));
      await().until(() -> done.size() + eight.queued() == threads.size());
    }

    assertThat(eight.admitsAtOnce(loud)).isFalse();
    assertThat(eight.admitsAtOnce(new Share("quiet", "a"))).isTrue();
    gate.countDown();
    for (var thread : threads) {
      thread.join();
    }
  }

  private Thread hold(WorkPermits permits, Share share, CountDownLatch gate) {
    return Thread.ofVirtual()
        .start(() ->
            permits.begin(
                share,
                () -> {
                  done.add(share.text());
                  pass(gate);
                }));
  }

  @Test
  void passesAPermitOnWhenItsTurnIsOver() throws InterruptedException {
    var queued = new CountDownLatch(1);
    var holder =
        begin(() -> {
          nanoTime.addAndGet(LONG);
          WorkPermits.passTurn(() -> {});
          done.add("alone");
          queued.countDown();
          awaitQueued(1);
          nanoTime.addAndGet(-LONG);
          WorkPermits.passTurn(() -> {});
          done.add("in its turn");
          nanoTime.addAndGet(LONG);
          WorkPermits.passTurn(() -> {});
          done.add("behind");
        });
    pass(queued);
    var other = begin(() -> done.add("other"));

    holder.join();
    other.join();

    assertThat(done).containsExactly("alone", "in its turn", "other", "behind");
    assertOnePlace();
  }

  @Test
  void mindsNothingOfThreadsThatWorkOnNoRun() throws InterruptedException {
    try (var _ = WorkPermits.releaseDuringIo()) {
      done.add("outside");
    }

    assertThat(done).containsExactly("outside");
    assertOnePlace();
  }

  /// Neither more nor less than one can work.
  private void assertOnePlace() throws InterruptedException {
    var gate = new CountDownLatch(1);
    var holder = holdUntil(gate);
    var next = begin(() -> done.add("next"));
    awaitQueued(1);
    assertThat(done).doesNotContain("next");
    gate.countDown();
    holder.join();
    next.join();
  }
}
