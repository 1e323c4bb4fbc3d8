package dev.superstep.engine;

import static dev.superstep.engine.Conversations.COUNT;
import static dev.superstep.engine.Conversations.conversation;
import static dev.superstep.engine.Conversations.events;
import static dev.superstep.engine.Conversations.identified;
import static dev.superstep.engine.Conversations.loop;
import static dev.superstep.engine.Conversations.message;
import static dev.superstep.engine.Conversations.texts;
import static dev.superstep.engine.TestNodes.ask;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What becomes of a compaction while a superstep is held, and when a process dies.
class CompactionRecoveryTests {
  /// While a sibling asks, the summary is kept; it is made once, and folded with the answer.
  @Test
  void keepsItsSummaryWhileASiblingAsks() {
    var calls = new AtomicInteger();
    Summarizer counting =
        (messages, call) -> {
          calls.incrementAndGet();
          return COUNT.summarize(messages, call);
        };
    var run = TestRuns.of(asking(counting));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(texts(run, "messages")).hasSize(5);
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(texts(run, "messages")).containsExactly("summary of 4", "m5");
    assertThat(calls).hasValue(1);
  }

  /// E42: a summary of messages that were edited in the meantime says something else.
  @Test
  void dropsASummaryOfWhatWasEditedWhileItWasHeld() {
    var run = TestRuns.of(asking(COUNT));

    run.drive();
    run.edit(Change.update("messages", ListValue.of(message("m2", "user", "new"))));
    run.answer(Value.of("yes"));

    assertThat(texts(run, "messages")).containsExactly("m1", "new", "m3", "m4", "m5");
    assertThat(run.events()).contains("channel.compaction_dropped");
  }

  private static TestGraph asking(Summarizer summarizer) {
    return conversation(4, 1, summarizer)
        .node("a", _ -> set("messages", identified("m1", "m2", "m3", "m4", "m5")))
        .node("b", call -> call.resume().isPresent() ? done() : ask("ready?"))
        .edge("__start__", "a")
        .edge("a", "b");
  }

  /// E47: at whatever write to the store the process dies, the run ends as if it had not.
  @Test
  void compactsExactlyOnceWhateverDies() {
    var undisturbed = TestRuns.of(loop(conversation(4, 2, COUNT), 12));
    undisturbed.drive();
    var compacted = events(undisturbed, "channel.compacted");
    boolean dies = true;
    int deaths = 0;
    for (int call = 1; dies; call++) {
      dies = false;
      for (var when : Death.values()) {
        var run = TestRuns.of(loop(conversation(4, 2, COUNT), 12));
        var store = new DyingStore(run.runs().store, call, when);
        driveThrough(run, store);
        assertThat(run.head().status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(run.hash()).as("dies %s write %d", when, call).isEqualTo(undisturbed.hash());
        assertThat(events(run, "channel.compacted")).isEqualTo(compacted);
        dies |= store.hasDied.get();
        deaths += store.hasDied.get() ? 1 : 0;
      }
    }
    assertThat(deaths).isGreaterThan(20);
    assertThat(compacted).isGreaterThan(3);
  }

  /// E10.3: the recorded outcome of a summarizer that calls out is used, not made again.
  @Test
  void asksASummarizerOnceThatHasAnswered() {
    var calls = new AtomicInteger();
    var recorded = new CountDownLatch(1);
    Summarizer counting =
        (messages, call) -> {
          calls.incrementAndGet();
          return COUNT.summarize(messages, call);
        };
    var graph =
        conversation(4, 1, counting)
            .node("a", _ -> set("messages", identified("m1", "m2", "m3", "m4", "m5")))
            .node(
                "b",
                _ -> {
                  assertThat(recorded.await(10, TimeUnit.SECONDS)).isTrue();
                  return done();
                })
            .edge("__start__", "a")
            .edge("a", "b");
    var run = TestRuns.of(graph);
    var store = new DyingStore(run.runs().store, 2, Death.AFTER);

    try {
      run.drive(store);
    } catch (SimulatedWorld.Crash _) {
      recorded.countDown();
      run.drive();
    }

    assertThat(store.hasDied).isTrue();
    assertThat(texts(run, "messages")).containsExactly("summary of 4", "m5");
    assertThat(calls).hasValue(1);
  }

  private static void driveThrough(TestRun run, DyingStore store) {
    try {
      run.drive(store);
    } catch (SimulatedWorld.Crash _) {
      run.drive();
    }
  }

  enum Death {
    BEFORE,
    AFTER
  }

  /// Kills its process once, around one of its writes.
  private record DyingStore(
      CheckpointStore store, int at, Death when, AtomicInteger writes, AtomicBoolean hasDied)
      implements CheckpointStore {

    DyingStore(CheckpointStore store, int at, Death when) {
      this(store, at, when, new AtomicInteger(), new AtomicBoolean());
    }

    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      boolean dies = writes.incrementAndGet() == at;
      die(dies && when == Death.BEFORE);
      var result = store.commit(lease, commits);
      die(dies && when == Death.AFTER);
      return result;
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      boolean dies = writes.incrementAndGet() == at;
      die(dies && when == Death.BEFORE);
      store.record(lease, records, events);
      die(dies && when == Death.AFTER);
    }

    private void die(boolean now) {
      if (now) {
        hasDied.set(true);
        throw new SimulatedWorld.Crash();
      }
    }

    @Override
    public RunSignals signals(Lease lease) {
      return store.signals(lease);
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      return store.expire(lease, interrupts);
    }
  }
}
