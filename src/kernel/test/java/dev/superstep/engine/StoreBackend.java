package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.util.List;

/// A checkpoint store together with what API calls do to its runs, as [CheckpointStoreContract]
/// needs it.
public interface StoreBackend {
  CheckpointStore store();

  /// Stores a new run with its first checkpoint and no events.
  void start(RunHeader header, Commit.Write first);

  /// Takes the run over and loads it.
  LoadedRun claim(String run, Graph graph);

  /// @return false if the interrupt is not open
  boolean answer(String run, String interrupt, Value value);

  void send(String run, InboxMessage message);

  void resolve(String run, TaskKey task, Change change);

  void cancel(String run);

  void pause(String run, int superstep);

  Checkpoint checkpoint(RunHeader header, int number, Graph graph);

  List<Numbered> events(String run);

  /// `open`, `answered`, `expired`, `cancelled`
  String interruptStatus(String run, String interrupt);

  record Numbered(long seq, Event event) {}
}
