package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.StoredRun.StoredCheckpoint;
import dev.superstep.engine.StoredRun.StoredMessage;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.StateHash;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.List;

/// The invariants of durability.md, asked of the store after every commit.
final class SimulationInvariants {
  private SimulationInvariants() {}

  static void check(InMemoryCheckpointStore store, String run, Program program) {
    var checkpoints = store.checkpoints(run);
    for (int i = 1; i < checkpoints.size(); i++) {
      checkStep(checkpoints.get(i - 1), checkpoints.get(i));
    }
    checkPending(checkpoints.getLast().after(), program);
    checkHead(store.head(run), checkpoints.getLast().after());
    checkEvents(store, run);
    checkEffects(checkpoints.getLast().after().state());
    checkFold(checkpoints, program);
    checkMessages(store.messages(run), checkpoints.getLast().after().state());
  }

  /// I14: each message is in one checkpoint at most, in the order in which they were sent, and the
  /// state has what was taken.
  static void checkMessages(List<StoredMessage> messages, GraphState state) {
    var taken = messages.stream().filter(it -> !it.taken().isEmpty()).toList();
    assertThat(taken).as("I14").allMatch(it -> it.taken().size() == 1);
    assertThat(messages.subList(0, taken.size())).as("I14").isEqualTo(taken);
    assertThat(taken.stream().map(it -> it.taken().getFirst()).toList()).as("I14").isSorted();
    assertThat(ListValue.orEmpty(state.get("said")).asList())
        .as("I14")
        .isEqualTo(taken.stream().map(it -> it.message().value()).toList());
  }

  /// I1: no committed superstep has an unfinished task. I3: numbers gap-free, epochs never
  /// decrease.
  static void checkStep(StoredCheckpoint before, StoredCheckpoint after) {
    assertThat(after.after().number()).as("I3").isEqualTo(before.after().number() + 1);
    assertThat(after.epoch()).as("I3").isGreaterThanOrEqualTo(before.epoch());
    boolean advances =
        after.after().stamp().kind() == CheckpointKind.STEP
            || after.after().stamp().kind() == CheckpointKind.FINAL;
    assertThat(after.after().superstep())
        .as("I3")
        .isEqualTo(before.after().superstep() + (advances ? 1 : 0));
    if (advances) {
      assertThat(after.delta().tasks())
          .as("I1")
          .allMatch(it ->
              it.status() instanceof TaskRecord.TaskStatus.Done
                  || it.status() instanceof TaskRecord.TaskStatus.Handled
                  || it.status() instanceof TaskRecord.TaskStatus.Cancelled);
    }
  }

  /// I2: what is pending exists in the graph, dispatches with distinct ids.
  static void checkPending(Checkpoint last, Program program) {
    var ids = new HashSet<String>();
    for (var activation : last.pending().activations()) {
      assertThat(activation.node().equals(NodeId.END) || program.graph().has(activation.node()))
          .as("I2")
          .isTrue();
      if (activation instanceof Activation.Sent(var dispatch)) {
        assertThat(ids.add(dispatch.id())).as("I2").isTrue();
      }
    }
  }

  /// I4: the head agrees with the last checkpoint.
  static void checkHead(RunHead runHead, Checkpoint last) {
    int expected =
        runHead.status() == RunStatus.SUCCEEDED ? last.superstep() + 1 : last.superstep();
    assertThat(runHead.superstep()).as("I4").isEqualTo(expected);
    if (runHead.status() == RunStatus.SUCCEEDED) {
      assertThat(last.pending().isEnd()).as("I4").isTrue();
    }
  }

  /// I5: events gap-free from 1. I6: exactly one event of the terminal state.
  private static void checkEvents(InMemoryCheckpointStore store, String run) {
    var events = store.events(run);
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).seq()).as("I5").isEqualTo(i + 1);
    }
    long ends =
        events.stream()
            .filter(it ->
                it.event().type().equals("run.succeeded")
                    || it.event().type().equals("run.cancelled"))
            .count();
    boolean terminal =
        switch (store.head(run).status()) {
          case SUCCEEDED, CANCELLED -> true;
          case QUEUED, RUNNING, WAITING, INTERRUPTED, FAILED, CANCELLING -> false;
        };
    assertThat(ends).as("I6").isEqualTo(terminal ? 1 : 0);
  }

  /// I8: the `sum` channel equals the number of tasks that were executed; each key is there once.
  static void checkEffects(GraphState state) {
    var log = state.get("log") instanceof ListValue list ? list : ListValue.empty();
    var count = state.get("count") instanceof Value.Int(var number) ? number : 0;
    assertThat(count).as("I8").isEqualTo(log.size());
    assertThat(new HashSet<>(log.asList())).as("I8").hasSize(log.size());
  }

  /// I9: folding all deltas from the start gives the stored state at every superstep.
  static void checkFold(List<StoredCheckpoint> checkpoints, Program program) {
    var state = RunStart.initial(program.graph(), GraphState.empty());
    for (var checkpoint : checkpoints) {
      var delta = checkpoint.delta();
      var fold = Fold.replay(program.graph().channels(), state, delta.opaque());
      delta.edit().ifPresent(it -> fold.apply(List.of(it)));
      if (checkpoint.after().stamp().kind() != CheckpointKind.HELD) {
        delta.tasks().forEach(it -> fold.apply(it.changes()));
      }
      state = fold.state();
      assertThat(StateHash.of(state)).as("I9").isEqualTo(StateHash.of(checkpoint.after().state()));
    }
  }
}
