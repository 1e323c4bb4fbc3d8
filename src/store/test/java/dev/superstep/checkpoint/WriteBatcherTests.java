package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.tenant.Share;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/// "No timer: a batch is what arrived during the previous commit."
class WriteBatcherTests {
  private final List<List<String>> batches = new CopyOnWriteArrayList<>();
  private final Semaphore gate = new Semaphore(0);

  private record Word(String text, long bytes) implements WriteBatcher.Member {}

  private WriteBatcher<Word> lane(int count, long bytes) {
    return new WriteBatcher<>(
        new WriteBatcher.BatchBounds(1, count, bytes),
        batch -> {
          batches.add(batch.stream().map(Word::text).toList());
          gate.acquireUninterruptibly();
        });
  }

  private List<Thread> start(WriteBatcher<Word> writeBatcher, String... words) {
    var threads = new ArrayList<Thread>();
    for (var word : words) {
      var thread = Thread.ofVirtual().start(() -> writeBatcher.write(new Word(word, 10)));
      threads.add(thread);
      boolean first = batches.isEmpty();
      await().until(() -> first ? !batches.isEmpty() : thread.getState() == Thread.State.WAITING);
    }
    return threads;
  }

  @Test
  void gathersWhatArrivesWhileItWrites() throws Exception {
    var threads = start(lane(10, 1000), "a", "b", "c", "d");

    gate.release(2);

    for (var thread : threads) {
      thread.join();
    }
    assertThat(batches).containsExactly(List.of("a"), List.of("b", "c", "d"));
  }

  @Test
  void overlapsAsManyWritesAsItHasWriters() throws Exception {
    var lane =
        new WriteBatcher<Word>(
            new WriteBatcher.BatchBounds(2, 100, 10_000),
            batch -> {
              batches.add(batch.stream().map(Word::text).toList());
              gate.acquireUninterruptibly();
            });
    var threads = new ArrayList<Thread>();
    for (int i = 1; i <= 2; i++) {
      int writing = i;
      threads.add(Thread.ofVirtual().start(() -> lane.write(new Word("alone", 10))));
      await().until(() -> batches.size() == writing);
    }
    for (int i = 0; i < 3; i++) {
      var thread = Thread.ofVirtual().start(() -> lane.write(new Word("together", 10)));
      threads.add(thread);
      await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    gate.release(1);
    await().until(() -> batches.size() == 3);
    gate.release(2);
    for (var thread : threads) {
      thread.join();
    }

    assertThat(batches)
        .containsExactly(
            List.of("alone"), List.of("alone"), List.of("together", "together", "together"));
  }

  @Test
  void boundsABatchByCountAndByBytes() throws Exception {
    for (var writeBatcher : List.of(lane(2, 1000), lane(10, 25))) {
      batches.clear();
      var threads = start(writeBatcher, "a", "b", "c", "d");
      gate.release(3);
      for (var thread : threads) {
        thread.join();
      }
      assertThat(batches).containsExactly(List.of("a"), List.of("b", "c"), List.of("d"));
    }
  }

  @Test
  void takesAMemberThatIsLargerThanABatch() {
    gate.release(1);

    lane(10, 5).write(new Word("large", 10));

    assertThat(batches).containsExactly(List.of("large"));
  }

  @Test
  void letsGoOfAThreadThatIsInterruptedWhileItWaits() throws Exception {
    var writeBatcher = lane(10, 1000);
    var threads = start(writeBatcher, "a", "b", "c");

    threads.get(1).interrupt();
    threads.get(1).join();
    gate.release(2);

    threads.get(0).join();
    threads.get(2).join();
    assertThat(batches).containsExactly(List.of("a"), List.of("c"));
  }

  @Test
  void goesOnBehindAWriterThatThrows() {
    var writeBatcher =
        new WriteBatcher<Word>(
            new WriteBatcher.BatchBounds(1, 10, 1000),
            batch -> {
              batches.add(batch.stream().map(Word::text).toList());
              throw new IllegalStateException("it broke");
            });

    assertThatThrownBy(() -> writeBatcher.write(new Word("a", 1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> writeBatcher.write(new Word("b", 1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(batches).hasSize(2);
  }

  private record Letter(Share share) implements WriteBatcher.Member {
    @Override
    public long bytes() {
      return 1;
    }
  }

  /// Also of threads that work on no run, as those of requests do.
  @Test
  void takesMembersInTurnByTheirCallers() throws Exception {
    var order = new CopyOnWriteArrayList<String>();
    var lane =
        new WriteBatcher<Letter>(
            new WriteBatcher.BatchBounds(1, 1, 10),
            it -> {
              order.add(it.getFirst().share().caller());
              gate.acquireUninterruptibly();
            });
    var threads = new ArrayList<Thread>();
    for (var caller : List.of("flood", "flood", "flood", "flood", "other")) {
      var thread =
          Thread.ofVirtual().start(() -> lane.write(new Letter(new Share("acme", caller))));
      threads.add(thread);
      await()
          .until(() ->
              threads.size() == 1 ? !order.isEmpty() : thread.getState() == Thread.State.WAITING);
    }

    gate.release(threads.size());
    for (var thread : threads) {
      thread.join();
    }

    assertThat(order).containsExactly("flood", "flood", "other", "flood", "flood");
  }

  @Test
  void waitsForNobodyWhereNobodyComes() {
    gate.release(2);
    var lane = yielding(() -> batches.add(List.of("yields")));

    lane.write(new Word("alone", 10));
    lane.write(new Word("alone", 10));

    assertThat(batches).containsExactly(List.of("alone"), List.of("alone"));
  }

  @Test
  void letsOthersComeWhereSomeHaveCome() throws Exception {
    var others = new ArrayDeque<>(List.of("d", "e", "f"));
    var lanes = new ArrayList<WriteBatcher<Word>>();
    var lane = yielding(() -> start(lanes.getFirst(), others.remove()));
    lanes.add(lane);
    var threads = start(lane, "a", "b", "c");
    gate.release(3);
    for (var thread : threads) {
      thread.join();
    }

    lane.write(new Word("leader", 10));

    assertThat(batches)
        .containsExactly(List.of("a"), List.of("b", "c"), List.of("leader", "d", "e"));
  }

  private WriteBatcher<Word> yielding(Runnable pause) {
    return new WriteBatcher<>(
        new WriteBatcher.BatchBounds(1, 10, 1000, 2),
        batch -> {
          batches.add(batch.stream().map(Word::text).toList());
          gate.acquireUninterruptibly();
        },
        pause);
  }

  /// Every entry is written, and none twice.
  @Test
  void writesEverythingOnce() throws Exception {
    var written = new CopyOnWriteArrayList<String>();
    var writeBatcher =
        new WriteBatcher<Word>(
            new WriteBatcher.BatchBounds(2, 7, 1000),
            batch -> batch.forEach(it -> written.add(it.text())));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new ArrayList<Future<?>>();
      for (int i = 0; i < 50; i++) {
        var name = "t" + i + "-";
        writers.add(
            threads.submit(() -> {
              for (int step = 0; step < 40; step++) {
                writeBatcher.write(new Word(name + step, 10));
              }
            }));
      }
      for (var writer : writers) {
        writer.get();
      }
    }
    assertThat(written).hasSize(2000).doesNotHaveDuplicates();
  }
}
